/**
 * Removes what `uninstall --purge` planned. A part that cannot be removed is reported, and the
 * others are still removed.
 */
import { join } from "node:path";
import { CodeIntelError, toIoError } from "../../base/errors.ts";
import { deleteRefs, removeEmptyRefFolders } from "../../git/branches/own_refs.ts";
import type { PurgeDeps, PurgePlan } from "./purge_plan.ts";
import { planPurge, SHARED_FILES } from "./purge_plan.ts";
import { removeUnfinishedWrites } from "../unfinished_writes.ts";

/** Longest time that a write of another process takes. */
const STALE_MS = 60_000;

/** What was removed, and what could not be. */
export interface PurgeReport extends Pick<PurgePlan, "removed" | "kept"> {
  readonly problems: readonly string[];
}

/**
 * Removes what is there now: the plan is made again, because undoing the set-up has changed the
 * folder.
 *
 * @param options `isNeeded`: a file of the set-up could not be undone, so that `.code-intel` has to stay.
 */
export async function applyPurge(
  deps: PurgeDeps,
  shown: PurgePlan,
  { isNeeded }: { readonly isNeeded: boolean },
): Promise<PurgeReport> {
  const problems: string[] = [];
  const attempt = async (action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (failure) {
      if (!(failure instanceof CodeIntelError)) throw failure;
      problems.push(failure.message);
    }
  };
  const { refs, marks, isTrustRevoked, paths } = await planPurge(deps);
  const repo = await deps.openRepo();
  if (repo !== null) {
    await attempt(() => deleteRefs(repo, refs));
    await removeEmptyRefFolders(repo);
  }
  for (const id of marks) await attempt(() => deps.forgetMark(id));
  if (isTrustRevoked) await attempt(() => deps.revokeTrust());
  const gone = paths.filter((path) => !isNeeded || path !== deps.codeIntelDir);
  for (const path of gone) await attempt(() => remove(path));
  const { stateDir } = deps;
  if (stateDir !== null) {
    const files = SHARED_FILES.map((name) => join(stateDir, name));
    await removeUnfinishedWrites(files, { olderThanMs: STALE_MS });
  }
  return { removed: shown.removed, kept: shown.kept, problems };
}

async function remove(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch((cause) => {
    if (!(cause instanceof Deno.errors.NotFound)) throw toIoError(`remove "${path}"`, cause);
  });
}
