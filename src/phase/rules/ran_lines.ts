/**
 * What step 15 says and asks of the changed lines and tests that ran, and what rules ask to be run
 * beside. Also what commits and briefs say of them. Pure.
 */
import { clipLine } from "../../base/text/clip.ts";
import type { LineCoverage, RanItem, ServerRun } from "../facts.ts";
import type { Task } from "../tasks.ts";
import type { VerificationResult } from "../verification_state.ts";

const MOST_PLACES = 10;
const LINE_CHARS = 200;

/** The share of the known changed lines that ran; null where none is known. */
function computeRanShare({ ran, notRun }: LineCoverage): number | null {
  return ran + notRun === 0 ? null : ran / (ran + notRun);
}

/** Whether fewer of the changed lines ran than the project asks for. Unknown lines count for nothing. */
export function isBelowBound(coverage: LineCoverage | undefined): boolean {
  if (coverage === undefined || coverage.bound === null) return false;
  const share = computeRanShare(coverage);
  return share !== null && share < coverage.bound;
}

/** Places of changed lines that did not run, as `path:start-end`. */
function listUnrunRanges({ notRunLines }: LineCoverage): readonly string[] {
  return Object.entries(notRunLines).flatMap(([path, lines]) =>
    lines.split(" ").map((range) => `${path}:${range}`)
  );
}

/** One line for the commit and the brief, such as `changed lines: 12 ran, 3 did not (src/a.ts:4-6)`. */
export function formatCoverageLine(coverage: LineCoverage): string {
  const { ran, notRun, unknown } = coverage;
  const parts = [
    ...(ran + notRun === 0 ? [] : [`${ran} ran`]),
    ...(notRun === 0 ? [] : [`${notRun} did not (${listUnrunRanges(coverage).join(", ")})`]),
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
  ];
  return clipLine(`changed lines: ${parts.join(", ")}`, LINE_CHARS);
}

/** The changed lines for the reply: what did not run with its places, and what is unknown with the reason. */
export function buildCoverageFields(
  coverage: LineCoverage | undefined,
  tasks: readonly Task[],
): Readonly<Record<string, unknown>> {
  if (coverage === undefined) return {};
  const { ran, notRun, unknown, unknownFiles, why, read } = coverage;
  const places = listUnrunRanges(coverage);
  const idle = tasks.flatMap(({ id, checklist }) =>
    checklist.flatMap((item) => item.ran === "none" ? [clipLine(`${id}: ${item.item}`, 80)] : [])
  );
  const proven = tasks.flatMap(({ checklist }) => checklist)
    .filter((item) => item.ran === "all" || item.ran === "some").length;
  return {
    changed_lines: {
      ...(ran + notRun === 0 ? {} : { ran }),
      ...(notRun === 0 ? {} : {
        not_run: places.slice(0, MOST_PLACES),
        ...(places.length > MOST_PLACES ? { places: places.length } : {}),
      }),
      ...(proven === 0 ? {} : { items_that_ran: proven }),
      ...(idle.length === 0 ? {} : { items_not_run: idle.slice(0, MOST_PLACES) }),
      ...(unknown === 0 ? {} : {
        unknown,
        in: unknownFiles.slice(0, MOST_PLACES),
        ...(why.length === 0 ? {} : { why: clipLine(why.join(" "), 2 * LINE_CHARS) }),
      }),
      ...(read.length === 0 ? {} : { from: clipLine(read.join(", "), LINE_CHARS) }),
    },
  };
}

/** What the next instruction begins with; empty where the project's bound asks for nothing or is kept. */
export function describeCoverage(coverage: LineCoverage | undefined): string {
  if (coverage === undefined || coverage.bound === null) return "";
  const { ran, notRun, bound } = coverage;
  if (computeRanShare(coverage) === null) {
    return `How many of the changed lines ran is not known, so coverage.changed_lines (${bound}) was not judged.`;
  }
  if (!isBelowBound(coverage)) return "";
  const places = clipLine(listUnrunRanges(coverage).join(", "), 2 * LINE_CHARS);
  return `Only ${ran} of ${
    ran + notRun
  } changed lines ran, and the project asks for a share of ${bound} ` +
    `(coverage.changed_lines in context.yml). These did not: ${places}. Plan a task with tests that run them, ` +
    "or take out what nothing needs; where they cannot be run, tell the person, who can accept the work as it is.";
}

const MOST_UNRUN = 3;

/** What rules ask for beyond the commands, in one line; what an earlier run of the session reported is left out. */
export function buildUnrunFields(
  run: ServerRun | null,
  before: VerificationResult | null,
): Readonly<Record<string, string>> {
  const fresh = (run?.unrunRules ?? []).filter((text) =>
    before?.unrunRules?.includes(text) !== true
  );
  if (fresh.length === 0) return {};
  return {
    unrun_rules: `${
      fresh.slice(0, MOST_UNRUN).join("; ")
    }: no command of verify runs it, so run it yourself.`,
  };
}

/** The tasks with what is known of the evidence of their items now. */
export function markRanItems(
  tasks: readonly Task[],
  items: readonly RanItem[],
): readonly Task[] {
  if (items.length === 0 && !tasks.some(({ checklist }) => checklist.some(({ ran }) => ran))) {
    return tasks;
  }
  return tasks.map((task) => ({
    ...task,
    checklist: task.checklist.map(({ ran: _before, ...item }, index) => {
      const ran = items.find((one) => one.task === task.id && one.index === index)?.ran;
      return ran === undefined ? item : { ...item, ran };
    }),
  }));
}

const MOST_RAN_TESTS = 100;
const PASSED_FILE = /^(.+): [1-9]\d* passed(?:, \d+ skipped)?$/;

/** The changed tests that ran to their end, by name, and the files of which the output says that their tests passed. */
export function listRanTests({ tests, results }: ServerRun): Pick<VerificationResult, "ranTests"> {
  const rows = results.flatMap(({ changedTests = [] }) => changedTests);
  const files = rows.flatMap((row) => PASSED_FILE.exec(row)?.[1] ?? []);
  const idle = rows.flatMap((row) => /^(.+): did not run$/.exec(row)?.[1] ?? []);
  const named = (tests?.tests ?? []).filter((test) =>
    !idle.some((path) => test.startsWith(`${path}: `))
  );
  const ran = [...named, ...files].slice(0, MOST_RAN_TESTS);
  return ran.length === 0 ? {} : { ranTests: ran };
}
