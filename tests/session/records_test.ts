/** Lines of the records file, and what is read from them. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { CallEntry, SessionRecord } from "../../src/session/records.ts";
import {
  keepExploringCalls,
  keepStageCalls,
  listExploredFiles,
  parseRecord,
} from "../../src/session/records.ts";

const AT = "2026-01-31T14:25:30.000Z";

function call(rest: Partial<CallEntry> = {}): CallEntry {
  return {
    kind: "call",
    at: AT,
    visit: 1,
    stage: "EXPLORATION",
    tool: "search_text",
    argsHash: "0123456789abcdef",
    subject: "login",
    ok: true,
    total: 2,
    files: ["a.ts"],
    symbols: [],
    durationMs: 4,
    via: "mcp",
    ...rest,
  };
}

Deno.test("listExploredFiles() takes files of calls that succeeded and named paths, each once", () => {
  const records: readonly SessionRecord[] = [
    call({ files: ["b.ts", "a.ts"] }),
    call({ files: ["refused.ts"], ok: false }),
    { kind: "note", at: AT, code: "x", text: "c.ts" },
    { kind: "explored", at: AT, visit: 2, paths: ["a.ts", "d.ts"], via: "payload" },
  ];
  deepEqual(listExploredFiles(records), ["b.ts", "a.ts", "d.ts"]);
});

Deno.test("keepStageCalls() leaves out other visits and other kinds", () => {
  const records: readonly SessionRecord[] = [
    call({ visit: 1, subject: "old" }),
    { kind: "explored", at: AT, visit: 2, paths: [], via: "hook" },
    call({ visit: 2, subject: "new" }),
  ];
  deepEqual(keepStageCalls(records, 2).map(({ subject }) => subject), ["new"]);
});

Deno.test("keepExploringCalls() takes calls of the exploring steps of all visits that answered", () => {
  const records: readonly SessionRecord[] = [
    call({ visit: 1, stage: "DOCUMENT_RESEARCH", subject: "docs" }),
    call({ visit: 2, subject: "before the way back" }),
    call({ visit: 2, subject: "refused", ok: false }),
    ...["SEMANTIC", "VERIFICATION", "IMPACT_ANALYSIS"].map((stage) =>
      call({ visit: 4, stage: stage as CallEntry["stage"], subject: stage })
    ),
    call({ visit: 5, stage: "READY_PLAN", subject: "plan" }),
    call({ visit: 6, subject: "again" }),
    { kind: "note", at: AT, code: "x", text: "c.ts" },
  ];
  deepEqual(keepExploringCalls(records).map(({ subject }) => subject), [
    "before the way back",
    "SEMANTIC",
    "VERIFICATION",
    "IMPACT_ANALYSIS",
    "again",
  ]);
});

Deno.test("parseRecord() takes whole records of known kinds only", () => {
  const rows: readonly (readonly [value: unknown, isRecord: boolean])[] = [
    [call(), true],
    [call({ total: null }), true],
    [{ ...call(), later: 1 }, true],
    [{ kind: "explored", at: AT, visit: 2, paths: ["a"], via: "hook" }, true],
    [{ kind: "note", at: AT, code: "x", text: "y" }, true],
    [call({ defines: { "a.ts": ["login"] }, refers: {} }), true],
    [{ ...call(), defines: { "a.ts": "login" } }, false],
    [{ ...call(), refers: { "a.ts": [1] } }, false],
    [{ ...call(), refers: ["a.ts"] }, false],
    [{ ...call(), files: [1] }, false],
    [{ ...call(), ok: "true" }, false],
    [{ ...call(), at: undefined }, false],
    [{ kind: "note", at: AT, code: "x" }, false],
    [{ kind: "toString", at: AT }, false],
    [{ at: AT }, false],
    [null, false],
    [[], false],
  ];
  for (const [value, isRecord] of rows) {
    equal(parseRecord(value) !== undefined, isRecord, JSON.stringify(value));
  }
});
