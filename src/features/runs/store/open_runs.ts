/** Opens what was seen in runs for questions: the file is read again where it, the index, or HEAD is another one. */
import { CodeIntelError } from "../../../base/errors.ts";
import { decode } from "../../../git/git.ts";
import type { Repository } from "../../../git/repository.ts";
import { readHead } from "../../../git/repository.ts";
import type { SeenRuns } from "../../../index/seen_runs.ts";
import { isWholeExtent } from "../../../index/seen_runs.ts";
import type { Connection } from "../../../index/store/database.ts";
import { UnusableDatabase } from "../../../index/store/database.ts";
import type { RunParts } from "../../../services/extension.ts";
import type { KeptRuns } from "./kept_runs.ts";
import { pickLastBatch, readKeptRuns, readRunRevision } from "./kept_runs.ts";
import type { RunPlace } from "./run_file.ts";
import { findProject, findRunFile, readRunFile } from "./run_file.ts";
import { RunState } from "./run_state.ts";

/** Opens it; nothing is read before the first question, and nothing but a look at the disk where nothing was recorded. */
export function openRuns(parts: RunParts): Promise<SeenRuns> {
  let kept: { readonly path: string; readonly runs: KeptRuns } | null = null;
  let files: { readonly stamp: string; readonly now: ReadonlyMap<string, string> } | null = null;
  let state: { readonly key: readonly unknown[]; readonly is: RunState } | null = null;
  const load = async () => {
    const path = await findRunFile(parts);
    if (path === null) return null;
    const known = kept?.path === path ? kept.runs : null;
    const project = await findProject(parts);
    const runs = readRunFile(
      path,
      (db) => known?.revision === readRunRevision(db) ? known : readKeptRuns(db, project),
    );
    if (runs === null || runs.runs.length === 0) return null;
    kept = { path, runs };
    const same = files;
    const seen = files = await parts.index.read((view) => {
      const stamp = view.stamp();
      return same?.stamp === stamp ? same : { stamp, now: readContents(view) };
    });
    const head = pickLastBatch(runs.runs).runs.at(-1)?.head ?? null;
    const commitsAgo = head === null ? null : await countCommits(await parts.openRepo(), head);
    const key = [runs, seen.now, commitsAgo];
    if (state?.key.every((one, at) => one === key[at]) === true) return state.is;
    const ask = <T>(read: (db: Connection) => T) => askSame(path, runs, read);
    state = { key, is: new RunState({ kept: runs, now: seen.now, commitsAgo, ask }) };
    return state.is;
  };
  return Promise.resolve({
    load: async () => {
      try {
        return await load();
      } catch (error) {
        parts.logger.note(`What was seen in runs cannot be read: ${(error as Error).message}`);
        return null;
      }
    },
  });
}

/** Whether this machine recorded every test on these contents: another run would show nothing new, nor check others' runs. */
export async function isAllRecorded(
  place: RunPlace,
  now: ReadonlyMap<string, string>,
): Promise<boolean> {
  const path = await findRunFile(place);
  if (path === null) return false;
  const project = await findProject(place);
  try {
    const kept = readRunFile(
      path,
      (db) => readKeptRuns(db, project, ({ shared }) => shared === undefined),
    );
    if (kept === null || kept.runs.length === 0) return false;
    return isWholeExtent(new RunState({ kept, now, commitsAgo: null, ask: () => null }).extent);
  } catch (error) {
    if (error instanceof UnusableDatabase) return false;
    throw error;
  }
}

/** The hashes of the files of the index by path. */
export function readContents(
  view: { listFiles(): readonly { readonly path: string; readonly hash: string }[] },
): ReadonlyMap<string, string> {
  return new Map(view.listFiles().map(({ path, hash }) => [path, hash]));
}

/** Runs of another state may have forgotten what this one counts on: then nothing is known. */
function askSame<T>(path: string, runs: KeptRuns, read: (db: Connection) => T): T | null {
  try {
    return readRunFile(path, (db) => readRunRevision(db) === runs.revision ? read(db) : null);
  } catch {
    return null; // Damaged meanwhile: the next load says so.
  }
}

/** How many commits HEAD is ahead of one; null where git does not know it. */
async function countCommits(repo: Repository | null, from: string): Promise<number | null> {
  if (repo === null) return null;
  try {
    const { commit } = await readHead(repo);
    if (commit === null || commit === from) return commit === null ? null : 0;
    const args = ["rev-list", "--count", "--end-of-options", `${from}..${commit}`];
    return Number(decode(await repo.git.fixed(args)));
  } catch (cause) {
    if (cause instanceof CodeIntelError) return null;
    throw cause;
  }
}
