/** What each effect means, as literals, and when a transition's effect has nothing to do. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { EffectInput, EffectKind } from "../../../src/phase/table/effects.ts";
import { buildEffects, EFFECTS, isLeavingOnly } from "../../../src/phase/table/effects.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import { EXITS, TRANSITIONS } from "../../../src/phase/table/transitions.ts";
import { toState, WORKSPACE } from "../samples.ts";

Deno.test("EFFECTS says of each effect what becomes of HEAD, of files, of hooks, and after a kill", () => {
  const rows = Object.entries(EFFECTS).map(([kind, row]) => [
    kind,
    row.head,
    ...(["bringsFiles", "runsHooks", "isResumed", "isLeaving"] as const).filter((key) => row[key]),
  ]);
  deepEqual(rows, [
    ["resolve_stale", "moves", "bringsFiles"],
    ["create_branch", "moves"],
    ["remove_branch", "moves", "bringsFiles"],
    ["restore_tree", "stays", "bringsFiles", "isResumed"],
    ["discard", "stays", "bringsFiles", "isResumed"],
    ["commit", "moves", "runsHooks", "isResumed"],
    ["merge", "moves", "bringsFiles", "runsHooks", "isResumed"],
    ["leave_branch", "may_move", "bringsFiles", "isLeaving"],
  ]);
});

Deno.test("every effect stands on a transition or a way out", () => {
  const used = new Set([...TRANSITIONS, ...EXITS].flatMap(({ does = [] }) => does));
  deepEqual(Object.keys(EFFECTS).filter((kind) => !used.has(kind as EffectKind)), []);
});

const BRANCH = { ...WORKSPACE, taskBranch: "llm_task_x" };
const ROWS: readonly (readonly [
  kind: EffectKind,
  rest: Partial<SessionState>,
  asked: EffectInput,
  expected: unknown,
])[] = [
  ["resolve_stale", {}, { choice: "merge" }, { kind: "resolve_stale", choice: "merge" }],
  ["create_branch", {}, {}, { kind: "create_branch" }],
  ["create_branch", { workspace: BRANCH }, {}, null],
  ["create_branch", { flags: { quick: true } }, {}, null],
  ["remove_branch", { workspace: BRANCH }, {}, { kind: "remove_branch" }],
  ["remove_branch", { workspace: WORKSPACE }, {}, null],
  ["restore_tree", {}, { restoreTo: "plan" }, { kind: "restore_tree", to: "plan" }],
  ["restore_tree", {}, {}, null],
  ["discard", {}, { discards: ["a.ts"] }, { kind: "discard", paths: ["a.ts"] }],
  ["discard", {}, { discards: [] }, null],
  ["commit", {}, {}, { kind: "commit", verified: "no" }],
  ["merge", {}, {}, { kind: "merge", onConflict: null }],
  ["merge", {}, { onConflict: "park" }, { kind: "merge", onConflict: "park" }],
  ["leave_branch", {}, {}, { kind: "leave_branch", restore: false }],
  ["leave_branch", {}, { restore: true }, { kind: "leave_branch", restore: true }],
  ["leave_branch", { workspace: { ...WORKSPACE, hasGit: false } }, {}, null],
];

for (const [kind, rest, asked, expected] of ROWS) {
  Deno.test(`${kind} with ${JSON.stringify({ ...rest, ...asked })} is ${JSON.stringify(expected)}`, () => {
    const state = toState("READY_PLAN", rest);
    deepEqual(buildEffects([kind], state, asked), expected === null ? [] : [expected]);
  });
}

Deno.test("isLeavingOnly() is false beside another effect, and for none", () => {
  equal(isLeavingOnly(["leave_branch"]), true);
  equal(isLeavingOnly(["leave_branch", "commit"]), false);
  equal(isLeavingOnly([]), false);
});
