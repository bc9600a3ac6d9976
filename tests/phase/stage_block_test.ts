/** Rows of input and expected output for `src/phase/stage_block.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  buildStageContext,
  buildTaskList,
  buildTouchingFields,
  describeStage,
} from "../../src/phase/stage_block.ts";
import { toDoneTask, toState, toTask } from "./samples.ts";
import { BUILT_IN_CONTRACT } from "../../src/phase/contract/contract.ts";
import type { SessionState } from "../../src/phase/state.ts";
import { STAGES } from "../../src/phase/table/phases.ts";
import { STEP } from "../model/walk.ts";

const TASK = {
  ...toTask("task_1"),
  description: "Lock the login",
  checklist: [{ item: "Count failures in src/auth/login.ts", status: "pending" as const }],
};

const ROWS: readonly (readonly [rule: string, isShown: boolean])[] = [
  ["Services own business logic", true],
  ["Everything in src/auth/ is audited", true],
  ["src/auth/** has no default export", true],
  ["login.ts stays below 200 lines", true],
  ["*.ts files begin with a comment", true],
  ["*.css files use variables", false],
  ["Pages in src/ui/ have a title", false],
  ["report.py prints UTC", false],
  ["Short names, e.g. in 2.x, are spelled out (i.e. whole words)", true],
  ["Avoid ternary expressions (x if cond else y): use an explicit if/else block.", true],
  ["open(paths ...string) io.Writer is the signature, and io.close() is deferred", true],
];

for (const [rule, isShown] of ROWS) {
  Deno.test(`buildTouchingFields() ${isShown ? "shows" : "leaves out"} "${rule}"`, () => {
    const rules = [{ rule, source: "docs/rules.md:1" }];
    const slots = {
      target_feature: null,
      trigger_condition: null,
      observed_issue: null,
      desired_action: null,
    };
    const frame = { actionType: null, slots, targetSymbols: [], scope: null, constraints: [rule] };
    deepEqual(
      buildTouchingFields({ rules, tasks: [TASK], frame }),
      isShown
        ? { mandatory_rules: rules, constraints: [rule] }
        : { rules_of_other_files: [`${rule} (docs/rules.md:1)`] },
    );
  });
}

Deno.test("buildTouchingFields() shows the first words of what other files are to follow, and counts the rest", () => {
  const rules = Array.from({ length: 8 }, (_, at) => ({
    rule: `other${at}.py has one sentence for each of its exported functions and classes`,
    source: `docs/a.md:${at + 1}`,
  }));
  const { rules_of_other_files: shown } = buildTouchingFields({
    rules,
    frame: null,
    tasks: [TASK],
  }) as {
    readonly rules_of_other_files: readonly unknown[];
  };
  deepEqual(shown.map(String).filter((_, at) => at === 0 || at > 5), [
    "other0.py has one sentence for each of its exported functio… (docs/a.md:1)",
    "2 more: get_session_status has all.",
  ]);
});

Deno.test("buildTouchingFields() leaves out a rule that the request changes", () => {
  const rules = [{ rule: "Names end in ts", source: "docs/a.md:1", toChange: true as const }];
  deepEqual(buildTouchingFields({ rules, frame: null, tasks: [TASK] }), {});
});

const OFFERED = ["semantic_search", "analyze_impact", "check_write_target", "review_changes"];
const toBlock = (state: SessionState, offered: readonly string[] = OFFERED) =>
  describeStage(state, { contract: BUILT_IN_CONTRACT, offered, resources: [] });

/** Stages whose payload comes with what the server knows. */
const FILLED: readonly string[] = ["EXPLORATION", "READY_IMPL", "READY_COMPLETE", "PRE_COMMIT"];

const CALLS = /\b(start_session|submit_phase|get_session_status)\b/g;

/** Fields for which the sample's request gives no cause: it names no defect, and its frame no clause. */
const NEEDLESS = ["reproduced", "observed"];

for (const stage of STAGES) {
  Deno.test(`describeStage() of ${stage} says where the session is and names one next call`, () => {
    const isOver = stage === "SESSION_COMPLETE";
    const state = toState(stage, isOver ? { status: "ended", end: "merged" } : {});
    const block = toBlock(state);
    const step = isOver ? 19 : Number(STEP[stage]);
    const phase = stage.startsWith("READY_") ? "READY" : stage;
    deepEqual([block.session_id, block.phase, block.step, block.of, block.compaction_count], [
      "session_20261121_101500_3fa9",
      phase,
      step,
      19,
      0,
    ]);
    deepEqual([...new Set(String(block.instruction).match(CALLS))], [block.call]);
    equal(String(block.instruction).length <= 400, true);
    equal(JSON.stringify(block).length < 1_600, true);
    if (isOver) return;
    const form = BUILT_IN_CONTRACT[stage].expectedPayload;
    const fields = Object.keys(form).filter((field) => !NEEDLESS.includes(field));
    deepEqual(Object.keys(block.expected_payload as object), fields);
    if (!FILLED.includes(stage)) deepEqual(block.expected_payload, form);
    deepEqual(block.required_tools ?? [], BUILT_IN_CONTRACT[stage].requiredTools);
    equal("waived_tools" in block, false);
  });

  Deno.test(`describeStage() of ${stage} parked names the call that resumes it`, () => {
    const block = toBlock(toState(stage, { status: "parked" }));
    deepEqual([block.status, block.call], ["parked", "get_session_status"]);
    deepEqual(String(block.instruction).match(CALLS), ["get_session_status"]);
  });
}

Deno.test("describeStage() of step 15 says that the server runs commands only where there are some", () => {
  const row = { name: "test", run: ["true"], timeout_s: 1 };
  const fixed = { verify: [row], baseline: "off", faults: [] } as const;
  const withSome = toBlock(toState("POST_IMPL_VERIFY", { fixedVerify: fixed }));
  equal(String(withSome.instruction).includes("The server runs"), true);
  const without = toBlock(toState("POST_IMPL_VERIFY", { fixedVerify: { ...fixed, verify: [] } }));
  equal(String(without.instruction).includes("names no commands"), true);
});

Deno.test("describeStage() waives a required tool that the server cannot offer and says so", () => {
  const block = toBlock(toState("SEMANTIC"), ["search_text"]);
  deepEqual([block.required_tools, block.waived_tools], [undefined, ["semantic_search"]]);
  equal(/semantic_search/.test(String(block.instruction)), false);
  equal(/find_definitions/.test(String(block.instruction)), true);
});

Deno.test("describeStage() names the substeps of READY and the prompts of the project", () => {
  const substeps = (["READY_PLAN", "READY_IMPL", "READY_COMPLETE"] as const)
    .map((stage) => toBlock(toState(stage)).substep);
  deepEqual(substeps, ["plan", "implement", "complete"]);
  const block = describeStage(toState("READY_PLAN"), {
    contract: BUILT_IN_CONTRACT,
    offered: OFFERED,
    resources: [".code-intel/task_planning.md"],
  });
  deepEqual(block.resources, [".code-intel/task_planning.md"]);
});

Deno.test("R5: describeStage() of an escalation asks, offers the answers and names one call", () => {
  const escalation = { cause: "back_limit", message: `too often ${"x".repeat(9_000)}` } as const;
  const block = toBlock(toState("Q1", { escalation }));
  deepEqual([block.user_escalation, block.cause, block.call, block.phase], [
    true,
    "back_limit",
    "submit_phase",
    "Q1",
  ]);
  deepEqual(block.expected_payload, {
    user_decision: "continue | park | abandon",
    user_reason: "string",
  });
  deepEqual(String(block.instruction).match(CALLS), ["submit_phase"]);
  equal(String(block.instruction).length < 1_300, true);
});

const RULES = [{ rule: "Services own business logic", source: "docs/auth.md:12" }];
const TASKS = [toDoneTask("a"), toTask("b", { failureCount: 2, revertReason: "red" })];

Deno.test("buildStageContext() shows the rules in READY and in the quality review", () => {
  for (const stage of ["READY_PLAN", "QUALITY_REVIEW"] as const) {
    deepEqual(buildStageContext(toState(stage, { rules: RULES })).mandatory_rules, RULES);
  }
  deepEqual(buildStageContext(toState("Q1", { rules: RULES })), {});
});

Deno.test("buildStageContext() shows reason and tasks after a revert, so that nothing is remembered", () => {
  const context = buildStageContext(toState("READY_PLAN", { revertReason: "red", tasks: TASKS }));
  equal(context.revert_reason, "red");
  const [done, open] = buildTaskList(toState("READY_PLAN", { tasks: TASKS }));
  const { checklist: _items, ...short } = done ?? {};
  deepEqual(context.existing_tasks, [short, open], "what is completed stays by itself");
  const rules = [{ rule: "Services own logic", source: "docs/auth.md:1" }];
  const again = buildStageContext(toState("READY_PLAN", { tasks: TASKS, rules }));
  equal(again.mandatory_rules, undefined, "they came with the first plan");
});

Deno.test("buildStageContext() shows the next task, the open hypotheses and what failed", () => {
  const next = buildStageContext(toState("READY_IMPL", { tasks: TASKS })).next_task;
  equal((next as { readonly id: string }).id, "b");
  const hypotheses = ["tokens expire"];
  deepEqual(buildStageContext(toState("VERIFICATION", { hypotheses })), { hypotheses });
  deepEqual(
    buildStageContext(toState("VERIFY_INTERVENTION", { revertReason: "red", tasks: TASKS })),
    { failure: "red", failed_tasks: [{ id: "b", failure_count: 2 }] },
  );
});

Deno.test("buildStageContext() says nothing beside the question or after the end", () => {
  const escalation = { cause: "back_limit", message: "m" } as const;
  deepEqual(buildStageContext(toState("READY_IMPL", { tasks: TASKS, escalation })), {});
  deepEqual(buildStageContext(toState("READY_IMPL", { tasks: TASKS, status: "parked" })), {});
});

Deno.test("buildTaskList() shows counts and reasons only where there are some", () => {
  deepEqual(buildTaskList(toState("READY_PLAN", { tasks: TASKS })).map(Object.keys), [
    ["id", "description", "status", "checklist"],
    ["id", "description", "status", "checklist", "failure_count", "revert_reason"],
  ]);
});
