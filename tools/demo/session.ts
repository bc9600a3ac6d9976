/**
 * The session of the demo: what an agent would send, in order, each answer with what it must be. The
 * payloads are literal; the edits reach the disk without the server.
 */
import { join } from "node:path";
import type { Edit } from "./edits.ts";
import {
  ADD_RENEW,
  applyEdit,
  COUNT_RENEWALS,
  FIX_BOUND,
  runShell,
  SHELL_EDIT,
  SHOW_RENEWALS,
  STRAY_FILE,
  toEvidence,
  WEAKEN_TEST,
} from "./edits.ts";
import type { Journal, Reply } from "./journal.ts";
import { FIX_TASK, FRAME, readTasks, RENEWAL_TASK, REPORT_TASK, toPending } from "./plan.ts";

/** What the walk needs beside the journal. */
export interface WalkOptions {
  /** Absolute path of the sample project. */
  readonly root: string;
  /** Kills the server and starts another one; called in the middle of step 13. */
  readonly restart: () => Promise<void>;
}

/** The request of the person. */
export const REQUEST =
  "Let members renew a loan: add a renew function to loans.ts and show in the report how often a loan was renewed.";

/** Walks from the request to the merged commit. */
export async function walkSession(journal: Journal, options: WalkOptions): Promise<void> {
  await understand(journal);
  await explore(journal, options.root);
  await answerQuestions(journal);
  await plan(journal);
  await implementRenewal(journal, options.root);
  await implementReport(journal, options);
  await journal.submit("Both tasks are reported; nothing of the request is missing.", {}, {
    step: 15,
  });
  const reverted = await failVerification(journal);
  await fixBound(journal, { root: options.root, tasks: readTasks(reverted) });
  await verifyWeakened(journal);
  await review(journal);
  await finish(journal);
}

async function understand(journal: Journal): Promise<void> {
  await journal.call("start_session", { intent: "IMPLEMENT", query: REQUEST }, { step: 3 });
  await journal.call("search_files", { pattern: "docs/**" }, { check: ({ total }) => total === 1 });
  await journal.call("search_text", { pattern: "renew|loan", path: "docs" }, { check: hasResults });
  await journal.submit("The rules of the desk bind renewals: rules 3 to 5.", {
    documents_reviewed: ["docs/rules.md"],
    mandatory_rules: [
      { rule: "A loan may be renewed at most twice", source: "docs/rules.md:5" },
      { rule: "A late loan cannot be renewed", source: "docs/rules.md:6" },
      { rule: "A loan is never changed in place", source: "docs/rules.md:7" },
    ],
    no_documents_reason: null,
  }, { step: 4 });
  await journal.submit("A renewal is to be added and shown in the report.", FRAME, { step: 5 });
}

async function explore(journal: Journal, root: string): Promise<void> {
  await journal.call("find_definitions", { symbol: "Loan" }, { check: hasResults });
  await journal.call("find_references", { symbol: "Loan" }, { check: hasResults });
  await journal.call("find_references", { symbol: "dueOn" }, { check: hasResults });
  await journal.call("get_symbols", { path: "src/loans.ts" }, { check: hasResults });
  await journal.call("get_symbols", { path: "src/report.ts" }, { check: hasResults });
  await changeByShell(journal, root);
}

const FOUND = "A loan is made by lend() and printed by renderLine().";
const EXPLORED = {
  explored_files: ["src/loans.ts", "src/report.ts", "src/fees.ts", "tests/renewal_test.ts"],
  findings: [
    "lend() makes a loan and sets the due day (src/loans.ts:16)",
    "renderLine() prints a loan (src/report.ts:11)",
    "tests/renewal_test.ts waits for renew() (tests/renewal_test.ts:8)",
  ],
};

/** Changes a file by the shell where only looking is allowed; the next call finds it, and it is put back. */
async function changeByShell(journal: Journal, root: string): Promise<void> {
  const { path, script } = SHELL_EDIT;
  const before = await Deno.readTextFile(join(root, path));
  await runShell(root, script);
  if (await Deno.readTextFile(join(root, path)) === before) throw new Error("sed changed nothing");
  journal.note(`the agent runs sh -c "${script}"`);
  const refused = await journal.submit(FOUND, EXPLORED, { error: "unauthorized_change", step: 5 });
  const rows = readResolution(refused).map((row) => ({
    ...row,
    action: "restore",
    reason: "edited too early",
  }));
  await journal.submit(FOUND, { ...EXPLORED, change_resolution: rows }, { step: 6 });
  if (await Deno.readTextFile(join(root, path)) !== before) throw new Error(`${path} is changed`);
  journal.note(`${path} is as it was before`);
}

/** The rows of `change_resolution` as the hints of a refusal write them. */
function readResolution({ problems }: Reply): readonly Readonly<Record<string, unknown>>[] {
  return (problems as readonly { readonly hint?: string }[]).flatMap(({ hint = "" }) => {
    const form = /change_resolution (\[.*\])/.exec(hint)?.[1];
    if (form === undefined) throw new Error(`the hint shows no way out: ${hint}`);
    return JSON.parse(form);
  });
}

async function answerQuestions(journal: Journal): Promise<void> {
  await journal.submit("The places are known.", {
    needs_more_information: false,
    reason: "lend(), renderLine() and the waiting test name every place",
  }, { step: 8 });
  await journal.submit("One assumption about fees has not been looked at.", {
    has_unverified_hypotheses: true,
    reason: "a renewal moves the due day, and fees may hang on another day",
    hypotheses: ["Fees depend on the due day only"],
  }, { step: 9 });
  await journal.call("search_text", { pattern: "lentOn|dueOn", path: "src/fees.ts" }, {
    check: ({ total }) => total === 1,
  });
  await journal.submit("Fees read the due day and no other.", {
    hypotheses_verified: [{
      hypothesis: "Fees depend on the due day only",
      result: "confirmed",
      evidence: "src/fees.ts:10",
    }],
  }, { step: 10 });
  await journal.submit("The change stays in two files.", {
    needs_impact_analysis: false,
    reason: "a loan is only made in loans.ts, and its new field is only read in report.ts",
  }, { step: 12 });
}

async function plan(journal: Journal): Promise<void> {
  await journal.submit("Two tasks: the loan first, then the report.", {
    tasks: [toPending(RENEWAL_TASK), toPending(REPORT_TASK)],
  }, { step: 13, check: ({ tasks_registered }) => tasks_registered === 2 });
}

async function implementRenewal(journal: Journal, root: string): Promise<void> {
  await journal.call("check_write_target", { file_path: "src/members.ts" }, {
    error: "write_refused",
    check: ({ problems }) => JSON.stringify(problems).includes('"not_explored"'),
  });
  await journal.call("check_write_target", { file_path: "src/loans.ts" });
  await journal.call("check_write_target", {
    file_path: STRAY_FILE.path,
    allow_new_files: true,
  });
  await edit(journal, root, [...COUNT_RENEWALS, ADD_RENEW, STRAY_FILE]);
  const [counted, renewed, fees] = RENEWAL_TASK.checklist;
  const field = COUNT_RENEWALS[0]?.put.split("\n").slice(1).join("\n") ?? "";
  await journal.submit("A loan counts its renewals; renew() keeps rules 3 to 5.", {
    task_id: "task_1",
    checklist: [
      { item: counted, status: "done", evidence: await toEvidence(root, "src/loans.ts", field) },
      {
        item: renewed,
        status: "done",
        evidence: await toEvidence(root, "src/loans.ts", toFunction(ADD_RENEW)),
      },
      {
        item: fees,
        status: "skipped",
        reason: "fees follow the due day, which renew() moves (src/fees.ts:10)",
      },
    ],
  }, { step: 13 });
}

async function implementReport(journal: Journal, options: WalkOptions): Promise<void> {
  const { root } = options;
  await journal.call("check_write_target", { file_path: "src/report.ts" });
  await edit(journal, root, [SHOW_RENEWALS]);
  await options.restart();
  await journal.call("get_session_status", {}, { step: 13 });
  await journal.submit("The report shows renewals.", {
    task_id: "task_2",
    checklist: [{
      item: REPORT_TASK.checklist[0],
      status: "done",
      evidence: await toEvidence(root, "src/report.ts", SHOW_RENEWALS.put),
    }],
  }, { step: 14 });
}

/** The agent claims that all is well; the server runs the tests and finds the bug. */
async function failVerification(journal: Journal): Promise<Reply> {
  return await journal.submit("All is well.", CLAIM, {
    step: 12,
    check: ({ verified, verification_source, commands }) =>
      verified === false && verification_source === "server" &&
      JSON.stringify(commands).includes("renew() refuses a third time"),
  });
}

const CLAIM = {
  passed: true,
  verifier_used: "looked at it",
  failed_tasks: [],
  details: "no test was run by the agent",
};

async function fixBound(
  journal: Journal,
  options: { readonly root: string; readonly tasks: readonly unknown[] },
): Promise<void> {
  const { root, tasks } = options;
  await journal.submit("One task more: the bound of renew().", {
    tasks: [...tasks, toPending(FIX_TASK)],
  }, { step: 13 });
  await journal.call("check_write_target", { file_path: FIX_BOUND.path });
  await edit(journal, root, [FIX_BOUND]);
  await journal.call("search_text", { pattern: "renderReport", path: WEAKEN_TEST.path }, {
    check: hasResults,
  });
  await journal.call("check_write_target", { file_path: WEAKEN_TEST.path });
  await edit(journal, root, [WEAKEN_TEST]);
  await journal.submit("The third renewal is refused.", {
    task_id: "task_3",
    checklist: [{
      item: FIX_TASK.checklist[0],
      status: "done",
      evidence: await toEvidence(root, FIX_BOUND.path, FIX_BOUND.put),
    }],
  }, { step: 14 });
  await journal.submit("All three tasks are reported.", {}, { step: 15 });
}

async function verify(journal: Journal): Promise<void> {
  await journal.submit("The bound is right now.", CLAIM, {
    step: 17,
    check: ({ verified, verification_source }) =>
      verified === true && verification_source === "server",
  });
}

/** The agent claims that all is well, with a test for it; the server says that this test proves nothing. */
async function verifyWeakened(journal: Journal): Promise<void> {
  const reply = await journal.submit("All is well, and a test covers the list.", CLAIM, {
    step: 17,
    check: ({ verified, changed_tests_prove }) =>
      verified === true &&
      JSON.stringify(changed_tests_prove).includes(`${WEAKEN_TEST.path}: renderReport()`),
  });
  journal.note(`the server says: ${JSON.stringify(reply.changed_tests_prove)}`);
}

async function review(journal: Journal): Promise<void> {
  await journal.call("review_changes", {}, { check: ({ total_changes }) => total_changes === 4 });
  const kept = ["src/loans.ts", "src/report.ts"].map((path) => ({ path, decision: "keep" }));
  const stray = {
    path: STRAY_FILE.path,
    decision: "discard",
    reason: "scratch file of the exploration",
  };
  await journal.submit("Three files are the work; one is a leftover.", {
    ...toReview(),
    reviewed_files: [...kept, { path: WEAKEN_TEST.path, decision: "keep" }, stray],
  }, { error: "payload_mismatch", step: 17 });
  const weakened = {
    path: WEAKEN_TEST.path,
    decision: "discard",
    reason: "the test has to ask for the whole list, as before",
  };
  await journal.submit("Two files are the work; the test is put back as it was.", {
    ...toReview(),
    reviewed_files: [...kept, weakened, stray],
  }, { step: 15 });
  await verify(journal);
  await journal.call("review_changes", {}, { check: ({ total_changes }) => total_changes === 2 });
  await journal.submit("Only the work is left.", {
    ...toReview(),
    reviewed_files: ["src/loans.ts", "src/report.ts"],
  }, { step: 18 });
}

function toReview(): Readonly<Record<string, unknown>> {
  return {
    include_person_changes: [],
    commit_message: "Let members renew a loan\n\nAt most twice, and never when it is late.",
    review_prompt_used: "garbage_detection.md",
  };
}

async function finish(journal: Journal): Promise<void> {
  await journal.submit("Small, tested, and within the rules of the desk.", {
    quality_score: "good",
    issues: [],
    quality_prompt_used: "quality_review.md",
  }, { step: 19 });
  await journal.submit("Ready to merge.", { on_conflict: "resolve" }, {
    check: ({ phase }) => phase === "SESSION_COMPLETE",
  });
}

async function edit(journal: Journal, root: string, edits: readonly Edit[]): Promise<void> {
  for (const each of edits) await applyEdit(root, each);
  const paths = [...new Set(edits.map(({ path }) => path))];
  journal.note(`the agent writes ${paths.join(", ")}`);
}

/** The body of `renew` in the edit: from its comment to its closing brace. */
function toFunction(edit: Edit): string {
  const text = edit.put;
  return text.slice(text.indexOf("/** Renews"), text.indexOf("\n}\n") + 3);
}

function hasResults({ total }: Reply): boolean {
  return typeof total === "number" && total > 0;
}
