/** Records the run at the start of a session, where the tests run anyway and the project wants that. */
import type { RunCover } from "../../../evidence/runs/run_command.ts";
import { hasNoGit } from "../../../git/repository.ts";
import type { CoveragePlanInput } from "../../../workflow/context/run_additions.ts";
import { isAllRecorded, readContents } from "../store/open_runs.ts";
import { planWatches } from "./plan_watch.ts";
import { RunRecorder } from "./record.ts";
import { askIndex } from "./run_contents.ts";

/**
 * Commands that can be watched from inside are, and have the usual variables too. Where all is recorded on these contents
 * nothing is watched.
 */
export async function planRecord(
  { project: { deps, repo }, commands }: CoveragePlanInput,
  usual: { readonly coverage?: RunCover },
): Promise<{ readonly coverage?: RunCover }> {
  const openRepo = () => Promise.resolve(hasNoGit(repo) ? null : repo);
  const place = { ...deps, stateDir: deps.verification.stateDir, openRepo };
  const now = await askIndex(place, readContents);
  if (now === null || await isAllRecorded(place, now)) return usual;
  const plans = await planWatches(deps.projectRoot, commands);
  const { signal } = new AbortController();
  const recorder = new RunRecorder({ place, plans, commands: plans.length, signal });
  return { coverage: recorder.toCover(usual.coverage) };
}
