/** Rows of a value, a schema and what a person would read, for `src/base/text/fit_form.ts`. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { FormSchema } from "../../../src/base/text/fit_form.ts";
import { fitForm } from "../../../src/base/text/fit_form.ts";

const TEXT: FormSchema = { type: "string" };
const TEXTS: FormSchema = { type: "array", items: TEXT };
const PATHS: FormSchema = { type: "array", items: { type: "string", holds: "path" } };
const RESULT: FormSchema = {
  type: "string",
  enum: ["confirmed", "refuted"],
  words: { confirmed: ["true", "yes"], refuted: ["false"] },
};
const ROWS: FormSchema = {
  type: "array",
  items: {
    type: "object",
    properties: {
      path: { ...TEXT, aliases: ["file"] },
      decision: { type: "string", enum: ["keep", "discard"] },
      reason: { anyOf: [TEXT, { type: "null" }] },
    },
    required: ["path", "decision"],
  },
};
const PAYLOAD: FormSchema = {
  type: "object",
  properties: {
    explored_files: PATHS,
    findings: TEXTS,
    impact: { type: "object", properties: { decisions: ROWS }, required: ["decisions"] },
    observed: { type: "object", additionalProperties: TEXT },
    passed: { type: "boolean" },
    count: { anyOf: [{ type: "integer" }, { type: "null" }] },
    rest: { anyOf: [{ type: "string", enum: ["keep", "discard"] }, { type: "null" }], exact: true },
  },
};

const CASES: readonly (readonly [sent: unknown, schema: FormSchema, read: unknown])[] = [
  ["a.ts", TEXTS, ["a.ts"]],
  ["none", TEXTS, []],
  ["- one\n- two", TEXTS, ["one", "two"]],
  ["one\ntwo", TEXTS, ["one\ntwo"]],
  ['["a", "b"]', TEXTS, ["a", "b"]],
  ["[not json", TEXTS, ["[not json"]],
  [["a", null, " "], TEXTS, ["a"]],
  [["a", 3], TEXTS, ["a", "3"]],
  [null, TEXTS, []],
  [["a", "b"], TEXT, "a; b"],
  [3, TEXT, "3"],
  [true, TEXT, true],
  [[{ file: "a.ts", lines: "3-9", why: "it" }], PATHS, ["a.ts:3-9"]],
  [[{ file: "a.ts", line: 3, finding: "it adds" }], TEXTS, ["it adds (a.ts:3)"]],
  [[{ path: "a.ts", start_line: 3, end_line: 9 }], PATHS, ["a.ts:3-9"]],
  [{ "a.ts": 1 }, TEXTS, { "a.ts": 1 }],
  ["Yes.", { type: "boolean" }, true],
  ["true or false", { type: "boolean" }, "true or false"],
  [0, { type: "boolean" }, false],
  [2, { type: "boolean" }, 2],
  ["4", { type: "integer" }, 4],
  ["four", { type: "integer" }, "four"],
  ["Confirmed.", RESULT, "confirmed"],
  [true, RESULT, "confirmed"],
  ["confirmed: it is there", RESULT, "confirmed"],
  ["confirmed | refuted", RESULT, "confirmed | refuted"],
  ["not confirmed", RESULT, "not confirmed"],
  [{ "a.ts": "keep", "b.txt": "discard: debug output" }, ROWS, [
    { path: "a.ts", decision: "keep" },
    { path: "b.txt", decision: "discard", reason: "debug output" },
  ]],
  [{ file: "a.ts", decision: "Keep" }, ROWS, [{ path: "a.ts", decision: "keep" }]],
  [{ "a.ts": { decision: "keep" } }, ROWS, [{ path: "a.ts", decision: "keep" }]],
  [{ decisions: { "a.ts": "keep" } }, PAYLOAD, {
    impact: { decisions: [{ path: "a.ts", decision: "keep" }] },
  }],
  [{ impact: [{ path: "a.ts", decision: "keep" }] }, PAYLOAD, {
    impact: { decisions: [{ path: "a.ts", decision: "keep" }] },
  }],
  [{ observed: ["a clause: it shows", { clause: "b", showed: "c" }] }, PAYLOAD, {
    observed: { "a clause": "it shows", b: "c" },
  }],
  [{ exploredFiles: '["a.ts"]', finding: "x", notes: 1 }, PAYLOAD, {
    explored_files: ["a.ts"],
    findings: ["x"],
    notes: 1,
  }],
  [{ files: "a.ts", passed: "no", count: null }, PAYLOAD, {
    explored_files: ["a.ts"],
    passed: false,
    count: null,
  }],
  [{ rests: "keep", Rest: "discard" }, PAYLOAD, { rests: "keep", rest: "discard" }],
];

for (const [sent, schema, read] of CASES) {
  Deno.test(`fitForm() reads ${JSON.stringify(sent)} as ${JSON.stringify(read)}`, () => {
    deepEqual(fitForm(sent, schema).value, read);
    // What has the form already is left alone.
    deepEqual(fitForm(read, schema).value, read);
  });
}

Deno.test("fitForm() tells under which other names fields were sent", () => {
  deepEqual(fitForm({ files: "a", findings: ["b"] }, PAYLOAD).renamed, ["files → explored_files"]);
});
