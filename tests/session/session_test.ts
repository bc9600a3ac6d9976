/** The id of a session and the form of its checkpoint. */
import {
  deepStrictEqual as deepEqual,
  match,
  notStrictEqual as notEqual,
  strictEqual as equal,
} from "node:assert/strict";
import type { SessionState } from "../../src/phase/state.ts";
import type { STATE_SHAPE } from "../../src/session/session.ts";
import {
  CHECKPOINT_FORMAT,
  createSessionId,
  isSessionId,
  parseCheckpoint,
} from "../../src/session/session.ts";
import { sampleState } from "./sample_state.ts";

Deno.test("createSessionId() writes UTC time and four random hex digits", () => {
  const clock = { now: () => new Date("2026-01-31T23:59:58.999-05:00") };
  const id = createSessionId(clock, () => new Uint8Array([0x0f, 0xa0]));
  equal(id, "session_20260201_045958_0fa0");
});

Deno.test("R38: two sessions started in one second get different ids", () => {
  const clock = { now: () => new Date("2026-01-31T14:25:30Z") };
  const ids = new Set(Array.from({ length: 20 }, () => createSessionId(clock)));
  notEqual(ids.size, 1);
  for (const id of ids) match(id, /^session_20260131_142530_[0-9a-f]{4}$/);
});

Deno.test("isSessionId() takes ids only, so that no other file name can be made of one", () => {
  const rows: readonly (readonly [text: string, expected: boolean])[] = [
    ["session_20260131_142530_9f3a", true],
    ["session_20260131_142530_9F3A", false],
    ["session_20260131_142530", false],
    ["../session_20260131_142530_9f3a", false],
    ["session_20260131_142530_9f3a/../../x", false],
    ["session_20260131_142530_9f3a\n", false],
    ["", false],
  ];
  for (const [text, expected] of rows) equal(isSessionId(text), expected, text);
});

const whole = () => ({
  format: CHECKPOINT_FORMAT,
  revision: 3,
  savedAt: "2026-01-31T14:25:30.000Z",
  state: sampleState() as unknown as Record<string, unknown>,
});

Deno.test("parseCheckpoint() gives back what was written, unknown fields included", () => {
  const value = { ...whole(), later: 1, state: { ...whole().state, later: { deep: [1] } } };
  const result = parseCheckpoint(JSON.parse(JSON.stringify(value)));
  deepEqual(result, { kind: "checkpoint", checkpoint: value });
});

Deno.test("R28: parseCheckpoint() names what is wrong with a file of another form", () => {
  const state = whole().state;
  const rows: readonly (readonly [value: unknown, reason: RegExp])[] = [
    [null, /not a JSON object/],
    [[], /not a JSON object/],
    [{}, /`format`/],
    [{ ...whole(), format: "1" }, /`format`/],
    [{ ...whole(), format: 0 }, /`format`/],
    [{ ...whole(), revision: 0 }, /^revision: /],
    [{ ...whole(), revision: undefined }, /^revision: /],
    [{ ...whole(), state: { ...state, stage: "READY" } }, /^state\.stage: /],
    [{ ...whole(), state: { ...state, sessionId: "../../etc" } }, /^state\.sessionId: /],
    [{ ...whole(), state: { ...state, tasks: [{ id: "a" }] } }, /^state\.tasks\.0\./],
    [{ ...whole(), state: { ...state, counters: {} } }, /^state\.counters\./],
    [toMoved({ evidence: "a.ts:1" }), /^state\.tasks\.0\.checklist\.0\.accepted\.tree: /],
    [{ ...whole(), state: { ...state, clearances: undefined } }, /^state\.clearances: /],
  ];
  for (const [value, reason] of rows) {
    const result = parseCheckpoint(value);
    equal(result.kind, "invalid", JSON.stringify(value));
    if (result.kind === "invalid") match(result.reason, reason);
  }
});

/** The whole with one item whose evidence has moved. */
function toMoved(accepted: Readonly<Record<string, string>>) {
  const item = { item: "x", status: "done", evidence: "a.ts:2", accepted };
  const [task] = sampleState().tasks;
  return { ...whole(), state: { ...whole().state, tasks: [{ ...task, checklist: [item] }] } };
}

Deno.test("parseCheckpoint() takes tasks of a time without carried evidence", () => {
  const { evidenceTree: _none, ...task } = sampleState().tasks[0] ?? {};
  const result = parseCheckpoint({ ...whole(), state: { ...whole().state, tasks: [task] } });
  equal(result.kind, "checkpoint");
  if (result.kind === "checkpoint") {
    equal(result.checkpoint.state.tasks[0]?.evidenceTree, null);
  }
  equal(parseCheckpoint(toMoved({ evidence: "a.ts:1", tree: "t" })).kind, "checkpoint");
});

Deno.test("parseCheckpoint() takes a state from before there was an evaluation, and none that is damaged", () => {
  const { risk: _risk, evaluation: _evaluation, unverifiedTools: _tools, ...old } = sampleState();
  equal(parseCheckpoint({ ...whole(), state: old }).kind, "checkpoint");
  const damaged = [{ risk: "high" }, { evaluation: { confidence: "low" } }, {
    unverifiedTools: { a: "Read" },
  }];
  for (const part of damaged) {
    equal(parseCheckpoint({ ...whole(), state: { ...old, ...part } }).kind, "invalid");
  }
});

Deno.test("parseCheckpoint() refuses a newer format by its number", () => {
  const format = CHECKPOINT_FORMAT + 1;
  deepEqual(parseCheckpoint({ ...whole(), format }), { kind: "newer", format });
});

Deno.test("parseCheckpoint() migrates an older format before it checks", () => {
  const { revision, ...old } = whole();
  const options = {
    target: 2,
    migrations: {
      1: (body: Readonly<Record<string, unknown>>) => ({ ...body, revision: body["count"] }),
    },
  };
  const result = parseCheckpoint({ ...old, format: 1, count: revision }, options);
  equal(result.kind, "checkpoint");
  if (result.kind === "checkpoint") equal(result.checkpoint.revision, 3);
});

Deno.test("the schema covers every field of the state", () => {
  type Unchecked = Exclude<keyof SessionState, keyof typeof STATE_SHAPE>;
  // Does not compile when a field of the state is missing from the schema.
  const isCovered: [Unchecked] extends [never] ? true : Unchecked = true;
  equal(isCovered, true);
});
