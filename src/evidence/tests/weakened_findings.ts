/** The findings about weaker and fewer tests that step 17 asks about: of the diff, and of the server's run. */
import type { PathNames, ProjectPath } from "../../base/paths.ts";
import type { Repository } from "../../git/repository.ts";
import { diffText, listTree } from "../../git/trees/changes.ts";
import { languageOfPath } from "../../language/languages.ts";
import type { TestFinding } from "../../phase/check_findings.ts";
import type { LostTests } from "../runs/judge_run.ts";
import type { DiffedFile } from "./diffed_file.ts";
import { parseDiffedFiles } from "./diffed_file.ts";
import type { FunctionNames, MovedTest } from "./moved_tests.ts";
import { findWeakenedTests, mayWeakenTests } from "./weakened_tests.ts";

/** Most files whose diff is read (guessed; a file costs two starts of git). */
const MOST_FILES = 100;
const MOST_NAMES = 10;

const MEANINGS: Readonly<Record<string, string>> = {
  assertions_removed: "assertions are gone",
  expectation_changed: "assertions expect something else",
  switched_off: "tests are skipped, expected to fail, or run alone",
  early_return: "a return that was not there before",
  tests_removed: "tests are gone",
  test_repeated:
    "a name of a test is given again in its file, so that the earlier one may not run any more",
  sources_replaced:
    "sources of the project are replaced while the test file is loaded, or for every test",
  snapshot_changed: "a snapshot was changed",
  runner_changed: "settings of the test runner were changed",
};

/** What weakens tests in the changes between two trees, and which tests moved. */
export async function findWeakened(
  { repo, paths }: { readonly repo: Repository; readonly paths: PathNames },
  { from, to, changes, names }: {
    readonly from: string | null;
    readonly to: string | null;
    readonly changes: readonly { readonly path: ProjectPath; readonly kind: DiffedFile["kind"] }[];
    readonly names?: FunctionNames;
  },
): Promise<
  { readonly weakened: readonly TestFinding[]; readonly moved: readonly MovedTest[] }
> {
  if (from === null || to === null || from === to) return { weakened: [], moved: [] };
  const wanted = changes.filter(({ path }) => mayWeakenTests(path)).slice(0, MOST_FILES);
  const sections = await Promise.all(wanted.map(async (change) => {
    const resolved = paths.toWorktree(change.path);
    // What a file holds beside the changes tells what these mean, except in data other than settings.
    const isWhole = languageOfPath(change.path)?.nature === "code" || /\.jsonc?$/.test(change.path);
    const options = { withWholeFiles: isWhole };
    const parts = resolved.kind === "path"
      ? [await diffText(repo, from, to, [resolved.path], options)]
      : [];
    return { change, parts };
  }));
  const listFiles = async () => ({
    all: (await listTree(repo, to)).map(({ path }) => paths.toProject(path)),
    changed: changes.map(({ path }) => path),
  });
  const found = await findWeakenedTests(parseDiffedFiles(sections), listFiles, names);
  const weakened = found.weakened.map(({ path, kind, what }) => ({
    id: `${kind} ${path}`,
    what: `${MEANINGS[kind]}: ${what}`,
  }));
  return { ...found, weakened };
}

/** Tests of a command that ran on the untouched tree and no longer run, as findings. */
export function buildLostFindings(
  command: string,
  lost: readonly LostTests[],
): readonly TestFinding[] {
  return lost.map(({ kind, tests }) => {
    const more = tests.length > MOST_NAMES ? ` and ${tests.length - MOST_NAMES} more` : "";
    const names = tests.slice(0, MOST_NAMES).join(", ");
    return {
      id: `lost ${command} ${kind}`,
      what: `${LOST[kind]}: ${names}${more}`.slice(0, 1_000),
    };
  });
}

const LOST: Readonly<Record<LostTests["kind"], string>> = {
  gone: "tests that ran on the untouched tree and are not there any more",
  skipped: "tests that ran on the untouched tree and are skipped now",
  fewer: "fewer tests run than on the untouched tree",
};
