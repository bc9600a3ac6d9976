/** Replies in the form of the protocol. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { buildToolResult } from "../../src/mcp/tool_result.ts";

Deno.test("buildToolResult() is compact text, with isError exactly for refusals (R27)", () => {
  deepEqual(buildToolResult({ ok: true, total: 0 }), {
    content: [{ type: "text", text: '{"ok":true,"total":0}' }],
  });
  equal(buildToolResult({ ok: false, error: "x", message: "m" }).isError, true);
});
