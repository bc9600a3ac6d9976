/** Blocks between markers: append, find, replace, remove. */
import { strictEqual as equal } from "node:assert/strict";
import {
  appendBlock,
  findBlock,
  removeBlock,
  replaceBlock,
} from "../../../src/project/edits/block_edit.ts";

const MARKERS = { begin: "# begin", end: "# end" };

Deno.test("appendBlock() and removeBlock() are mirrors, whatever the text ends with", () => {
  for (
    const text of ["", "a", "a\n", "a\r\n", "a\r\nb", "\n\n", "\uFEFFa\n", "# begin of mine\n"]
  ) {
    const { text: after, lead } = appendBlock(text, MARKERS, "x\ny\n");
    const found = findBlock(after, MARKERS);
    equal(found.kind, "found", JSON.stringify(text));
    if (found.kind !== "found") continue;
    equal(found.block.body, "x\ny\n");
    equal(removeBlock(after, found.block, lead), text);
    if (text.includes("\r\n")) equal(/[^\r]\n/.test(after), false, "line ends are the text's own");
    const other = replaceBlock(after, MARKERS, { block: found.block, body: "z\n" });
    const again = findBlock(other, MARKERS);
    equal(again.kind === "found" && again.block.body, "z\n");
    equal(again.kind === "found" && removeBlock(other, again.block, lead), text);
  }
});

Deno.test("removeBlock() keeps what was written behind the block", () => {
  const { text, lead } = appendBlock("a\n", MARKERS, "x\n");
  const found = findBlock(`${text}\nmine\n`, MARKERS);
  equal(found.kind === "found" && removeBlock(`${text}\nmine\n`, found.block, lead), "a\n\nmine\n");
});

Deno.test("findBlock() refuses markers that do not pair up", () => {
  for (
    const text of ["# begin\n", "# end\n", "# end\n# begin\n", "# begin\n# end\n# begin\n# end\n"]
  ) equal(findBlock(text, MARKERS).kind, "fault", text);
  equal(findBlock("say # begin\n", MARKERS).kind, "none");
});
