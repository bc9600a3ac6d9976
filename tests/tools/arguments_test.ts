/** Input of calls: all problems at once, each with its place, and the tolerated forms. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import * as z from "zod";
import { readArguments } from "../../src/tools/arguments.ts";
import type { ToolRow } from "../../src/tools/tool.ts";

const ROW: ToolRow = {
  name: "probe",
  title: "Probe",
  description: "",
  needs: null,
  command: { name: "test", summary: "" },
  hints: { readOnly: true, destructive: false, idempotent: true },
  example: {},
  buildSchema: () =>
    z.strictObject({
      query: z.string().min(1).max(20).describe("What to look for"),
      mode: z.enum(["fast", "full"]).default("full").describe("How"),
      limit: z.int().min(1).max(10).optional().describe("How many"),
      data: z.record(z.string(), z.unknown()).optional().describe("Payload"),
      files: z.array(z.string().min(1)).max(3).optional().describe("Files"),
      pattern: z.union([z.string(), z.array(z.string()).max(2)]).optional().describe("Patterns"),
      flags: z.strictObject({ quick: z.boolean().optional().describe("Quick") }).optional()
        .describe("Flags"),
    }),
  run: () => Promise.reject(new Error("never run")),
};

function check(raw: unknown, expected: readonly (readonly [code: string, at: string])[]): void {
  const result = readArguments(ROW, raw);
  const problems = result.kind === "refused" ? result.problems : [];
  deepEqual(problems.map(({ code, at }) => [code, at]), expected.map((row) => [...row]));
}

Deno.test("readArguments() gives the input with defaults filled in", () => {
  deepEqual(readArguments(ROW, { query: "x" }), {
    kind: "input",
    input: { query: "x", mode: "full" },
  });
});

Deno.test("readArguments() names every problem of the input at once", () => {
  check({ mode: "fulll", limit: 0, fils: [], flags: { quik: true } }, [
    ["missing_field", "query"],
    ["invalid_value", "mode"],
    ["invalid_value", "limit"],
    ["unknown_parameter", "flags.quik"],
    ["unknown_parameter", "fils"],
  ]);
});

Deno.test("readArguments() gives each wrong value its code and place", () => {
  check({ query: 5 }, [["wrong_type", "query"]]);
  check({ query: null }, [["wrong_type", "query"]]);
  check({ query: "" }, [["invalid_value", "query"]]);
  check({ query: "x".repeat(21) }, [["too_long", "query"]]);
  check({ query: "x", mode: 3 }, [["wrong_type", "mode"]]);
  check({ query: "x", limit: 1.5 }, [["wrong_type", "limit"]]);
  check({ query: "x", files: ["a", 2, ""] }, [["wrong_type", "files[1]"], [
    "invalid_value",
    "files[2]",
  ]]);
  check({ query: "x", files: ["a", "b", "c", "d"] }, [["too_long", "files"]]);
  check({ query: "x", pattern: 3 }, [["wrong_type", "pattern"]]);
  check({ query: "x", pattern: ["a", "b", "c"] }, [["too_long", "pattern"]]);
  check({ query: "x", pattern: ["a", 1] }, [["wrong_type", "pattern[1]"]]);
});

Deno.test('readArguments() refuses "false" where a boolean belongs (R27: "false" was true)', () => {
  check({ query: "x", flags: { quick: "false" } }, [["wrong_type", "flags.quick"]]);
});

Deno.test("readArguments() reads objects and arrays that were sent as JSON text", () => {
  const result = readArguments(ROW, {
    query: "[1]",
    data: '{"a":1}',
    flags: '{"quick":true}',
    files: '["a"]',
    pattern: "[a]",
  });
  deepEqual(result.kind === "input" && result.input, {
    query: "[1]",
    mode: "full",
    data: { a: 1 },
    flags: { quick: true },
    files: ["a"],
    pattern: "[a]",
  });
  check({ query: "x", data: "{bad" }, [["wrong_type", "data"]]);
  check({ query: "x", data: "[1]" }, [["wrong_type", "data"]]);
});

Deno.test("readArguments() hints at the right name, value and meaning", () => {
  const result = readArguments(ROW, { qury: "x", mode: "ful" });
  const hints = result.kind === "refused" ? result.problems.map(({ hint }) => hint ?? "") : [];
  match(String(hints[0] ?? ""), /`query` as a string \(What to look for\)/);
  match(String(hints[1] ?? ""), /fast, full.*Did you mean "full"/);
  match(String(hints[2] ?? ""), /Did you mean "query"/);
});

Deno.test("readArguments() refuses what is no object, and unsafe text before any schema", () => {
  equal(readArguments(ROW, [1]).kind, "refused");
  equal(readArguments(ROW, "text").kind, "refused");
  check({ query: "a\0b", limit: "x" }, [["invalid_value", "query"]]);
});
