/** What a payload's form has in it already, by state. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { fillPayload, listFollowing } from "../../../src/phase/payload/filled_payload.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import { STAGES } from "../../../src/phase/table/phases.ts";
import { toDoneTask, toState, toTask } from "../samples.ts";
import { BUILT_IN_CONTRACT } from "../../../src/phase/contract/contract.ts";

const FLAGS = toState("EXPLORATION").flags;

const ROWS:
  readonly (readonly [what: string, state: SessionState, following: readonly string[]])[] = [
    ["the documents with the frame", toState("DOCUMENT_RESEARCH"), ["QUERY_FRAME"]],
    ["an exploration with its questions and the plan", toState("EXPLORATION"), [
      "Q1",
      "Q2",
      "Q3",
      "READY_PLAN",
    ]],
    ["an investigation", toState("EXPLORATION", { intent: "INVESTIGATE" }), ["Q1", "Q2", "Q3"]],
    ["every optional step", toState("EXPLORATION", { gateLevel: "full" }), ["Q1"]],
    ["an open request", toState("EXPLORATION", { risk: "HIGH" }), []],
    ["the questions of an open request", toState("Q1", { risk: "HIGH" }), [
      "Q2",
      "Q3",
      "READY_PLAN",
    ]],
    ["a search by meaning with the questions behind it", toState("SEMANTIC"), [
      "Q2",
      "Q3",
      "READY_PLAN",
    ]],
    ["a checked hypothesis with the last question", toState("VERIFICATION"), ["Q3", "READY_PLAN"]],
    ["the review of an open request", toState("PRE_COMMIT", { risk: "HIGH" }), [
      "QUALITY_REVIEW",
      "MERGE",
    ]],
    [
      "the last task with completion and verification",
      toState("READY_IMPL", { tasks: [toDoneTask("task_1"), toTask("task_2")] }),
      ["READY_COMPLETE", "POST_IMPL_VERIFY"],
    ],
    [
      "the reports of all tasks",
      toState("READY_IMPL", { tasks: [toTask("task_1"), toTask("task_2")] }),
      ["READY_IMPL", "READY_COMPLETE", "POST_IMPL_VERIFY"],
    ],
    ["the review with its end", toState("PRE_COMMIT"), ["QUALITY_REVIEW", "MERGE"]],
    ["a fast one", toState("PRE_COMMIT", { flags: { ...FLAGS, fast: true } }), ["MERGE"]],
  ];

Deno.test("listFollowing() joins the check of what a frame leaves open, and names it", () => {
  const slot = { value: "kubernetes", quote: "login", source: "HYPOTHESIS" as const };
  const slots = {
    target_feature: null,
    trigger_condition: null,
    observed_issue: null,
    desired_action: slot,
  };
  const frame = { actionType: null, slots, targetSymbols: [], scope: null, constraints: [] };
  const following = listFollowing(toState("EXPLORATION", { frame }));
  deepEqual(following.map(({ stage }) => stage), [
    "Q1",
    "Q2",
    "VERIFICATION",
    "Q3",
    "READY_PLAN",
  ]);
  deepEqual(following[2]?.hypotheses, ['"login" means kubernetes (desired_action)']);
});

for (const [what, state, following] of ROWS) {
  Deno.test(`listFollowing() joins ${what}`, () => {
    deepEqual(listFollowing(state).map(({ stage }) => stage), following);
  });
}

Deno.test("listFollowing() joins nothing where a reply has to be read first, or an earlier row led", () => {
  const joining = STAGES.filter((stage) => listFollowing(toState(stage)).length > 0);
  deepEqual(joining, [
    "DOCUMENT_RESEARCH",
    "EXPLORATION",
    "SEMANTIC",
    "VERIFICATION",
    "READY_IMPL",
    "PRE_COMMIT",
  ]);
});

Deno.test("fillPayload() shows the next task with a row for each of its items", () => {
  const next = toTask("task_2");
  const state = toState("READY_IMPL", { tasks: [toDoneTask("task_1"), next] });
  const filled = fillPayload(state, BUILT_IN_CONTRACT.READY_IMPL);
  equal(filled.task_id, "task_2");
  deepEqual(
    (filled.checklist as { readonly item: number }[]).map(({ item }) => item),
    next.checklist.map((_item, at) => at + 1),
  );
});

Deno.test("fillPayload() drafts the commit message from the request and, where there are several, the tasks", () => {
  const query = "let members renew a loan. At most twice, please";
  const one = toState("PRE_COMMIT", { query, tasks: [toDoneTask("task_1")] });
  equal(fillPayload(one, BUILT_IN_CONTRACT.PRE_COMMIT).commit_message, "Let members renew a loan");
  const two = { ...one, tasks: [toDoneTask("task_1"), toDoneTask("task_2")] };
  const lines = String(fillPayload(two, BUILT_IN_CONTRACT.PRE_COMMIT).commit_message).split("\n");
  deepEqual([lines.length, lines[1]], [4, ""]);
  const long = { ...one, query: `${"word ".repeat(40)}` };
  equal(String(fillPayload(long, BUILT_IN_CONTRACT.PRE_COMMIT).commit_message).length <= 72, true);
});

Deno.test("fillPayload() drafts a subject that is a sentence, never a request that is cut", () => {
  const rows: readonly (readonly [query: string, subject: string])[] = [
    ["Let members renew a loan", "Let members renew a loan"],
    ["The report shows renewals twice", "Add the login"],
    ["renderLine returns null for a lost book", "Add the login"],
    ["Why is a loan renewed twice? Mend it", "Add the login"],
    ["When a book is lost, show it", "Add the login"],
    ["Errors of Bind name no field", "Add the login"],
    [
      "Loans are renewed twice. Refuse the second renewal of a loan.",
      "Refuse the second renewal of a loan",
    ],
    ["Loans are renewed twice. Stop it at once. Add tests for renewals.", "Add the login"],
    [
      "get_debug_flag should take a default that is used where the variable is unset, so that callers need no check",
      "Add the login",
    ],
    [
      "Show the number of renewals behind the title of each book in the report, because members ask for it every day",
      "Add the login",
    ],
  ];
  for (const [query, subject] of rows) {
    const done = { ...toDoneTask("task_1"), description: "Add the login" };
    const state = toState("PRE_COMMIT", { query, tasks: [done] });
    equal(fillPayload(state, BUILT_IN_CONTRACT.PRE_COMMIT).commit_message, subject);
  }
  const [query = ""] = rows.at(-1) ?? [];
  const tasks = [toDoneTask("task_1"), toDoneTask("task_2")];
  const several = fillPayload(
    toState("PRE_COMMIT", { query, tasks }),
    BUILT_IN_CONTRACT.PRE_COMMIT,
  );
  equal(
    String(several.commit_message).split("\n")[0],
    "Show the number of renewals behind the title of each book in the report",
  );
});

Deno.test("fillPayload() drafts a message of whole clauses and whole tasks, in lines as long as a subject", () => {
  const query =
    "Classify preflights by the standard, other requests reach the handler, tests included for each of them";
  const description =
    "Classify preflights by method, origin and the requested method, and pass every other request on";
  const tasks = ["task_1", "task_2"].map((id) => ({ ...toDoneTask(id), description }));
  const { commit_message: message } = fillPayload(
    toState("PRE_COMMIT", { query, tasks }),
    BUILT_IN_CONTRACT.PRE_COMMIT,
  );
  deepEqual(String(message).split("\n").slice(0, 4), [
    "Classify preflights by the standard, other requests reach the handler",
    "",
    "- Classify preflights by method, origin and the requested method, and",
    "  pass every other request on",
  ]);
});

Deno.test("fillPayload() names the hypotheses of step 9, so that they come back word for word", () => {
  const state = toState("VERIFICATION", { hypotheses: ["tokens expire"] });
  deepEqual(fillPayload(state, BUILT_IN_CONTRACT.VERIFICATION).hypotheses_verified, [
    { hypothesis: "tokens expire", result: "confirmed | refuted", evidence: "path:line" },
  ]);
});

Deno.test("fillPayload() leaves the subject to the agent where nothing says what is done", () => {
  const tasks = [toDoneTask("task_1"), toDoneTask("task_2")];
  const state = toState("PRE_COMMIT", { query: "The report is wrong", tasks });
  const { commit_message: message } = fillPayload(
    state,
    BUILT_IN_CONTRACT.PRE_COMMIT,
  );
  equal(message, BUILT_IN_CONTRACT.PRE_COMMIT.expectedPayload.commit_message);
});

Deno.test("fillPayload() asks for no report where the project has commands, and leaves what a contract adds", () => {
  const verify = [{ name: "test", run: ["deno", "test"], timeout_s: 60 }];
  const fixedVerify = { verify, baseline: "auto", faults: [] } as const;
  const state = toState("POST_IMPL_VERIFY", { fixedVerify });
  const row = BUILT_IN_CONTRACT.POST_IMPL_VERIFY;
  deepEqual(fillPayload(state, row), {});
  const counted = { ...state, compactionSeen: true, compactionCount: 3 };
  deepEqual(fillPayload(counted, row), { compaction_count: 3 });
  const own = { ...row, expectedPayload: { ...row.expectedPayload, ticket: "string, required" } };
  deepEqual(fillPayload(state, own), { ticket: "string, required" });
  equal(fillPayload(toState("POST_IMPL_VERIFY"), row).passed, "boolean");
});

Deno.test("fillPayload() gives the count back to who sent it, and the message that the agent sent before", () => {
  const sent = { commit_message: "Renew a loan once\n\nTwice is refused." };
  const state = toState("PRE_COMMIT", { query: "Let members renew a loan.", sent });
  const row = BUILT_IN_CONTRACT.PRE_COMMIT;
  const counted = fillPayload({ ...state, compactionSeen: true, compactionCount: 2 }, row);
  equal(counted.compaction_count, 2);
  equal(counted.commit_message, sent.commit_message);
  equal("compaction_count" in fillPayload(state, row), false);
});

Deno.test("fillPayload() leaves what the project's contract says", () => {
  const own = { ...BUILT_IN_CONTRACT.PRE_COMMIT.expectedPayload, commit_message: "TICKET-1: text" };
  const row = { ...BUILT_IN_CONTRACT.PRE_COMMIT, expectedPayload: own };
  equal(fillPayload(toState("PRE_COMMIT"), row).commit_message, "TICKET-1: text");
});
