/** Asks the repository's past for commits like a request, and leaves out files that are gone. */
import { join } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import type { RepositoryHistory } from "../history/repository_history.ts";
import type { SimilarCommit } from "../history/similar_work.ts";
import { buildPastFields, findSimilarWork } from "../history/similar_work.ts";

/** What the past knows of a request. */
export interface RequestHistory {
  /**
   * The field `past_work` for a reply; empty where nothing is near or known yet.
   *
   * @param options `waitMs`: how long a kept past, with what is new since, may be waited for; default 0. `beside`: other
   * work of the caller, which the loading of the past begins beside and whose end begins the wait; default none.
   */
  recall(
    request: string,
    options?: { readonly waitMs?: number; readonly beside?: Promise<unknown> },
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Ids of the past commits most like a request, nearest first. */
  listCommits(request: string): Promise<readonly string[]>;
}

/** Files of a commit that are looked for on the disk: more than are named, since some may be gone. */
const LOOKED = 8;

/** Makes what asks the past; nothing is read before the first question. */
export function createRequestPast(
  { history, projectRoot }: {
    readonly history: Pick<RepositoryHistory, "peek" | "peekKept">;
    readonly projectRoot: string;
  },
): RequestHistory {
  const find = async (
    request: string,
    { waitMs = 0, beside }: Parameters<RequestHistory["recall"]>[1] = {},
  ): Promise<readonly SimilarCommit[]> => {
    if (beside !== undefined) {
      const begun = history.peekKept(0);
      await Promise.allSettled([begun, beside]);
    }
    const known = waitMs === 0 ? await history.peek() : await history.peekKept(waitMs);
    const maxDeeds = LIMITS.recalledItems.value;
    return known === null ? [] : findSimilarWork(known, request, { maxDeeds });
  };
  return {
    recall: async (request, options) => {
      const similar = await find(request, options);
      const paths = similar.flatMap(({ commit }) => commit.paths.slice(0, LOOKED));
      const there = new Set<string>();
      await Promise.all(paths.map(async (path) => {
        const info = await Deno.lstat(join(projectRoot, path)).catch(() => null);
        if (info !== null) there.add(path);
      }));
      return buildPastFields(similar, (path) => there.has(path));
    },
    listCommits: async (request) => {
      // A step of a session starts no reading of a past that nobody has read yet.
      const similar = await find(request, { waitMs: LIMITS.freshnessMs.value });
      return similar.map(({ commit }) => commit.id);
    },
  };
}
