/** The rule of step 15: what the server's run, or without one the client's report, says of the work. Pure. */
import { STEP } from "../../base/steps.ts";
import { clipLine } from "../../base/text/clip.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { CONDITIONS } from "../table/conditions.ts";
import type { CommandRun, Facts, ServerRun } from "../facts.ts";
import { limitLoop } from "../table/loops.ts";
import { findUnreported, formatGateReason, summariseMutants } from "./mutant_reports.ts";
import type { PayloadOf } from "../payload/payloads.ts";
import type { SessionState } from "../state.ts";
import type { FailedRun, VerificationResult } from "../verification_state.ts";
import { endAttempts } from "../valves.ts";
import {
  buildCoverageFields,
  buildUnrunFields,
  describeCoverage,
  isBelowBound,
  listRanTests,
  markRanItems,
} from "./ran_lines.ts";
import type { Rule, RuleContext, Verdict } from "./rule.ts";

type Payload = PayloadOf<"POST_IMPL_VERIFY">;

/** Step 15: the server's run is the verdict; where no command applies, the client's report. */
export const postImplVerify: Rule<"POST_IMPL_VERIFY"> = (payload, { state, facts }) => {
  const run = facts.serverRun ?? null;
  const problems = checkPayload(payload, state, run);
  if (problems.length > 0) return { problems };
  const verification = buildVerification(payload, run, { state, facts });
  const tasks = markRanItems(state.tasks, run?.ranItems ?? []);
  const announcement = run === null ? "" : formatAnnouncement(run, verification);
  const reply = {
    verified: verification.passed,
    verification_source: verification.source,
    ...buildRunFields(run),
    ...buildCoverageFields(run?.coverage, tasks),
    ...buildUnrunFields(run, state.verification),
    ...(run === null && CONDITIONS.only_verify.holds(state) ? { note: NOTHING_APPLIES } : {}),
    ...(announcement === "" ? {} : { announcement }),
  };
  if (!canCommit(payload, run, verification)) {
    const found = { run, verification, reply, announcement };
    return sendBack({ state: { ...state, tasks }, facts }, found);
  }
  const untold = findUnreported(state.verification?.mutants, run?.mutants);
  const patch = { tasks, verification, ...endAttempts(state) };
  if (untold.length === 0) return { outcome: "passed", patch, reply };
  // A gate: the commands passed, and the work goes back for tests of what none of them notices.
  const reason = formatGateReason(untold);
  const cause = { limits: facts.limits, reason, detail: reason, failedTasks: [] };
  const turn = limitLoop({ ...state, ...patch }, "failed", cause);
  return {
    outcome: turn.outcome,
    patch: { ...patch, ...turn.patch },
    reply: { ...reply, sent_back: turn.row.to !== "stay", reason },
  };
};

/** The work goes back to the plan, or where it failed too often to an intervention or the user. */
function sendBack(
  { state, facts }: RuleContext,
  { run, verification, reply, announcement }: {
    readonly run: ServerRun | null;
    readonly verification: VerificationResult;
    readonly reply: Readonly<Record<string, unknown>>;
    readonly announcement: string;
  },
): Verdict {
  const attempts = run === null ? null : addAttempt(state, run, facts.now);
  const reason = `Verification failed (${verification.verifier}): ${verification.details}`;
  const turn = limitLoop(state, "failed", {
    limits: facts.limits,
    reason,
    detail: reason,
    failedTasks: verification.failedTasks,
    isRun: run !== null,
  });
  const tried = attempts === null ? {} : { attempts };
  const patch = { tasks: state.tasks, verification, ...tried, ...turn.patch };
  const repeated = attempts === null ? "" : describeRepetition(attempts);
  // In a flow that ends with the verification, the work is not sent back.
  if (turn.row.to === "SESSION_COMPLETE") return { outcome: turn.outcome, patch, reply };
  return {
    outcome: turn.outcome,
    patch,
    reply: {
      ...reply,
      ...(repeated === "" ? {} : { announcement: `${announcement} ${repeated}` }),
      sent_back: turn.row.to !== "stay",
      // The output stands in `commands` already.
      reason: run === null ? reason : reason.split("\n")[0] ?? reason,
      ...(isOfChange(run) ? {} : { nothing_to_change: NOTHING_TO_CHANGE }),
    },
  };
}

/** Whether each failed command names a test that failed again: then it is not the environment. */
function isOfChange(run: ServerRun | null): boolean {
  const bad = run?.results.filter(({ name }) => run.failed.includes(name)) ?? [];
  return bad.length > 0 && bad.every(({ freshCount = 0 }) => freshCount > 0);
}

/** What keeps a payload from being judged: the first problem that is found, or what only the client can say. */
function checkPayload(
  payload: Payload,
  { tasks }: SessionState,
  run: ServerRun | null,
): readonly Problem[] {
  const failed = payload.failed_tasks ?? [];
  const known = new Set(tasks.map(({ id }) => id));
  const unknown = failed.filter((id) => !known.has(id));
  if (unknown.length > 0 && known.size > 0) {
    return [makeProblem("unknown_task", `failed_tasks names no task: ${unknown.join(", ")}`, {
      at: "data.failed_tasks",
      hint: `Registered tasks: ${[...known].join(", ")}; [] when the failure fits none.`,
    })];
  }
  if (run?.verdict === "incomplete") {
    return [makeProblem("verification_incomplete", "The commands did not run to their end", {
      at: "data.passed",
      hint: "Send the same payload again; they are run again.",
    })];
  }
  const unsaid = checkReported(payload, run);
  const isContrary = run === null && payload.passed === true && failed.length > 0;
  if (unsaid.length > 0 || !isContrary) return unsaid;
  return [makeProblem("contradiction", "passed is true although tasks failed", {
    at: "data.passed",
    hint: "Send passed false, or an empty failed_tasks.",
  })];
}

/** What only the client can say: all of it where no command ran, and its own verdict where the run proves nothing. */
function checkReported(payload: Payload, run: ServerRun | null): readonly Problem[] {
  const isOpen = run?.verdict === "unproven" && run.isNothingNew !== true;
  const fields = run === null ? ["passed", "verifier_used", "details"] : isOpen ? ["passed"] : [];
  const none = "No command of the project applies to the changed files";
  const why = run === null ? none : "The server's run proves nothing";
  return fields.filter((field) => (payload[field as keyof Payload] ?? null) === null).map((field) =>
    makeProblem("missing_field", `${why}, and ${field} is missing`, {
      at: `data.${field}`,
      hint:
        'Run the tests of the change yourself and send {"passed": true | false, "verifier_used": "npm test", "failed_tasks": [], "details": "output that matters"}.',
    })
  );
}

const NOTHING_APPLIES =
  "No verification command of the project applies to the changed files: this result is your own word.";
const NOTHING_TO_CHANGE =
  "Where no file is to be changed because the environment failed: mend it, plan a task with one item, " +
  `report the item as skipped with the reason, and come back to ${STEP.POST_IMPL_VERIFY}; the commands run again there.`;
const HEADLINE_CHARS = 400;
const CLEAN =
  " It ran in a clean checkout of what is to be committed: a file that git ignores is not there, save what was lent.";

/**
 * Whether the work goes on to the commit. A run that proves nothing does not count against the change: where it is
 * known that nothing new fails, the work goes on, else as the client says; the commit says `no`.
 */
function canCommit(
  payload: Payload,
  run: ServerRun | null,
  { passed }: VerificationResult,
): boolean {
  if (isBelowBound(run?.coverage)) return false;
  if (run?.verdict !== "unproven") return passed;
  return run.isNothingNew === true || payload.passed === true;
}

/** The server's own run decides; the client's report counts only where no command ran. */
function buildVerification(
  payload: Payload,
  run: ServerRun | null,
  { state, facts }: { readonly state: SessionState; readonly facts: Facts },
): VerificationResult {
  const shared = {
    at: facts.now,
    failedTasks: payload.failed_tasks ?? [],
    ranOn: run?.tree ?? null,
    ...(run?.wrote === undefined || run.wrote.length === 0 ? {} : { wrote: run.wrote }),
    tree: facts.tree ?? null,
    baselineTree: state.workspace.baselineTree,
  };
  if (run === null) {
    const { passed, verifier_used: verifier, details } = payload;
    return {
      ...shared,
      passed: passed === true,
      verifier: verifier ?? "",
      details: details ?? "",
      source: "self-reported",
    };
  }
  const { nothing = [], proving = 0 } = run.tests ?? {};
  return {
    ...shared,
    passed: (run.verdict === "passed" || run.verdict === "still_red") &&
      !isBelowBound(run.coverage),
    verifier: run.results.map(({ name }) => name).join(", "),
    details: formatDetails(run),
    source: SOURCES[run.verdict],
    ran: [...run.results.map(formatRunLine), ...summariseMutants(run.mutants)],
    ...(run.lost === undefined || run.lost.length === 0 ? {} : { lost: run.lost }),
    ...recordLocation(run.place),
    ...(nothing.length === 0 ? {} : { provesNothing: nothing }),
    ...(proving === 0 ? {} : { proving }),
    ...listRanTests(run),
    ...(run.said === undefined ? {} : { checks: run.said.checks }),
    ...(run.mutants === undefined ? {} : { mutants: run.mutants }),
    ...(run.coverage === undefined ? {} : { coverage: run.coverage }),
    ...(run.differsFromTrust === undefined ? {} : { differsFromTrust: run.differsFromTrust }),
    ...(run.unrunRules === undefined ? {} : { unrunRules: run.unrunRules }),
  };
}

function recordLocation(
  place: ServerRun["place"],
): Pick<VerificationResult, "checkout" | "inWorktree"> {
  if (place === undefined) return {};
  return place.kind === "checkout" ? { checkout: place.tree } : { inWorktree: place.why };
}

/** What ran, where, and what it proves, for the reply. */
function buildRunFields(run: ServerRun | null): Readonly<Record<string, unknown>> {
  if (run === null) return {};
  const { said, place, differsFromTrust: differs = [] } = run;
  return {
    commands: run.results.map((result) => buildCommandRow(run, result)),
    ...(said === undefined ? {} : { proof: said.line }),
    ...(said === undefined || said.findings.length === 0 ? {} : { proof_findings: said.findings }),
    ...buildLocationFields(place),
    ...(differs.length === 0 ? {} : { differs_from_trust: differs.slice(0, 10) }),
  };
}

/** Where the commands ran, for the reply: a clean checkout with nothing lent to it is the rule and not reported. */
function buildLocationFields(place: ServerRun["place"]): Readonly<Record<string, string>> {
  if (place?.kind === "worktree") return { ran_in: `the worktree. ${place.why}` };
  const lent = place?.lent.slice(0, 5) ?? [];
  return lent.length === 0 ? {} : { ran_in: `a clean checkout, lent: ${lent.join(", ")}` };
}

const SOURCES: Readonly<Record<ServerRun["verdict"], VerificationResult["source"]>> = {
  passed: "server",
  failed: "server",
  still_red: "baseline-red",
  unproven: "unproven",
  incomplete: "unproven",
};

/** One line a command: what ran and how it went. */
function formatRunLine(result: CommandRun): string {
  return clipLine(`${result.name}: ${result.summary ?? `exit code ${result.exitCode}`}`, 200);
}

/** What failed, and how its output ends; of a run without a failure what ran. */
function formatDetails(run: ServerRun): string {
  const bad = run.results.filter(({ name }) => run.failed.includes(name));
  if (bad.length === 0) {
    return [...run.results.map(formatRunLine), describeCoverage(run.coverage)].join("\n").trim();
  }
  return bad.map((result) => {
    const end = result.failure ?? `ended with ${result.exitCode ?? "no status"}`;
    const head = result.summary === undefined ? `${result.name} ${end}` : formatRunLine(result);
    return [`${head}:`, ...(result.failures ?? []), result.outputTail.trim()].join("\n").trim();
  }).join("\n");
}

/** What the next instruction begins with; empty where all went well. */
function formatAnnouncement(run: ServerRun, verification: VerificationResult): string {
  return [
    describeVerdict(run, verification),
    describeProof(run, verification),
    describeCoverage(run.coverage),
  ].filter((words) => words !== "").join(" ");
}

function describeVerdict(run: ServerRun, { passed }: VerificationResult): string {
  const told = run.results.filter(({ name }) =>
    run.verdict === "failed" ? run.failed.includes(name) : true
  );
  const lines = told.map((result) => {
    // What each failure said stands in `commands`.
    const first = run.verdict === "failed"
      ? (result.failures ?? []).slice(0, 3).map((text) => text.replace(/: .*$/s, ""))
      : [];
    return `${formatRunLine(result)}${first.length === 0 ? "" : ` [${first.join("; ")}]`}`;
  });
  const words = clipLine(lines.join(" | "), HEADLINE_CHARS);
  switch (run.verdict) {
    case "failed":
      return `The server's run FAILED: ${words}.${run.place?.kind === "checkout" ? CLEAN : ""}`;
    case "unproven":
      return `The server's run proves nothing: ${words}. The work counts as not verified, and the commit will say no.`;
    default:
      if (!passed) return "";
      if (run.verdict === "still_red") return `Nothing new fails: ${words}.`;
      return run.place?.kind === "worktree" && run.place.differs
        ? `It passes in the worktree alone, so the commit will say yes (worktree). ${run.place.why}.`
        : "";
  }
}

/** The verdict of a proof about a run in which nothing new fails; empty where there is nothing to look at. */
function describeProof({ said }: ServerRun, { passed }: VerificationResult): string {
  return passed && said?.isProven === false && said.findings.length > 0 ? `${said.line}.` : "";
}

/** The failed runs in a row with this one. */
function addAttempt(state: SessionState, run: ServerRun, at: string): readonly FailedRun[] {
  const { attempts = [] } = state;
  const known = attempts.flatMap(({ done }) => done);
  const done = state.tasks.filter(({ status }) => status === "completed").map((task) => {
    const places = task.checklist.flatMap(({ evidence }) => evidence ?? []);
    return clipLine(`${task.id} (${places.join(", ") || "no change"})`, 200);
  }).filter((text) => !known.includes(text));
  return [...attempts, { at, hash: run.failureHash ?? "", done }];
}

/** What is said when a run failed just as one before it did. */
function describeRepetition(attempts: readonly FailedRun[]): string {
  const last = attempts.at(-1);
  const first = attempts.findIndex(({ hash }) => hash !== "" && hash === last?.hash);
  if (last === undefined || first < 0 || first === attempts.length - 1) return "";
  const since = attempts.slice(first + 1)
    .map(({ done }, at) => `attempt ${first + at + 2}: ${done.join(", ") || "nothing new"}`);
  return clipLine(
    `It fails exactly as in attempt ${first + 1}, so this did not reach the cause: ${
      since.join("; ")
    }.`,
    HEADLINE_CHARS,
  );
}

/** A command for the reply: one line where it passed, else with what failed. */
function buildCommandRow(
  run: ServerRun,
  result: CommandRun,
): string | Readonly<Record<string, unknown>> {
  const { name, exitCode, failure, durationMs, outputTail, line } = result;
  const isBad = exitCode !== 0 || run.failed.includes(name);
  const fresh = result.freshCount ?? 0;
  const { failures = [], failureCount = 0, changedTests = [] } = result;
  if (!isBad && result.summary !== undefined) {
    return [`${name}: ${result.summary}`, ...changedTests].join("; ");
  }
  return {
    name,
    ...(line === undefined ? {} : { ran: line }),
    exit_code: exitCode,
    ...(result.summary === undefined ? { duration_ms: durationMs } : { result: result.summary }),
    ...(changedTests.length === 0 ? {} : { changed_tests: changedTests }),
    ...(result.rest === undefined ? {} : { did_not_run: result.rest }),
    ...(failure ? { failure } : {}),
    ...(failures.length === 0 ? {} : {
      failures: failures.map((text, at) => at < fresh ? `NEW ${text}` : text),
      ...(failureCount > failures.length ? { failures_total: failureCount } : {}),
    }),
    ...(isBad && !(run.verdict === "still_red") ? { output_tail: outputTail } : {}),
    ...(run.stillRed.includes(name) ? { red_before: true } : {}),
  };
}
