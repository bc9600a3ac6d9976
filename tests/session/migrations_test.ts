/** Steps from format to format, with tables made for the test. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { MigrateOptions, MigrationResult } from "../../src/session/session.ts";
import { migrate } from "../../src/session/session.ts";

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
