/** Carries out what `uninstall --purge` plans; each part is told when it cannot be removed, and stops no other. */
import { join } from "node:path";
import { CodeIntelError, toIoError } from "../../base/errors.ts";
import { deleteRefs, removeEmptyRefFolders } from "../../git/mod.ts";
import type { PurgeDeps, PurgePlan } from "./purge_plan.ts";
import { planPurge } from "./purge_plan.ts";
import { removeUnfinishedWrites } from "../unfinished_writes.ts";

/** Files of the user's folder that every project shares; only their unfinished writes go. */
const SHARED_FILES = ["seal.key", "trust.json", "http_token"];
/** A write of another process takes no longer. */
const STALE_MS = 60_000;

/** What was removed, and what could not be. */
export interface PurgeReport extends Pick<PurgePlan, "removed" | "kept"> {
  readonly problems: readonly string[];
}

/**
 * Removes what is there now; the plan is made anew, for an undone set-up has changed the folder.
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
