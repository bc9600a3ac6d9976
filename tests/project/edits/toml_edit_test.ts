/** What the parser judges before and after an edit of TOML. */
import { match, strictEqual as equal } from "node:assert/strict";
import { checkTomlEdit, hasTable, parseTomlText } from "../../../src/project/edits/block_edit.ts";

const TABLE = ["mcp_servers", "code-intel"];
const OURS = '\n[mcp_servers.code-intel]\ncommand = "c"\n';

Deno.test("checkTomlEdit() lets an edit pass that changes only our table", () => {
  for (const text of ["", "a = 1\n", "[mcp_servers.x]\ncommand = 'x'\n", "n = nan\ni = -inf\n"]) {
    equal(checkTomlEdit(text, text + OURS, TABLE), null, text);
  }
  equal(checkTomlEdit(`a = 1\n${OURS}`, "a = 1\n", TABLE), null);
});

Deno.test("checkTomlEdit() refuses what changes something foreign or cannot be read", () => {
  match(checkTomlEdit("a = 1\n", `a = 2\n${OURS}`, TABLE) ?? "", /no room/);
  match(checkTomlEdit("mcp_servers = {}\n", `mcp_servers = {}\n${OURS}`, TABLE) ?? "", /no room/);
  match(checkTomlEdit("a =\n", `a =\n${OURS}`, TABLE) ?? "", /line 1, column/);
});

Deno.test("hasTable() finds a table in each of its spellings", () => {
  for (
    const text of [
      "[mcp_servers.code-intel]\n",
      '[mcp_servers."code-intel"]\n',
      "mcp_servers.code-intel.command = 'x'\n",
      "mcp_servers = { code-intel = {} }\n",
    ]
  ) {
    const parsed = parseTomlText(text);
    equal(parsed.kind === "toml" && hasTable(parsed.value, TABLE), true, text);
  }
  const other = parseTomlText("[mcp_servers.x]\n");
  equal(other.kind === "toml" && hasTable(other.value, TABLE), false);
});
