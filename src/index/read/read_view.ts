/** Puts the questions of one worktree together; each family of them has its own file. */
import type { Connection } from "../store/database.ts";
import { createChunkQueries } from "./chunk_queries.ts";
import { createFileQueries } from "./file_queries.ts";
import { createMapQueries } from "./map_queries.ts";
import { createMentionQueries } from "./mention_queries.ts";
import { createRankingQueries } from "./ranking_queries.ts";
import { createSymbolQueries } from "./symbol_queries.ts";
import type { IndexView } from "./view.ts";

/** The view of one worktree over a connection; ask it inside a snapshot. */
export function createView(db: Connection, worktree: number): IndexView {
  return {
    ...createFileQueries(db, worktree),
    ...createSymbolQueries(db, worktree),
    ...createMentionQueries(db, worktree),
    ...createMapQueries(db, worktree),
    ...createChunkQueries(db, worktree),
    ...createRankingQueries(db, worktree),
  };
}
