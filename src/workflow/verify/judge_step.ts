/** Turns a finished run into the fact that the engine judges: what ran, what failed, and what is new of it. */
import type { ChangedDependencies } from "../../evidence/checkout/changed_dependencies.ts";
import { findChangedDependencies } from "../../evidence/checkout/changed_dependencies.ts";
import type { ProjectCommands } from "../../evidence/runs/project_verification.ts";
import type { VerificationRun } from "../../evidence/runs/verification.ts";
import { pickLent } from "../../evidence/checkout/lend.ts";
import { keepFolders, listIgnored } from "../../git/trees/file_lists.ts";
import type { TestFinding } from "../../phase/check_findings.ts";
import type { ServerRun } from "../../phase/facts.ts";
import { DEPENDENCIES_CHANGED, IGNORED_CHANGED } from "../../phase/rules/test_findings.ts";
import { hasBranchFlow } from "../../phase/table/flags.ts";
import type { OpenSession, SessionContext } from "../context/sessions.ts";
import { createHash } from "node:crypto";
import { omitUndefined } from "../../base/text/json_record.ts";
import type { TreePath } from "../../base/paths.ts";
import type { CommandJudgement, RunVerdict } from "../../evidence/runs/judge_run.ts";
import { judgeRun } from "../../evidence/runs/judge_run.ts";
import {
  formatCommandLine,
  formatFailureLine,
  formatRestHint,
  formatSummary,
  listChangedTests,
} from "../../evidence/runs/run_formats.ts";
import { listUnmetRules } from "../../evidence/runs/unrun_checks.ts";
import { parseTestName } from "../../language/test_names.ts";
import { keepBinding } from "../../phase/stage_block.ts";
import { readCited } from "../look/cited_lines.ts";
import { readProjectLines } from "../look/disk_facts.ts";
import { buildLostFindings } from "../../evidence/tests/weakened_findings.ts";
import type { WorkflowDeps } from "../context/deps.ts";

/** What changed between the start of the session and that of the run; nothing in flows that commit nothing. */
export async function findDependencies(
  { repo }: Pick<SessionContext, "repo">,
  run: VerificationRun,
  { session: { state }, found }: {
    readonly session: OpenSession;
    readonly found: ProjectCommands;
  },
): Promise<readonly TestFinding[]> {
  if (!hasBranchFlow(state)) return [];
  const { place } = run;
  const ignored = place?.kind === "checkout" ? [] : await listIgnored(repo.worktree);
  const folders = place?.kind === "checkout"
    ? place.lent
    : pickLent(keepFolders(ignored), found.lend, repo.openedFor);
  const isMissed = place?.kind === "worktree" && place.differs;
  const others = isMissed ? listOthers(ignored, folders) : [];
  const find = async (paths: readonly string[]) =>
    await findChangedDependencies({
      worktree: repo.worktree,
      folders: paths,
      after: Date.parse(state.startedAt),
      before: Date.parse(run.startedAt),
    });
  const [dependencies, missed] = [await find(folders), await find(others)];
  return [
    ...dependencies.map((one) => buildFinding(DEPENDENCIES_CHANGED, one, READ)),
    ...missed.slice(0, MOST_MISSED).map((one) => buildFinding(IGNORED_CHANGED, one, MISSED)),
  ];
}

const READ = "files that git ignores were made or changed since the start, and the run read them";
const MISSED =
  "git ignores what was made or changed here since the start; the commands pass with it, and fail in a clean checkout, which has nothing of it";
/** Each is a question of its own (guessed). */
const MOST_MISSED = 10;

/** What no code of a project reads: files of the program, of editors and systems, logs, and counts of earlier runs. */
const NEVER_READ =
  /(?:^|\/)\.code-intel(?:\/|$)|(?:^|\/)(?:\.coverage(?:\..*)?|htmlcov|coverage|\.hypothesis|\.DS_Store|Thumbs\.db|\.idea|\.vscode|\.vs)\/?$|\.(?:log|swp)$/;

/** What is ignored beside the folders that are lent, and beside the program's own files. */
function listOthers(ignored: readonly string[], lent: readonly string[]): readonly string[] {
  return ignored.map((path) => path.replace(/\/$/, ""))
    .filter((path) => !lent.includes(path) && !NEVER_READ.test(path));
}

function buildFinding(
  kind: string,
  { folder, files, examples }: ChangedDependencies,
  why: string,
): TestFinding {
  const more = files > examples.length ? ` and ${files - examples.length} more` : "";
  return {
    id: `${kind} ${folder}`,
    what: `${why}: ${examples.join(", ")}${more}`.slice(0, 1_000),
  };
}

/** What the judgement depends on beside the run. */
export interface JudgeStepInput extends SessionContext {
  readonly found: ProjectCommands;
  readonly session: OpenSession;
  /** Files that the session changed, relative to the worktree. */
  readonly changed: readonly TreePath[];
  readonly toProject: (path: TreePath) => string;
}

const TAIL_CHARS = 1_500;
/** Where failures are named, their messages say more than the end of the output. */
const SHORT_TAIL_CHARS = 500;
const MOST_FAILURES = 10;
const MOST_TEST_FILES = 10;

/** Holds a run against the baseline run of the session, where that one is known. */
export async function judge(
  run: VerificationRun,
  input: JudgeStepInput,
): Promise<ServerRun> {
  const baseline = await findBaseline(input.deps, run.sessionId, input.found.hash);
  const { place, tests: found, mutants, said } = run;
  const known = run.isNearest === true ? undefined : baseline?.results;
  const before = known ?? run.untouched ?? null;
  const verdict = judgeRun({ baseline: before, run: run.results });
  const [differs, dependencies, ranLines, unrunRules] = await Promise.all([
    input.deps.verification.compareWithTrust(input.found),
    findDependencies(input, run, input),
    input.deps.addition("readRanLines")?.({
      ...input,
      run,
      project: input,
      state: input.session.state,
    }),
    findUnrunRules(input),
  ]);
  const judged = new Map(verdict.commands.map((command) => [command.name, command]));
  const tests = input.changed.filter((path) => parseTestName(path) !== null)
    .map((path) => input.toProject(path));
  return {
    verdict: verdict.verdict,
    failed: verdict.failed,
    stillRed: verdict.stillRed,
    isNothingNew: verdict.commands.every(({ verdict: one, isNothingNew }) =>
      one === "passed" || one === "still_red" || isNothingNew
    ),
    failureHash: verdict.failed.length === 0 ? null : hashFailures(run, verdict),
    lost: [
      ...verdict.commands.flatMap(({ name, lost }) => buildLostFindings(name, lost)),
      ...run.forms ?? [],
      ...dependencies,
    ],
    tree: input.session.state.workspace.hasGit ? run.treeAtStart : null,
    wrote: run.wrote.map(({ path }) => path),
    ...omitUndefined({ place, tests: found, mutants, said }),
    ...ranLines,
    ...(differs.length === 0 ? {} : { differsFromTrust: differs }),
    ...(unrunRules.length === 0 ? {} : { unrunRules }),
    results: run.results.map((result) =>
      buildCommandRun(result, { command: judged.get(result.name), tests })
    ),
  };
}

/** What the engine keeps of one command. */
function buildCommandRun(
  result: VerificationRun["results"][number],
  { command, tests }: {
    readonly command: CommandJudgement | undefined;
    /** Changed test files, relative to the project. */
    readonly tests: readonly string[];
  },
): ServerRun["results"][number] {
  const failures = command?.failures ?? [];
  const chars = failures.length > 0 ? SHORT_TAIL_CHARS : TAIL_CHARS;
  return {
    name: result.name,
    line: formatCommandLine(result),
    exitCode: result.exitCode,
    failure: result.failure,
    durationMs: result.durationMs,
    summary: formatSummary(result, command),
    failures: failures.slice(0, MOST_FAILURES).map(formatFailureLine),
    failureCount: failures.length,
    freshCount: command?.freshCount ?? 0,
    ...omitUndefined({ rest: formatRestHint(result) ?? undefined }),
    changedTests: listChangedTests(result.report, tests).slice(0, MOST_TEST_FILES),
    outputTail: result.outputTail.trim().slice(-chars),
    outputHash: result.outputHash,
  };
}

/** What the session's rules ask to be run, by their words and the lines that they cite, and no configured command runs. */
async function findUnrunRules(
  input: JudgeStepInput,
): Promise<readonly string[]> {
  const { found, session } = input;
  const rules = keepBinding(session.state.rules);
  if (rules.length === 0) return [];
  const { cited = {} } = await readCited(
    rules,
    (path) => readProjectLines(input, path),
  );
  const texts = rules.map(({ rule, source }) => ({ rule, source, line: cited[source] ?? "" }));
  const ran = [
    ...found.commands.flatMap(({ name, run }) => [name, run.join(" ")]),
    ...found.behind.map(({ text }) => text ?? ""),
  ];
  return listUnmetRules(texts, ran).map(({ source, asks }) => `${source} asks for ${asks}`);
}

/** What failed, as a hash: names and messages, or where none are known the output; without numbers and places. */
function hashFailures(run: VerificationRun, verdict: RunVerdict): string {
  const failed = verdict.commands.filter(({ verdict: one }) => one === "failed");
  const parts = failed.map(({ name, failures }) => {
    const result = run.results.find((one) => one.name === name);
    const said = failures.length > 0
      ? failures.map(formatFailureLine)
      : [`${result?.exitCode}`, result?.outputTail ?? ""];
    return [name, ...said].join("\n").replace(/\d+/g, "0");
  });
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}

/** The run on the untouched tree; one that a file was cleared before its end proves nothing. */
export async function findBaseline(
  { verification, store }: Pick<WorkflowDeps, "verification" | "store">,
  sessionId: string,
  commandsHash: string,
): Promise<VerificationRun | undefined> {
  const [runs, { records }] = await Promise.all([
    verification.runner.read(sessionId),
    store.readRecords(sessionId),
  ]);
  // Another process may have removed the file, but it cannot cancel a run of this one.
  const writtenAt = records.find((record) =>
    record.kind === "call" && record.tool === "check_write_target" && record.ok
  )?.at;
  return runs.findLast((other) =>
    other.kind === "baseline" && !other.wasCancelled && other.voided === null &&
    other.commandsHash === commandsHash &&
    (writtenAt === undefined || other.finishedAt <= writtenAt)
  );
}
