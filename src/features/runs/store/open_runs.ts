/** Opens what was seen in runs for questions: it is read again where the runs, the index, or HEAD are other ones. */
import { countCommits } from "../../../git/branches/branches.ts";
import { readHead } from "../../../git/repository.ts";
import type { SeenRuns } from "../../../index/seen_runs.ts";
import { formatExtent, isWholeExtent } from "../../../index/seen_runs.ts";
import type { DoctorFinding } from "../../../project/finding.ts";
import { ok, warn } from "../../../project/finding.ts";
import type { RunParts } from "../../../services/extension.ts";
import type { Services } from "../../../services/services_api.ts";
import type { KeptRun, RunPlace } from "./run_folder.ts";
import { findProject, formatMegabytes, readRuns } from "./run_folder.ts";
import type { RunsTables } from "./run_state.ts";
import { buildTables, pickLastBatch, RunState } from "./run_state.ts";

/** Opens it; nothing is read before the first question, and nothing but a look at the disk where nothing was recorded. */
export function openRuns(parts: RunParts): Promise<SeenRuns> {
  let kept: { readonly runs: readonly KeptRun[]; readonly tables: RunsTables } | null = null;
  let files: { readonly stamp: string; readonly now: ReadonlyMap<string, string> } | null = null;
  let state: { readonly key: readonly unknown[]; readonly is: RunState } | null = null;
  const load = async () => {
    const runs = await listRuns(parts, kept?.runs);
    if (runs.length === 0) return null;
    const isSame = runs.length === kept?.runs.length &&
      runs.every((run, at) => run === kept?.runs[at]);
    if (!isSame) kept = { runs, tables: buildTables(runs) };
    const same = files;
    const { now } = files = await parts.index.read((view) => {
      const stamp = view.stamp();
      return same?.stamp === stamp ? same : { stamp, now: readContents(view) };
    });
    const commitsAgo = await countSince(parts, pickLastBatch(runs).runs.at(-1)?.head ?? null);
    const tables = kept?.tables ?? buildTables(runs);
    const key = [tables, now, commitsAgo];
    if (state?.key.every((one, at) => one === key[at]) !== true) {
      state = { key, is: new RunState(tables, now, commitsAgo) };
    }
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

/** The runs of the project. */
export async function listRuns(
  place: RunPlace,
  known: readonly KeptRun[] = [],
): Promise<readonly KeptRun[]> {
  const project = await findProject(place);
  return (await readRuns(place, known)).runs.filter((run) => run.project === project);
}

/** Whether this machine recorded every test on these contents: another run would show nothing new, nor check others' runs. */
export async function isAllRecorded(
  place: RunPlace,
  now: ReadonlyMap<string, string>,
): Promise<boolean> {
  const own = (await listRuns(place)).filter(({ shared }) => shared === undefined);
  return own.length > 0 && isWholeExtent(new RunState(buildTables(own), now, null).extent);
}

/** The hashes of the files of the index by path. */
export function readContents(
  view: { listFiles(): readonly { readonly path: string; readonly hash: string }[] },
): ReadonlyMap<string, string> {
  return new Map(view.listFiles().map(({ path, hash }) => [path, hash]));
}

/** How many commits HEAD is ahead of one; null where git does not know it. */
async function countSince(place: RunPlace, from: string | null): Promise<number | null> {
  const repo = from === null ? null : await place.openRepo();
  const commit = repo === null ? null : (await readHead(repo).catch(() => null))?.commit ?? null;
  if (repo === null || from === null || commit === null) return null;
  return commit === from ? 0 : await countCommits(repo, from, commit);
}

/** Files that changed since the last whole record, from which on a new one is proposed (guessed). */
const MANY_CHANGED = 200;

/** Says whether runs are recorded, how old the record is, and how large. */
export async function checkRuns(
  { parts, openRuns }: Pick<Services, "parts" | "openRuns">,
): Promise<readonly DoctorFinding[]> {
  const { runs, unfit } = await readRuns(parts);
  if (unfit.length > 0) {
    const what = unfit.length === 1 ? "1 recorded run is" : `${unfit.length} recorded runs are`;
    const fix = "`code-intel runs record` removes what is damaged, and records anew.";
    return [warn(`${what} damaged, or of another version, and not used`, fix)];
  }
  const state = runs.length === 0 ? null : await (await openRuns()).load();
  if (state === null) {
    return [ok("None: tests are found by names alone (`code-intel runs record` records them)")];
  }
  const size = formatMegabytes(runs.reduce((sum, { bytes }) => sum + bytes, 0));
  const detail = `${formatExtent(state.extent)}; ${size}`;
  const isOld = state.extent.changed.length > MANY_CHANGED;
  return [isOld ? warn(detail, "Run `code-intel runs record` again.") : ok(detail)];
}
