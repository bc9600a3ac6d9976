/** Says in one line what a command ran and how it went, for replies, the brief and the commit. Pure. */
import { STEP, STEP_FIRST } from "../../base/steps.ts";
import { quoteShellWord } from "../../base/text/plain_text.ts";
import { languageOfPath } from "../../language/languages.ts";
import { clipLine } from "../../base/text/clip.ts";
import type { CommandJudgement, JudgedResult } from "./judge_run.ts";
import type { Failure, FileCount, TestReport } from "../../runners/report.ts";
import { countRan } from "../../runners/report.ts";
import { RUNNERS } from "../../runners/runners.ts";
import type { CommandResult } from "./run_command.ts";

/**
 * The counts of a report, such as `50 passed, 2 failed, 1 skipped (pytest 8.3.2)`.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { formatCounts } from "./run_formats.ts";
 * const none = { passed: 0, failed: 0, skipped: 0, errors: 0, failures: [], isComplete: true };
 * equal(formatCounts({ ...none, runner: "jest", unit: "tests", passed: 3 }), "3 passed (jest)");
 * equal(formatCounts({ ...none, runner: "jest", unit: "tests" }), "no test ran (jest)");
 * ```
 */
export function formatCounts(report: TestReport): string {
  const { passed, failed, skipped, errors, runner, unit } = report;
  const what = unit === "packages" ? " packages" : "";
  const parts = [
    ...(countRan(report) === 0 ? ["no test ran"] : [`${passed}${what} passed`]),
    ...(failed === 0 ? [] : [`${failed}${what} failed`]),
    ...(errors === 0 ? [] : [`${errors} broke before their tests`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  const { cut = [] } = report;
  const end = cut.length === 0
    ? ""
    : `; ended in the middle, so that tests behind it did not run: ${
      clipLine(cut.join(", "), 200)
    }`;
  return `${parts.join(", ")} (${runner})${end}`;
}

/** How a command went: counts, or how it ended where nothing counts. */
export function formatSummary(
  result: Pick<CommandResult, "exitCode" | "failure" | "durationMs" | "report" | "flaky">,
  judgement?: Pick<CommandJudgement, "why">,
): string {
  const { exitCode, failure, report, durationMs } = result;
  const alone = report ? "" : " only";
  const isClear = report && exitCode === 0;
  const end = failure ?? (isClear ? "" : `exit code ${exitCode ?? "unknown"}${alone}`);
  const said = report ? formatCounts(report) : "";
  const why = judgement?.why ?? "";
  const flaky = result.flaky === undefined
    ? ""
    : `flaky: it failed first (${result.flaky}) and passed when the server ran it once more`;
  const parts = [said, end, why, flaky].filter((part) => part !== "");
  return `${parts.join("; ")}; ${(durationMs / 1000).toFixed(1)} s`;
}

/** A command as it can be typed: what the server set, the file that was started, and the arguments. */
export function formatCommandLine(
  { run, set = [], program }: Pick<CommandResult, "run" | "set" | "program">,
): string {
  const [name = "", ...args] = run;
  const words = args.map((word) => word.startsWith("-") ? word : quoteShellWord(word));
  return clipLine([...set, quoteShellWord(program ?? name), ...words].join(" "), 300);
}

/**
 * What to do about tests that did not run because the run ended in the middle: the command that runs them without what
 * ended it. Null where nothing was cut.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { formatRestHint } from "./run_formats.ts";
 * const failures = [{ name: "example.com/a.TestBoom", line: "panic: nil" }];
 * const report = { runner: "go test", cut: ["example.com/a (panic)"], failures };
 * const words = formatRestHint({ run: ["go", "test", "./..."], report });
 * equal(words?.startsWith("Run `go test -skip '^(TestBoom)$' ./...`"), true);
 * ```
 */
export function formatRestHint(
  { run, report }: {
    readonly run: readonly string[];
    readonly report?: Pick<TestReport, "runner" | "cut" | "failures"> | null;
  },
): string | null {
  if (!report || (report.cut ?? []).length === 0) return null;
  const rest = RUNNERS.map(({ withoutEnd }) => withoutEnd?.(run, report.failures))
    .find((found) => found !== undefined && found !== null);
  const how = rest === undefined || rest === null
    ? "Run the tests behind it by themselves"
    : `Run \`${formatCommandLine({ run: rest })}\``;
  return `${how}: the tests behind what ended the run are in no result yet. Mend what fails newly there before ${STEP.POST_IMPL_VERIFY} runs again.`;
}

/** A failure with the first line of its message. */
export function formatFailureLine({ name, line }: Failure): string {
  return clipLine(line === "" ? name : `${name}: ${line}`, 200);
}

/**
 * Whether the changed test files ran, for reports that name files: `etag/index.test.ts: 50 passed`.
 *
 * @param testFiles changed test files, relative to the project.
 */
export function listChangedTests(
  report: TestReport | null | undefined,
  testFiles: readonly string[],
): readonly string[] {
  const files = Object.entries(report?.files ?? {});
  if (files.length === 0) return [];
  const ends = (long: string, short: string) => long === short || long.endsWith(`/${short}`);
  return testFiles.flatMap((path) => {
    const bare = path.replace(/\.\w+$/, "");
    const found = files.filter(([file]) =>
      isClass(file) ? ends(bare, toClassPath(file)) : ends(path, file) || ends(file, path)
    ).map(([, count]) => count);
    // A class need not lie in a file of its name.
    if (found.length === 0 && files.some(([file]) => isClass(file))) return [];
    return `${path}: ${found.length === 0 ? "did not run" : formatFileCounts(addUp(found))}`;
  });
}

/** Whether a report names a class in the place of a file, such as `shop.CartTest$Inner`. */
function isClass(file: string): boolean {
  return !file.includes("/") && languageOfPath(file) === undefined;
}

function toClassPath(name: string): string {
  return name.replace(/\$.*/, "").replaceAll(".", "/");
}

function addUp(counts: readonly FileCount[]): FileCount {
  const sum = (how: keyof FileCount) => counts.reduce((all, count) => all + count[how], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

function formatFileCounts({ passed, failed, skipped }: FileCount): string {
  const parts = [
    `${passed} passed`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  return parts.join(", ");
}

/** One sentence about a finished baseline run, for the next reply. */
export function formatBaseline(
  run: {
    readonly results: readonly (CommandResult & JudgedResult)[];
    readonly wasCancelled: boolean;
    readonly voided: { readonly path: string } | null;
    readonly place?: { readonly kind: string; readonly why?: string; readonly differs?: boolean };
  },
): string {
  if (run.voided !== null) {
    return `Nothing is known of the untouched tree: ${run.voided.path} changed while the commands ran.`;
  }
  if (run.wasCancelled) return "Nothing is known of the untouched tree: its run was ended early.";
  const rows = run.results.map((result) => {
    const failures = (result.report?.failures ?? []).slice(0, 5).map(({ name }) => name).join(", ");
    return `${result.name}: ${formatSummary(result)}${failures === "" ? "" : ` [${failures}]`}`;
  });
  const isRed = run.results.some(({ exitCode }) => exitCode !== 0);
  const end = isRed ? " It was red before your work: only what fails newly counts against it." : "";
  const { place } = run;
  const where = place?.differs === true
    ? ` ${place.why} ${STEP_FIRST.POST_IMPL_VERIFY} will run in the worktree, and the commit can say no more than yes (worktree).`
    : "";
  return clipLine(`The untouched tree: ${rows.join(". ")}.${end}${where}`, 1_400);
}
