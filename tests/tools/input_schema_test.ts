/** The JSON Schema that clients are shown. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { findField, toInputSchema, toTypes } from "../../src/tools/input_schema.ts";
import { findTool } from "../../src/tools/tools.ts";
import type { ToolRow } from "../../src/tools/tool.ts";

function tool(name: string): ToolRow {
  const row = findTool(name);
  if (row === undefined) throw new Error(name);
  return row;
}

Deno.test("toInputSchema() shows what a call needs and leaves bounds to the check", () => {
  deepEqual(JSON.parse(JSON.stringify(toInputSchema(tool("add_explored_files")))), {
    type: "object",
    properties: {
      files: {
        type: "array",
        items: { type: "string" },
        description: "Files, folders; path:line: text",
      },
    },
    required: ["files"],
    additionalProperties: false,
  });
});

Deno.test("findField() and toTypes() follow a path into objects, lists and alternatives", () => {
  const schema = toInputSchema(tool("start_session"));
  equal(findField(schema, ["flags", "fast"])?.type, "boolean");
  equal(findField(schema, ["flags", "doc_research_prompts", 3])?.type, "string");
  equal(findField(schema, ["flags", "nothing"]), undefined);
  const pattern = findField(toInputSchema(tool("search_text")), ["pattern"]);
  deepEqual(toTypes(pattern ?? {}), ["string", "array"]);
});
