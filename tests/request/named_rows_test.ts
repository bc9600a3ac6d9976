/** Rows that stand for what the session knows: `src/request/named_rows.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { parseSubmission } from "../../src/phase/payload/payloads.ts";
import type { ChecklistItem, Task } from "../../src/phase/tasks.ts";
import { fillKnown, findMeantText, readKnownRows } from "../../src/request/named_rows.ts";
import { toState } from "../phase/samples.ts";

const KNOWN = ["Add login() to src/auth.ts", "Test login() in tests/auth.ts", "Name it"];

const CASES: readonly (readonly [sent: string, meant: string | undefined])[] = [
  ["Name it", "Name it"],
  ["name it.", "Name it"],
  ["2", KNOWN[1]],
  ["#2", KNOWN[1]],
  ["Item 2", KNOWN[1]],
  ["2. Test login() in tests/auth.ts", KNOWN[1]],
  ["add `login()` to src/auth.ts", KNOWN[0]],
  ["Add login() to", KNOWN[0]],
  ["Add login() to src/auth.ts and export it", KNOWN[0]],
  ["Name", undefined],
  ["Add logout() to src/auth.ts", undefined],
  ["4", undefined],
];

for (const [sent, meant] of CASES) {
  Deno.test(`findMeantText() reads "${sent}" as ${meant}`, () =>
    equal(findMeantText(sent, KNOWN), meant));
}

Deno.test("findMeantText() decides nothing where two texts could be meant", () => {
  equal(findMeantText("Add a test of", ["Add a test of a", "Add a test of b"]), undefined);
});

function toTask(items: readonly string[], id = "task_1"): Task {
  const checklist = items.map((item): ChecklistItem => ({ item, status: "pending" }));
  const rest = { description: "d", failureCount: 0, revertReason: null, evidenceTree: null };
  return { id, status: "pending", checklist, ...rest };
}

Deno.test("readKnownRows() lets a report name items by their number, and say by evidence or reason what became of them", () => {
  const tasks = [toTask(["Add a", "Test a", "2", "4"])];
  const name = (checklist: readonly unknown[]) => {
    const data = {
      task_id: "task_1",
      checklist,
      summary: "done",
      tools_used: ["check_write_target"],
    };
    const { submission, problems } = readKnownRows(parseSubmission("READY_IMPL", data), {
      tasks,
      hypotheses: [],
    });
    deepEqual(problems, []);
    equal(submission?.kind, "payload");
    const sent =
      (submission as { readonly data: { readonly checklist: readonly ChecklistItem[] } }).data;
    return sent.checklist.map(({ item, status }) => `${item}: ${status}`);
  };
  deepEqual(
    name([
      { item: 1, evidence: "src/a.ts:1" },
      { item: "3", reason: "it is not wanted any more" },
      // A text of the plan is that text, also where it is a number.
      { item: "2", status: "done", evidence: "src/a.ts:2" },
      { item: "4", status: "skipped" },
      { item: 9 },
      "Test a",
    ]),
    ["Add a: done", "2: skipped", "2: done", "4: skipped", "9: pending", "Test a: pending"],
  );
});

Deno.test("readKnownRows() leaves further work beside the planned item whose words it repeats", () => {
  const planned = "Add login() to src/auth.ts";
  const rows = [planned, `${planned} and export it`];
  const data = { task_id: "Task-1", checklist: rows.map((item) => ({ item, evidence: "a.ts:1" })) };
  const { submission } = readKnownRows(parseSubmission("READY_IMPL", data), {
    tasks: [toTask([planned])],
    hypotheses: [],
  });
  const sent = (submission as { readonly data: typeof data }).data;
  deepEqual([sent.task_id, ...sent.checklist.map(({ item }) => item)], ["task_1", ...rows]);
});

Deno.test("readKnownRows() finds hypotheses and failed tasks by their words", () => {
  const state = { tasks: [toTask(["x"]), toTask(["y"], "task_2")], hypotheses: ["Tokens expire"] };
  const checked = { hypotheses_verified: [{ hypothesis: "H1", result: true, evidence: "a.ts:1" }] };
  const verified = readKnownRows(parseSubmission("VERIFICATION", checked), state).submission;
  equal(JSON.stringify(verified).includes('"hypothesis":"Tokens expire"'), true);
  const report = { passed: false, failed_tasks: "task_2 failed, for its test is red" };
  const failed = readKnownRows(parseSubmission("POST_IMPL_VERIFY", report), state).submission;
  deepEqual((failed as { readonly data: { readonly failed_tasks: unknown } }).data.failed_tasks, [
    "task_2",
  ]);
});

Deno.test("fillKnown() fills in the next task and the draft of the message, and nothing that was sent", () => {
  const tasks = [toTask(["x"])];
  const report = { checklist: [] };
  equal(fillKnown(toState("READY_IMPL", { tasks }), report)["task_id"], "task_1");
  deepEqual(fillKnown(toState("READY_IMPL", { tasks }), { taskId: "t", ...report }), {
    taskId: "t",
    ...report,
  });
  const state = toState("PRE_COMMIT", { query: "Let members renew a loan." });
  equal(fillKnown(state, { rest: "keep" })["commit_message"], "Let members renew a loan");
  equal(fillKnown(state, { message: "m" })["commit_message"], undefined);
  equal(fillKnown(state, { park: true, reason: "r" })["commit_message"], undefined);
});
