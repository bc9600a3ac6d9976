/** Says which small wrong versions of the change are tried after a run, on what tree and with which tests. */
import type { TreePath } from "../../base/paths.ts";
import type { MutantCommand, RunCheckout, RunMutants } from "../../evidence/mod.ts";
import { changedLines, readTree } from "../../git/mod.ts";
import { isTestSide, languageOfPath, toNarrowRun, toTestName } from "../../language/mod.ts";
import { hasBranchFlow } from "../../phase/mod.ts";
import type { MutantSettings } from "../../workflow/deps.ts";
import type { Bench, Desk } from "../../workflow/desk.ts";
import type { CheckoutPlanInput } from "../../workflow/verify/checkout_plan.ts";
import { toUseApart } from "../../workflow/verify/checkout_plan.ts";

/** What a run is about. */
export interface MutantPlanInput extends CheckoutPlanInput {
  readonly settings: { readonly mutants: MutantSettings };
  /** Where the run takes place. */
  readonly checkout: RunCheckout | string | undefined;
}

/** Most changed files that are read, and most test files that are run (guessed). */
const MOST_FILES = 100;
const MOST_TESTS = 20;

/** What is tried, or a sentence why nothing can be; nothing where nobody asks for it or no source changed. */
export async function planMutants(
  desk: Desk,
  bench: Bench,
  input: MutantPlanInput,
): Promise<{ readonly mutants?: RunMutants | string }> {
  const { state, settings: { mutants: settings }, changed, checkout, found } = input;
  const isAsked = settings.when === "always" ||
    (settings.when === "high" && state.risk === "HIGH");
  const paths = changed.filter(hasMutants).slice(0, MOST_FILES);
  const { repo } = bench;
  if (!isAsked || !hasBranchFlow(state) || repo === null || paths.length === 0) return {};
  if (checkout === undefined || typeof checkout === "string") {
    return { mutants: `no mutant is made in the worktree. ${checkout ?? ""}`.trim() };
  }
  const { cleanTree, baselineTree } = state.workspace;
  const before = cleanTree ?? baselineTree;
  if (before === null) return {};
  const own = changed.filter((path) => toTestName(path) !== null).slice(0, MOST_FILES);
  const from = await readTree(repo, before);
  const lines = await changedLines(repo, from, checkout.tree, [...paths, ...own]);
  const sources = paths.flatMap((path) => {
    const ranges = lines.get(path)?.ranges ?? [];
    return ranges.length === 0 ? [] : [{ path, ranges }];
  });
  if (sources.length === 0) return {};
  const isThere = (path: TreePath) => (lines.get(path)?.change.kind ?? "deleted") !== "deleted";
  const toProject = (path: TreePath) => bench.paths.toProject(path);
  const near = await desk.deps.findNearTests(sources.map(({ path }) => toProject(path)));
  const tests = [...new Set([...own.filter(isThere).map(toProject), ...near])].slice(0, MOST_TESTS);
  const commands = input.commands.flatMap((command): readonly MutantCommand[] => {
    const run = toNarrowRun(command.run, tests);
    return run === null ? [] : [{ ...command, run, isWhole: run === command.run }];
  });
  const use = toUseApart(desk, { tree: checkout.tree, commands, found });
  const { seconds, gate: isGate } = settings;
  return { mutants: { sources, toProject, commands, tests, seconds, isGate, use } };
}

/** Whether a file is source whose grammar shows what can be made wrong in it. */
function hasMutants(path: TreePath): boolean {
  const language = languageOfPath(path);
  return language !== undefined && !isTestSide(path) &&
    (language.mutants !== undefined || language.holdsScripts);
}
