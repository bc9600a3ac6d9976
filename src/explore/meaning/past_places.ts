/**
 * What the Map says from the repository's past: files that commits with messages like the question changed. So it is
 * not empty on the first day; what sessions learned stands before it.
 */
import type { KnownPast } from "../../history/repository_history.ts";
import { toPastFields } from "../../history/past_fields.ts";
import { findSimilarWork } from "../../history/similar_work.ts";
import type { ChunkHit, IndexView } from "../../index/read/view.ts";

/** A file of a past commit, with the chunk that it begins with. */
export interface PastPlace {
  readonly path: string;
  readonly chunk: ChunkHit | undefined;
  readonly score: number;
  /** The commit that led here, as `commit 1a2b3c4d: Add a login form`. */
  readonly from: string;
}

/** Past commits that are asked. */
const MAX_DEEDS = 3;
/** Scores end below those of agreements that are surely about the question. */
const MOST = 0.6;

/** Files that are in the index, each once, those of the nearest commit first. */
export function findPastPlaces(
  view: IndexView,
  { known, question, covers }: {
    readonly known: KnownPast | null;
    readonly question: string;
    readonly covers: (path: string) => boolean;
  },
): readonly PastPlace[] {
  if (known === null) return [];
  const similar = findSimilarWork(known, question, { maxDeeds: MAX_DEEDS });
  const places = new Map<string, PastPlace>();
  for (const one of similar) {
    const [work] = toPastFields([one], () => false).past_work ?? [];
    for (const path of one.deed.paths) {
      if (work === undefined || places.has(path) || !covers(path)) continue;
      if (view.getFile(path) === null) continue;
      const from = `commit ${work.commit}: ${work.message}`;
      places.set(path, { path, chunk: view.listChunks(path)[0], score: MOST * one.share, from });
    }
  }
  return [...places.values()];
}
