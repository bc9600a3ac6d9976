/** The tests of an analysis of impact, as its reply and the command for tests say them. */
import { clip } from "../base/text/clip.ts";
import type { ImpactFound } from "../impact/analyze.ts";
import { formatExtent } from "../index/seen_runs.ts";

const MAX_TEST_FILES = 30;
const MAX_COMMAND_CHARS = 2_000;
const MAX_NAME_CHARS = 100;
/** Files of tests that are shown with their proofs. */
const MAX_SEEN = 10;
const MAX_SEEN_BRIEF = 4;
const MAX_SEEN_NAMES = 2;

/** The field `affected_tests`: the files, nearest first, the command that runs them, and what was seen of them. */
export function buildTests(found: ImpactFound, page: Page): Readonly<Record<string, unknown>> {
  const { tests, testRun } = found;
  const files = tests.slice(0, MAX_TEST_FILES);
  const isSaid = files.length > 0 && files.every((path) => testRun?.command.includes(path));
  return {
    total: tests.length,
    // The command names them where the runner takes files.
    ...(isSaid ? {} : { files }),
    ...(testRun === null ? {} : { command: testRun.command.slice(0, MAX_COMMAND_CHARS) }),
    ...(testRun === null || testRun.from.length === 0
      ? {}
      : { command_of: testRun.from.map((name) => `verify ${name}`) }),
    ...buildSeenTests(found, page),
  };
}

/** Which page it is of an answer, and whether what can be asked for again is left out. */
interface Page {
  readonly offset: number;
  readonly isBrief: boolean;
}

/** What was seen of the tests: how far the records reach, and which tests of each file are the nearest. */
function buildSeenTests(
  { seen, testProofs, testRun }: ImpactFound,
  { isBrief, offset }: Page,
) {
  if (seen === null) return {};
  const rows = testProofs.slice(0, isBrief ? MAX_SEEN_BRIEF : MAX_SEEN);
  const nearest = (names: readonly string[]) =>
    names.slice(0, isBrief ? 1 : MAX_SEEN_NAMES).map((name) => clip(name, MAX_NAME_CHARS));
  return {
    runs: formatExtent(seen.extent),
    ...(seen.isComplete ? { complete: true } : {}),
    ...(testRun === null || testProofs.length === seen.run
      ? {}
      : { command_runs: `the nearest ${seen.run} of ${testProofs.length} files` }),
    ...(offset > 0 || rows.length === 0 ? {} : {
      proofs: rows.map((row) => row.nearest ? { ...row, nearest: nearest(row.nearest) } : row),
    }),
  };
}
