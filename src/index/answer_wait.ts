/** How an answer waits for changed files: which of them are read first, for how long, and who is told. */
import type { FreshOptions } from "./index_api.ts";
import type { Look } from "./store/worktree_state.ts";
import type { SyncJob } from "./sync_job.ts";

const TOLD_AFTER_MS = 1_000;

/** The same work, and first the files that the answer is about. */
export function putFirst(look: Look, { isAbout }: FreshOptions): Look {
  const { changed } = look.scan;
  if (isAbout === undefined || changed.length < 2) return look;
  const { asked = [], other = [] } = Object.groupBy(
    changed,
    ({ path }) => isAbout(path) ? "asked" : "other",
  );
  return { ...look, scan: { ...look.scan, changed: [...asked, ...other] } };
}

/** Waits for a job that can be done within an answer; whether it was done by then. */
export async function isDoneBy(
  job: SyncJob,
  { endsAt, isMany }: { readonly endsAt: number; readonly isMany: boolean },
): Promise<boolean> {
  if (isMany) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), Math.max(0, endsAt - performance.now()));
  void job.done.then(() => resolve(true));
  return await promise.finally(() => clearTimeout(timer));
}

/** Says that an answer waits for files, once it has done so for a while; until it is disposed of. */
export function tellWait(
  paths: readonly string[],
  onWait: ((paths: readonly string[]) => void) | undefined,
): Disposable {
  const timer = onWait === undefined || paths.length === 0
    ? undefined
    : setTimeout(() => onWait(paths), TOLD_AFTER_MS);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
