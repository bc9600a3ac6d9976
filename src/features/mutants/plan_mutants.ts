/** Says which small wrong versions of the change are tried after a run, on what tree and with which tests. */
import type { TreePath } from "../../base/paths.ts";
import type { TryMutants } from "../../evidence/runs/run_command.ts";
import type { LineChanges } from "../../git/trees/changed_lines.ts";
import { narrowCommands } from "../../prove/near_tests.ts";
import { changedLines } from "../../git/trees/changed_lines.ts";
import { readBlobById } from "../../git/trees/changes.ts";
import { languageOfPath } from "../../language/languages.ts";
import { isTestSide } from "../../language/test_names.ts";
import { isWholeExtent } from "../../index/seen_runs.ts";
import type { MutantPlanInput } from "../../workflow/context/run_additions.ts";
import type { SeenAnswer } from "../../workflow/context/seen_code.ts";
import { listNewLines } from "./new_lines.ts";
import type { RunMutants } from "./try_mutants.ts";
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
  return {
    mutants: async ({ hindrance, ...context }) =>
      hindrance === null ? await tryMutants(request, context) : giveUnknown(hindrance),
  };
}

async function planRequest(input: MutantPlanInput): Promise<RunMutants | null> {
  const { base, tree, changed, near, repo, toProject, seconds, isGate } = input;
  const paths = changed.filter(hasMutants).slice(0, MOST_FILES);
  if (paths.length === 0) return null;
  const lines = await changedLines(repo, base, tree, paths);
  const sources = await readSources(repo, paths, lines);
  if (sources.length === 0) return null;
  const narrow = (files: readonly string[]) => narrowCommands(input.commands, files);
  const findSeen: RunMutants["findSeen"] = async (places) => {
    const code = places.map(({ path, line }) => ({ place: { path: toProject(path), line } }));
    const answers = await input.findSeenTests(code) ?? [];
    return answers.map((answer) => {
      const files = listSureFiles(answer, changed.map(toProject));
      return files === null ? null : [...new Set([...near.own, ...files])].slice(0, MOST_TESTS);
    });
  };
  const commands = narrow(near.all);
  const use = input.useApart({ tree, commands });
  return { sources, toProject, commands, tests: near.all, narrow, findSeen, seconds, isGate, use };
}

/** The changed sources with the lines that say something new. */
async function readSources(
  repo: MutantPlanInput["repo"],
  paths: readonly TreePath[],
  lines: ReadonlyMap<string, LineChanges>,
): Promise<RunMutants["sources"]> {
  const found = paths.flatMap((path) => lines.get(path) ?? []);
  const texts = await Promise.all(found.map(async ({ change, ranges, hunks }) => ({
    ranges,
    hunks,
    before: change.kind === "added" ? "" : await readBlobById(repo, change.oldOid),
    after: change.kind === "deleted" ? "" : await readBlobById(repo, change.newOid),
  })));
  const fresh = listNewLines(texts);
  return found.flatMap(({ change: { path } }, at) => {
    const ranges = fresh[at] ?? [];
    return ranges.length === 0 ? [] : [{ path, ranges }];
  });
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
