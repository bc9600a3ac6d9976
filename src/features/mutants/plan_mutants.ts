/** Says which small wrong versions of the change are tried after a run, on what tree and with which tests. */
import type { TreePath } from "../../base/paths.ts";
import type { TryMutants } from "../../evidence/runs/run_command.ts";
import { readTree } from "../../git/repository.ts";
import { changedLines } from "../../git/trees/changed_lines.ts";
import { languageOfPath } from "../../language/languages.ts";
import { isTestSide, parseTestName } from "../../language/test_names.ts";
import { narrowRun } from "../../runners/narrow_run.ts";
import { isWholeExtent } from "../../index/seen_runs.ts";
import type { MutantPlanInput } from "../../workflow/context/run_additions.ts";
import type { SeenAnswer } from "../../workflow/context/seen_code.ts";
import type { MutantCommand, RunMutants } from "./try_mutants.ts";
import { giveUnknown, tryMutants } from "./try_mutants.ts";

/** Most changed files that are read, and most test files that are run (guessed). */
const MOST_FILES = 100;
const MOST_TESTS = 20;

/** What is tried, or why nothing can be; nothing where no source changed. */
export async function planMutants(
  input: MutantPlanInput,
): Promise<{ readonly mutants?: TryMutants }> {
  const request = await planRequest(input);
  if (request === null) return {};
  if (typeof request === "string") return { mutants: () => Promise.resolve(giveUnknown(request)) };
  return {
    mutants: async ({ hindrance, ...context }) =>
      hindrance === null ? await tryMutants(request, context) : giveUnknown(hindrance),
  };
}

async function planRequest(input: MutantPlanInput): Promise<RunMutants | string | null> {
  const { base, changed, checkout, repo, toProject, seconds, isGate } = input;
  const paths = changed.filter(hasMutants).slice(0, MOST_FILES);
  if (paths.length === 0) return null;
  if (checkout === undefined || typeof checkout === "string") {
    return `no mutant is made in the worktree. ${checkout ?? ""}`.trim();
  }
  const own = changed.filter((path) => parseTestName(path) !== null).slice(0, MOST_FILES);
  const from = await readTree(repo, base);
  const lines = await changedLines(repo, from, checkout.tree, [...paths, ...own]);
  const sources = paths.flatMap((path) => {
    const ranges = lines.get(path)?.ranges ?? [];
    return ranges.length === 0 ? [] : [{ path, ranges }];
  });
  if (sources.length === 0) return null;
  const isThere = (path: TreePath) => (lines.get(path)?.change.kind ?? "deleted") !== "deleted";
  const ownTests = own.filter(isThere).map(toProject);
  const near = await input.findNearTests(sources.map(({ path }) => toProject(path)));
  const tests = [...new Set([...ownTests, ...near])].slice(0, MOST_TESTS);
  const narrow = (files: readonly string[]) =>
    input.commands.flatMap((command): readonly MutantCommand[] => {
      const run = narrowRun(command.run, files);
      return run === null ? [] : [{ ...command, run, isWhole: run === command.run }];
    });
  const findSeen: RunMutants["findSeen"] = async (places) => {
    const code = places.map(({ path, line }) => ({ place: { path: toProject(path), line } }));
    const answers = await input.findSeenTests(code) ?? [];
    return answers.map((answer) => {
      const files = listSureFiles(answer, changed.map(toProject));
      return files === null ? null : [...new Set([...ownTests, ...files])].slice(0, MOST_TESTS);
    });
  };
  const commands = narrow(tests);
  const use = input.useApart({ tree: checkout.tree, commands });
  return { sources, toProject, commands, tests, narrow, findSeen, seconds, isGate, use };
}

/** The files of the tests that ran a line's functions; null where others may run them too, unseen. */
function listSureFiles(
  { functions, tests, extent }: SeenAnswer,
  changed: readonly string[],
): readonly string[] | null {
  const isSure = functions.length > 0 && functions.every(({ seen }) => seen === "run by tests");
  return isSure && isWholeExtent(extent, changed) ? tests.map(({ file }) => file) : null;
}

/** Whether a file is source whose grammar shows what can be made wrong in it. */
function hasMutants(path: TreePath): boolean {
  const language = languageOfPath(path);
  return language !== undefined && !isTestSide(path) &&
    (language.mutants !== undefined || language.holdsScripts === true);
}
