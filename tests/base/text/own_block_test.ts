/** What `init` wrote into a file of the person is told from what the person wrote. */
import { strictEqual as equal } from "node:assert/strict";
import { blankOwnBlock, OWN_BLOCK } from "../../../src/base/text/document_files.ts";

Deno.test("blankOwnBlock() empties the block and keeps the number of each other line", () => {
  for (const end of ["\n", "\r\n"]) {
    const text = ["# Mine", OWN_BLOCK.begin, "ours", OWN_BLOCK.end, "mine"].join(end);
    equal(blankOwnBlock(text), ["# Mine", "", "", "", "mine"].join(end));
  }
});

Deno.test("blankOwnBlock() takes nothing out where the block does not end", () => {
  const text = `${OWN_BLOCK.begin}\nmine\n`;
  equal(blankOwnBlock(text), text);
});
