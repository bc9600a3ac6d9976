/** Near names for hints. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findNear } from "../../src/explore/near.ts";

Deno.test("findNear() gives the nearest first and nothing far off", () => {
  deepEqual(findNear("pyton", ["python", "go", "perl", "Pytho"]), ["python", "Pytho"]);
  deepEqual(findNear("zzzz", ["python", "go"]), []);
  deepEqual(findNear("x".repeat(1_000_000), ["python"]), []);
});
