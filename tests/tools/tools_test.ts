/** Rules that hold for every row of TOOLS and for the listing as a whole. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { readArguments } from "../../src/tools/arguments.ts";
import { INSTRUCTIONS } from "../../src/mcp/protocol.ts";
import type { JsonSchema } from "../../src/tools/input_schema.ts";
import { buildInputSchema } from "../../src/tools/input_schema.ts";
import { findTool, listTools, TOOLS } from "../../src/tools/tools.ts";

const LISTING_BYTES = 16 * 1024;
/** The tools of the product, written by hand. */
const PLANNED_TOOLS = 21;
/** What a tool that is still to come may need; the present ones take about 800. */
const TOOL_BYTES = 700;
const DESCRIPTION_CHARS = 600;
const READ_ONLY = [
  "analyze_impact",
  "analyze_structure",
  "fetch_chunk_detail",
  "find_definitions",
  "find_references",
  "get_function_at_line",
  "get_symbols",
  "query",
  "review_changes",
  "search_files",
  "search_text",
  "semantic_search",
];

Deno.test("the listing of all tools is under 16 KB, with room for those to come", () => {
  const sizeBytes = new TextEncoder().encode(JSON.stringify(listTools())).length;
  const reservedBytes = (PLANNED_TOOLS - TOOLS.length) * TOOL_BYTES;
  ok(sizeBytes < LISTING_BYTES - Math.max(0, reservedBytes), `${sizeBytes} bytes`);
});

Deno.test("each tool is named as its file, verb first, and found under client prefixes", async () => {
  const files: string[] = [];
  for await (const { name } of Deno.readDir("src/tools/rows")) files.push(name);
  deepEqual(files.sort(), TOOLS.map(({ name }) => `${name}.ts`).sort());
  for (const row of TOOLS) {
    equal(findTool(`mcp__code-intel__${row.name}`), row);
    equal(findTool(`mcp__code_intel__${row.name}`), row);
  }
  equal(findTool("toString"), undefined);
});

Deno.test("each tool has a title and a description that fit into a client's view", () => {
  for (const { name, title, description } of TOOLS) {
    ok(title.length > 0 && title.length <= 60, name);
    ok(description.length >= 60 && description.length <= DESCRIPTION_CHARS, name);
  }
});

Deno.test("each tool takes an object without alternatives at its root and names nothing more", () => {
  for (const row of TOOLS) {
    const schema = buildInputSchema(row) as JsonSchema & Readonly<Record<string, unknown>>;
    equal(schema.type, "object", row.name);
    equal(schema["additionalProperties"], false, row.name);
    for (const word of ["anyOf", "oneOf", "allOf"]) equal(schema[word], undefined, row.name);
  }
});

Deno.test("each parameter says what it means, nested ones too", () => {
  const bare = TOOLS.flatMap((row) => findBare(buildInputSchema(row), row.name));
  deepEqual(bare, []);
});

Deno.test("the example of each tool is a right call", () => {
  for (const row of TOOLS) {
    const result = readArguments(row, row.example);
    deepEqual(result.kind === "refused" ? result.problems : [], [], row.name);
  }
});

Deno.test("each tool refuses an unknown parameter by name", () => {
  for (const row of TOOLS) {
    const result = readArguments(row, { ...row.example, no_such_parameter: 1 });
    deepEqual(
      result.kind === "refused" ? result.problems.map(({ code, at }) => [code, at]) : [],
      [["unknown_parameter", "no_such_parameter"]],
      row.name,
    );
  }
});

Deno.test("hints are truthful: only tools that change nothing are read-only", () => {
  const found = TOOLS.filter(({ hints }) => hints.readOnly).map(({ name }) => name).sort();
  deepEqual(found, READ_ONLY.filter((name) => findTool(name) !== undefined));
  for (const { name, hints } of TOOLS) ok(!(hints.readOnly && hints.destructive), name);
});

Deno.test("each read-only tool takes max_bytes", () => {
  const found = TOOLS.filter(({ hints }) => hints.readOnly)
    .filter((row) => buildInputSchema(row).properties?.["max_bytes"] === undefined);
  deepEqual(found.map(({ name }) => name), []);
});

/** The tools with which an agent begins something of its own accord. */
const BEGINNING = [
  "start_session",
  "submit_phase",
  "get_session_status",
  "query",
  "search_text",
  "search_files",
  "find_definitions",
  "find_references",
  "get_symbols",
  "analyze_impact",
  "check_write_target",
];

Deno.test("the instructions are under 2 KB, and their first line alone names the tools and when to use each", () => {
  ok(new TextEncoder().encode(INSTRUCTIONS).length < 2048);
  const [first = ""] = INSTRUCTIONS.split("\n");
  ok(first.length <= 512, String(first.length));
  for (const name of BEGINNING) ok(first.includes(name) && findTool(name) !== undefined, name);
});

function findBare(schema: JsonSchema, at: string): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const here = `${at}.${name}`;
    return [...(field.description === undefined ? [here] : []), ...findBare(field, here)];
  });
}
