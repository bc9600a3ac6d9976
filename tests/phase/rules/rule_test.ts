/** Rows of input and expected output for `src/phase/rules/rule.ts`. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { checkPaths } from "../../../src/phase/rules/rule.ts";
import { toFacts, toLines } from "../samples.ts";

Deno.test("checkPaths() names each path that does not exist or lies outside, by its position", () => {
  const paths = ["src/auth.ts", "none.ts", "../up.ts", "src", "constructor"];
  deepEqual(toLines(checkPaths(paths, "data.explored_files", toFacts())), [
    "path_not_found data.explored_files[1]",
    "path_outside data.explored_files[2]",
    "path_not_found data.explored_files[4]",
  ]);
});
