/** How far lines are set in. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { indentOf } from "../../../src/base/text/position.ts";

Deno.test("indentOf() counts spaces, and a tab as four", () => {
  deepEqual(["", "a", "  a", "\ta", "  \t a", "   "].map(indentOf), [0, 0, 2, 4, 7, 3]);
});
