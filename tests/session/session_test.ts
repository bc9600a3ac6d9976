/** The id of a session and the form of its checkpoint. */
import {
  deepStrictEqual as deepEqual,
  match,
  notStrictEqual as notEqual,
  strictEqual as equal,
} from "node:assert/strict";
import type { MigrateOptions, MigrationResult, STATE_SHAPE } from "../../src/session/session.ts";
import {
  CHECKPOINT_FORMAT,
  createSessionId,
  isSessionId,
  migrate,
  parseCheckpoint,
} from "../../src/session/session.ts";
import type { SessionState } from "../../src/phase/state.ts";
import { sampleState } from "./sample_state.ts";

const TABLE: MigrateOptions = {
  target: 3,
  migrations: {
    1: ({ name, ...rest }) => ({ ...rest, title: name }),
    2: (body) => ({ ...body, tags: [body["title"]] }),
  },
};

Deno.test("migrate() goes through every step in order, or says why not", () => {
  const rows: readonly (readonly [
    value: unknown,
    options: MigrateOptions,
    expected: MigrationResult,
  ])[] = [
    [{ format: 1, name: "a" }, TABLE, {
      kind: "body",
      body: { format: 3, title: "a", tags: ["a"] },
    }],
    [{ format: 2, title: "b" }, TABLE, {
      kind: "body",
      body: { format: 3, title: "b", tags: ["b"] },
    }],
    [{ format: 3, x: 1 }, TABLE, { kind: "body", body: { format: 3, x: 1 } }],
    [{ format: 4 }, TABLE, { kind: "newer", format: 4 }],
    [{ format: 1 }, { target: 2, migrations: {} }, {
      kind: "unknown",
      reason: "no migration leads from format 1 to 2",
    }],
    [{ format: 1.5 }, TABLE, {
      kind: "unknown",
      reason: "`format` is not a positive whole number",
    }],
    ["text", TABLE, { kind: "unknown", reason: "it is not a JSON object" }],
    [{ format: 2, a: 1 }, {}, { kind: "body", body: { format: 2, a: 1 } }],
    [{ format: 1, a: 1 }, {}, { kind: "body", body: { format: 2, a: 1 } }],
  ];
  for (const [value, options, expected] of rows) deepEqual(migrate(value, options), expected);
});

Deno.test("format 1 to 2: a pending or deferred decision keeps its changes under what was accepted", () => {
  const rest = {
    effects: [{ kind: "commit", verified: "yes" }],
    expected: { head: "c1" },
    reply: {},
  };
  const rows: readonly (readonly [outcome: string, patch: unknown, expected: string])[] = [
    ["reviewed", { review: [] }, "reviewed"],
    ["done", { summaries: {} }, "done"],
    // Leaving was told by the status alone.
    ["done", { status: "parked" }, "parked"],
    ["done", { status: "ended", end: "abandoned" }, "abandoned"],
    // One name for two things: nothing was committed after either.
    ["discarded", { review: [] }, "emptied"],
  ];
  for (const [outcome, patch, expected] of rows) {
    const old = { outcome, patch, ...rest };
    const accepted = { kind: "changes", outcome: expected, patch };
    for (const key of ["pending", "deferred"]) {
      deepEqual(migrate({ format: 1, state: { stage: "PRE_COMMIT", [key]: old } }), {
        kind: "body",
        body: { format: 2, state: { stage: "PRE_COMMIT", [key]: { ...rest, accepted } } },
      });
    }
  }
  const idle = { stage: "Q1", pending: null };
  deepEqual(migrate({ format: 1, state: idle }), {
    kind: "body",
    body: { format: 2, state: idle },
  });
});

Deno.test("format 1 to 2: a task of a merge conflict says so itself, no longer by its id", () => {
  const tasks = [{ id: "task_1" }, { id: "resolve_conflicts_1" }];
  const rows = [
    [{ conflictTreePaths: ["app/a.ts"] }, ["app/a.ts"]],
    [{}, []],
  ] as const;
  for (const [workspace, conflict] of rows) {
    deepEqual(migrate({ format: 1, state: { tasks, workspace } }), {
      kind: "body",
      body: {
        format: 2,
        state: { tasks: [{ id: "task_1" }, { id: "resolve_conflicts_1", conflict }], workspace },
      },
    });
  }
});

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
  const { risk: _risk, evaluation: _evaluation, ...old } = sampleState();
  equal(parseCheckpoint({ ...whole(), state: old }).kind, "checkpoint");
  const damaged = [{ risk: "high" }, { evaluation: { confidence: "low" } }];
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
