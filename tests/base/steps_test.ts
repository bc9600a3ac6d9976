/** The numbers of the steps, and that no text of the sources writes one itself. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { LAST_STEP, STEP, STEP_FIRST } from "../../src/base/steps.ts";
import { readSourceFiles } from "../tidy/source_files.ts";

Deno.test("a step has the number of its place", () => {
  deepEqual([STEP.PRE_COMMIT, STEP_FIRST.MERGE, LAST_STEP], ["step 17", "Step 19", 19]);
});

Deno.test("no text writes the number of a step: it comes from the list", async () => {
  // The table of tools is made from their rows.
  const files = (await readSourceFiles("src")).filter(({ path }) => !/tool_table/.test(path));
  const found = files.flatMap(({ path, text }) =>
    [...text.matchAll(/^(?!\s*(?:\/\/|\*|\/\*)).*\bsteps? \d.*/gim)].map(([line]) => path + line)
  );
  deepEqual(found, [], "Name the step by `STEP` of src/base/steps.ts.");
});
