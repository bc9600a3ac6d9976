/** The numbers of the steps, and that no text of the sources writes one itself. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { LAST_STEP, STEP, STEP_FIRST, STEP_NUMBER } from "../../src/base/steps.ts";
import { readSourceFiles } from "../tidy/source_files.ts";

Deno.test("a step has the number of its place", () => {
  deepEqual([STEP_NUMBER.START, STEP.PRE_COMMIT, STEP_FIRST.MERGE, LAST_STEP], [
    ...[1, "step 17", "Step 19", 19],
  ]);
});

Deno.test("no text writes the number of a step: it comes from the list", async () => {
  const isComment = (line: string) => /^\s*(?:\/\/|\*|\/\*)/.test(line);
  const found = (await readSourceFiles("src"))
    // Made from the rows of the tools.
    .filter(({ path }) => path !== "src/phase/table/tool_table.ts")
    .flatMap(({ path, text }) =>
      text.split("\n").filter((line) => !isComment(line) && /\bsteps? \d/i.test(line))
        .map((line) => `${path}: ${line.trim()}`)
    );
  deepEqual(found, [], "Name the step by `STEP` of src/base/steps.ts.");
});
