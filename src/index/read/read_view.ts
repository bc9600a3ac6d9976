/** Puts the questions of one worktree together; each family of them has its own file. */
import { createChunkQueries } from "./chunk_queries.ts";
import { createFileQueries } from "./file_queries.ts";
import { createMapQueries } from "./map_queries.ts";
import { createMentionQueries } from "./mention_queries.ts";
import { createRankingQueries } from "./ranking_queries.ts";
import type { Source } from "./reader.ts";
import { createSymbolQueries } from "./symbol_queries.ts";
import type { IndexView } from "./view.ts";

/** The view of one worktree; ask it inside a snapshot. */
export function createView(source: Source): IndexView {
  return {
    ...createFileQueries(source),
    ...createSymbolQueries(source),
    ...createMentionQueries(source),
    ...createMapQueries(source),
    ...createChunkQueries(source),
    ...createRankingQueries(source),
  };
}
