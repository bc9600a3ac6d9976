/** Rows of input and expected output for `src/phase/rules/finish_rules.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { ChangedFile, Facts } from "../../../src/phase/facts.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import type { Stage } from "../../../src/phase/table/phases.ts";
import {
  accept,
  CHANGE,
  PAYLOAD,
  settle,
  submit,
  toDoneTask,
  toRefusal,
  toState,
} from "../samples.ts";

const change = (path: string, rest: Partial<ChangedFile> = {}): ChangedFile => ({
  ...CHANGE,
  path,
  ...rest,
});
const THREE = [change("src/a.ts"), change("src/b.ts"), change("debug.txt", { kind: "added" })];

interface Refusal {
  readonly name: string;
  readonly stage: Stage;
  readonly payload: object;
  readonly facts?: Partial<Facts>;
  readonly problems: readonly string[];
}

const REFUSALS: readonly Refusal[] = [
  {
    name: "a failed task that does not exist",
    stage: "POST_IMPL_VERIFY",
    payload: { passed: false, failed_tasks: ["none"] },
    problems: ["unknown_task data.failed_tasks"],
  },
  {
    name: "passed, although tasks failed",
    stage: "POST_IMPL_VERIFY",
    payload: { passed: true, failed_tasks: ["task_1"] },
    problems: ["contradiction data.passed"],
  },
  {
    name: "a message that brings the server's own trailers",
    stage: "PRE_COMMIT",
    payload: { commit_message: "Do it\n\ncode-intel-verified: yes" },
    problems: ["trailer_reserved data.commit_message"],
  },
  {
    name: "R3: an empty list of reviewed files while files are changed",
    stage: "PRE_COMMIT",
    payload: { reviewed_files: [] },
    facts: { changes: THREE },
    problems: ["file_not_reviewed data.reviewed_files"],
  },
  {
    name: "R3: a partial list of reviewed files",
    stage: "PRE_COMMIT",
    payload: { reviewed_files: ["src/*.ts"] },
    facts: { changes: THREE },
    problems: ["file_not_reviewed data.reviewed_files"],
  },
  {
    name: "a file that was not changed, and a discard without a reason",
    stage: "PRE_COMMIT",
    payload: {
      reviewed_files: ["src/**", "other.ts", { path: "debug.txt", decision: "discard" }],
    },
    facts: { changes: THREE },
    problems: [
      "reason_missing data.reviewed_files[2].reason",
      "not_changed data.reviewed_files[1].path",
    ],
  },
  {
    name: "changes of the person in a file that only the session changed",
    stage: "PRE_COMMIT",
    payload: { include_person_changes: ["src/auth.ts"] },
    problems: ["not_shared data.include_person_changes"],
  },
  {
    name: "a file in which changes of session and person overlap, without the person's word",
    stage: "PRE_COMMIT",
    payload: {},
    facts: { changes: [change("src/auth.ts", { isShared: true })], inseparable: ["src/auth.ts"] },
    problems: ["person_changes_mixed data.include_person_changes"],
  },
];

for (const { name, stage, payload, facts, problems } of REFUSALS) {
  Deno.test(`decide() refuses at ${stage}: ${name}`, () => {
    const options = facts === undefined ? {} : { facts };
    const decision = submit(toState(stage), { ...PAYLOAD[stage], ...payload }, options);
    deepEqual(toRefusal(decision), problems);
  });
}

Deno.test("verifyIntervention() resets every failure count and takes the files back when asked", () => {
  const before = toState("VERIFY_INTERVENTION", {
    tasks: [toDoneTask("task_1", { failureCount: 3 })],
    counters: { verificationFailures: 2, interventions: 0, qualityReverts: 1, backs: 1 },
  });
  const payload = { ...PAYLOAD.VERIFY_INTERVENTION, restore_to: "baseline" };
  const first = submit(before, payload);
  deepEqual(first.kind === "perform" ? first.effects : [], [
    { kind: "restore_tree", to: "baseline" },
  ]);
  const { state, reply } = accept(settle(first));
  deepEqual(state.counters, {
    verificationFailures: 0,
    interventions: 1,
    qualityReverts: 1,
    backs: 1,
  });
  deepEqual([state.stage, state.tasks[0]?.failureCount], ["READY_PLAN", 0]);
  deepEqual([reply.intervention_count, reply.failure_counts_reset], [1, true]);
});

Deno.test("R5: the second intervention asks the person instead of going back", () => {
  const counters = { verificationFailures: 0, interventions: 1, qualityReverts: 0, backs: 0 };
  const before = toState("VERIFY_INTERVENTION", { counters });
  const { state } = accept(submit(before, PAYLOAD.VERIFY_INTERVENTION));
  deepEqual([state.stage, state.escalation?.cause], ["VERIFY_INTERVENTION", "intervention_limit"]);
});

Deno.test("preCommit() decides by exact path before glob, the last entry wins, and rest fills up", () => {
  const { state } = accept(
    submit(toState("PRE_COMMIT", { begin: { flags: { no_verify: true } } }), {
      ...PAYLOAD.PRE_COMMIT,
      reviewed_files: ["src/*.ts", { path: "src/b.ts", decision: "discard", reason: "stray" }],
      rest: "discard",
    }, { facts: { changes: THREE } }),
  );
  deepEqual(state.review, [
    { path: "src/a.ts", decision: "keep", reason: null },
    { path: "src/b.ts", decision: "discard", reason: "stray" },
    { path: "debug.txt", decision: "discard", reason: "rest" },
  ]);
  deepEqual(state.prepared?.paths, ["src/a.ts"]);
});

const EFFECTS: readonly (readonly [
  name: string,
  flags: SessionState["flags"],
  discards: boolean,
  effects: readonly string[],
  stage: Stage,
])[] = [
  ["keeps all", {}, false, [], "QUALITY_REVIEW"],
  ["R1: keeps all without a quality review", { no_quality: true }, false, ["commit"], "MERGE"],
  ["R57: keeps all with fast", { fast: true }, false, ["commit"], "MERGE"],
  ["discards, and is verified again", {}, true, ["discard"], "POST_IMPL_VERIFY"],
  ["discards with fast", { fast: true }, true, ["discard"], "POST_IMPL_VERIFY"],
  ["discards without verification", { no_verify: true }, true, ["discard"], "QUALITY_REVIEW"],
  [
    "discards with neither",
    { no_verify: true, no_quality: true },
    true,
    ["discard", "commit"],
    "MERGE",
  ],
];

for (const [name, flags, discards, effects, stage] of EFFECTS) {
  Deno.test(`preCommit() ${name}`, () => {
    const files = discards
      ? ["src/**", { path: "debug.txt", decision: "discard", reason: "debug output" }]
      : ["**"];
    const first = submit(
      toState("PRE_COMMIT", { begin: { flags } }),
      { ...PAYLOAD.PRE_COMMIT, reviewed_files: files },
      { facts: { changes: THREE } },
    );
    deepEqual(first.kind === "perform" ? first.effects.map(({ kind }) => kind) : [], effects);
    equal(accept(first).state.stage, stage);
  });
}

Deno.test("preCommit() commits nothing when everything is discarded, and ends on the next call", () => {
  const before = toState("PRE_COMMIT", { begin: { flags: { no_verify: true, no_quality: true } } });
  const reviewed_files = [{ path: "**", decision: "discard", reason: "not wanted" }];
  const first = submit(before, { ...PAYLOAD.PRE_COMMIT, reviewed_files });
  deepEqual(first.kind === "perform" ? first.effects.map(({ kind }) => kind) : [], ["discard"]);
  const { state } = accept(first);
  equal(state.stage, "PRE_COMMIT");
  const facts = { changes: [], ownCommits: 0 };
  const last = submit(state, { ...PAYLOAD.PRE_COMMIT, reviewed_files: [] }, { facts });
  deepEqual(last.kind === "perform" ? last.effects : [], [{ kind: "remove_branch" }]);
  deepEqual(accept(last).state.end, "completed");
});

Deno.test("R34: qualityReview() commits before MERGE when it is clean and when it is forced", () => {
  for (const [qualityReverts, issues] of [[0, []], [2, ["a secret"]]] as const) {
    const counters = { verificationFailures: 0, interventions: 0, qualityReverts, backs: 0 };
    const payload = { ...PAYLOAD.QUALITY_REVIEW, issues };
    const first = submit(toState("QUALITY_REVIEW", { counters }), payload);
    deepEqual(first.kind === "perform" ? first.effects : [], [{ kind: "commit", verified: "no" }]);
    const { state, reply } = accept(first);
    equal(state.stage, "MERGE");
    equal(reply.forced_completion === true, issues.length > 0);
    equal(typeof reply.warning, issues.length > 0 ? "string" : "undefined");
    deepEqual(state.forced, issues.length > 0 ? issues : undefined);
  }
});

Deno.test("qualityReview() takes a forced completion back where a later review finds nothing", () => {
  const before = toState("QUALITY_REVIEW", { forced: ["a secret"] });
  deepEqual(accept(submit(before, PAYLOAD.QUALITY_REVIEW)).state.forced, []);
});

Deno.test("qualityReview() sends issues back to the plan, twice at most, and drops what was prepared", () => {
  const prepared = { message: "m", paths: ["a"], includePerson: [], hooksReviewed: false };
  const payload = { ...PAYLOAD.QUALITY_REVIEW, issues: ["a secret", { file: "a.ts" }] };
  const { state, reply } = accept(submit(toState("QUALITY_REVIEW", { prepared }), payload));
  deepEqual([state.stage, state.prepared, state.counters.qualityReverts], ["READY_PLAN", null, 1]);
  equal(state.revertReason, 'Quality issues: a secret; {"file":"a.ts"}');
  deepEqual([reply.sent_back, reply.quality_revert_count], [true, 1]);
});

Deno.test("merge() passes on what to do about a conflict", () => {
  for (const on_conflict of ["resolve", "park", undefined]) {
    const payload = on_conflict === undefined ? { summary: "s" } : { summary: "s", on_conflict };
    const first = submit(toState("MERGE"), payload);
    deepEqual(first.kind === "perform" ? first.effects : [], [
      { kind: "merge", onConflict: on_conflict ?? null },
    ]);
  }
});

const passed = (at: string) => ({
  at,
  passed: true,
  verifier: "npm test",
  details: "",
  failedTasks: [],
  source: "self-reported" as const,
});
const accepted = (at: string, source: "asked" | "relayed") => ({
  at,
  stage: "POST_IMPL_VERIFY" as const,
  decision: "accept",
  reason: "r",
  source,
});

Deno.test("preCommit() goes back to the verification when work changed since it passed", () => {
  const facts = { changedSinceVerified: ["src/auth.ts"] };
  const send = (rest: Partial<SessionState>) =>
    submit(toState("PRE_COMMIT", rest), PAYLOAD.PRE_COMMIT, { facts });
  const { state, reply } = accept(send({ verification: passed("1") }));
  deepEqual([state.stage, state.verification, state.prepared], ["POST_IMPL_VERIFY", null, null]);
  deepEqual(
    [reply.verification_void, reply.changed_since_verification],
    [true, ["src/auth.ts"]],
  );
  // Without a result, or with the person's word in its place, there is nothing to void.
  for (const rest of [{}, { verification: passed("1"), decisions: [accepted("2", "asked")] }]) {
    const { state } = accept(send(rest));
    equal(state.stage, "QUALITY_REVIEW");
  }
});

const SHARED = {
  path: "src/shared.ts",
  kind: "modified",
  isShared: true,
  personOid: "1",
} as const satisfies ChangedFile;

Deno.test("preCommit() verifies again where the person changed their part of what the commit takes along", () => {
  const others = ["src/shared.ts"];
  const send = (payload: object, rest: Partial<Facts> = {}) =>
    submit(
      toState("PRE_COMMIT", { verification: passed("1") }),
      { ...PAYLOAD.PRE_COMMIT, rest: "keep", ...payload },
      { facts: { changes: [CHANGE, SHARED], othersChanged: others, ...rest } },
    );
  const named = { include_person_changes: ["src/shared.ts"] };
  const word = { source: "asked", included: ["src/shared.ts"] } as const;
  for (const sent of [send(named), send({}, { word })]) {
    const { state, reply } = accept(sent);
    deepEqual([state.stage, state.verification], ["POST_IMPL_VERIFY", null]);
    deepEqual(reply.changed_since_verification, ["src/shared.ts"]);
  }
  // What stays out of the commit says nothing about its verification.
  equal(accept(send({})).state.stage, "QUALITY_REVIEW");
  equal(accept(send(named, { othersChanged: ["notes.txt"] })).state.stage, "QUALITY_REVIEW");
});

Deno.test("qualityReview() commits as verified only what was verified", () => {
  const prepared = {
    message: "m",
    paths: ["src/auth.ts", "src/shared.ts"],
    includePerson: ["src/shared.ts"],
    hooksReviewed: false,
  };
  const includedPerson = [{ path: SHARED.path, oid: SHARED.personOid }];
  const send = (facts: Partial<Facts>, rest: Partial<SessionState> = {}, payload = {}) =>
    submit(
      toState("QUALITY_REVIEW", { verification: passed("1"), prepared, includedPerson, ...rest }),
      { ...PAYLOAD.QUALITY_REVIEW, ...payload },
      { facts: { changes: [SHARED], ...facts } },
    );
  const VOID: readonly Partial<Facts>[] = [
    { changedSinceVerified: ["src/auth.ts"] },
    { othersChanged: ["src/shared.ts"] },
  ];
  for (const facts of VOID) {
    const { state, reply } = accept(send(facts));
    deepEqual([state.stage, state.verification], ["POST_IMPL_VERIFY", null]);
    equal(reply.verification_void, true);
    // Issues send the work back to where it is verified again in any case.
    equal(accept(send(facts, {}, { issues: ["a name"] })).state.stage, "READY_PLAN");
  }
  const FINE: readonly (readonly [Partial<Facts>, Partial<SessionState>])[] = [
    [{ changedSinceVerified: ["notes.txt"], othersChanged: ["src/auth.ts"] }, {}],
    [{ changedSinceVerified: ["src/auth.ts"] }, { verification: null }],
    [{ changedSinceVerified: ["src/auth.ts"] }, { decisions: [accepted("2", "asked")] }],
  ];
  for (const [facts, rest] of FINE) equal(send(facts, rest).kind, "perform");
});
