/** The findings about weaker and fewer tests that step 17 asks about: of the diff, and of the server's run. */
import type { ProjectPath } from "../base/paths.ts";
import type { LostTests } from "../evidence/runs/judge_run.ts";
import type { DiffedFile } from "../evidence/tests/diffed_file.ts";
import { parseDiffedFiles } from "../evidence/tests/diffed_file.ts";
import { findWeakenedTests, mayWeakenTests } from "../evidence/tests/weakened_tests.ts";
import { diffText, listTree } from "../git/trees/changes.ts";
import { languageOfPath } from "../language/languages.ts";
import type { TestFinding } from "../phase/check_findings.ts";
import type { ChangePlace } from "./change.ts";

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

/** What weakens tests in the changes between two trees. */
export async function findWeakened(
  { repo, paths }: Pick<ChangePlace, "repo" | "paths">,
  { from, to, changes }: {
    readonly from: string | null;
    readonly to: string | null;
    readonly changes: readonly { readonly path: ProjectPath; readonly kind: DiffedFile["kind"] }[];
  },
): Promise<readonly TestFinding[]> {
  if (from === null || to === null || from === to) return [];
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
  return (await findWeakenedTests(parseDiffedFiles(sections), listFiles)).map((
    { path, kind, what },
  ) => ({
    id: `${kind} ${path}`,
    what: `${MEANINGS[kind]}: ${what}`,
  }));
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
