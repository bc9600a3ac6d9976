/** What counts as a sentence of a request. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { splitSentences } from "../../../src/base/text/sentences.ts";

Deno.test("splitSentences() joins the lines of a paragraph that its writer broke, and no others", () => {
  deepEqual(splitSentences("Until the\nfirst byte is written, nothing may be sent. Keep it so!"), [
    "Until the first byte is written, nothing may be sent",
    "Keep it so",
  ]);
  deepEqual(splitSentences("Add a button\nFix the form\n- one point,\n- another\n2. a third"), [
    ...["Add a button", "Fix the form", "one point,", "another", "a third"],
  ]);
  const long = `Each member who has a card and no open fine can ask for a book that ${
    "is ".repeat(3)
  }lent`;
  deepEqual(splitSentences(`${long}\nAnna gets it.`), [`${long} Anna gets it`]);
  deepEqual(splitSentences("Title\n\nbody of it"), ["Title", "body of it"]);
});

Deno.test("splitSentences() leaves out blocks of code, signs of headings, and lines without a letter", () => {
  deepEqual(splitSentences("# A title\nwith a text\n\n```js\nmust(not);\n```\n---\nEnd of it."), [
    ...["A title", "with a text", "End of it"],
  ]);
});
