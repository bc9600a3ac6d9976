/** Values that complete the argument of a template; what resources hold is in protocol_test.ts. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { completeArgument, RESOURCE_TEMPLATES, RESOURCES } from "../../src/mcp/resources.ts";

const STAGE = { type: "ref/resource", uri: "code-intel://contract/{stage}" };

Deno.test("completeArgument() names the stages that begin so, in any case", () => {
  const check = (ref: { type: string; uri?: string }, name: string, value: string) =>
    completeArgument({ ref, argument: { name, value } }).completion.values;
  deepEqual(check(STAGE, "stage", "q"), ["QUERY_FRAME", "Q1", "Q2", "Q3", "QUALITY_REVIEW"]);
  deepEqual(check(STAGE, "stage", "SESSION_"), []);
  deepEqual(check(STAGE, "other", "q"), []);
  deepEqual(check({ type: "ref/prompt" }, "stage", "q"), []);
});

Deno.test("each resource has a description that says what is in it", () => {
  for (const { description, mimeType } of [...RESOURCES, ...RESOURCE_TEMPLATES]) {
    deepEqual([description.length > 60, mimeType], [true, "application/json"]);
  }
});
