/** The JSON Schema that clients are shown. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { buildInputSchema, findField, listTypes } from "../../src/tools/input_schema.ts";
import { findTool } from "../../src/tools/tools.ts";
import type { ToolRow } from "../../src/tools/tool.ts";

function tool(name: string): ToolRow {
  const row = findTool(name);
  if (row === undefined) throw new Error(name);
  return row;
}

Deno.test("buildInputSchema() shows what a call needs and leaves bounds to the check", () => {
  deepEqual(JSON.parse(JSON.stringify(buildInputSchema(tool("add_explored_files")))), {
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

Deno.test("findField() and listTypes() follow a path into objects, lists and alternatives", () => {
  const schema = buildInputSchema(tool("start_session"));
  equal(findField(schema, ["flags", "fast"])?.type, "boolean");
  equal(findField(schema, ["flags", "doc_research_prompts", 3])?.type, "string");
  equal(findField(schema, ["flags", "nothing"]), undefined);
  const pattern = findField(buildInputSchema(tool("search_text")), ["pattern"]);
  deepEqual(listTypes(pattern ?? {}), ["string", "array"]);
});
