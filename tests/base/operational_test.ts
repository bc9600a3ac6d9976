/** Which failures have their cause in the system, and which are bugs. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { findOperational, isOfSystem } from "../../src/base/operational.ts";

const withCode = (code: string) => Object.assign(new Error("x"), { code });

Deno.test("isOfSystem() takes what the system refused, and no mistake of the program", () => {
  const rows: readonly (readonly [unknown, boolean])[] = [
    [withCode("ENOSPC"), true],
    [withCode("ENOENT"), true],
    [new Deno.errors.NotADirectory("x"), true],
    [new Deno.errors.BadResource("x"), false],
    [new Deno.errors.NotCapable("x"), false],
    [withCode("ERR_INVALID_ARG_TYPE"), false],
    [new TypeError("x is undefined"), false],
    [new Error("Invariant broken"), false],
    ["ENOSPC", false],
  ];
  for (const [failure, isSystem] of rows) equal(isOfSystem(failure), isSystem, String(failure));
});

Deno.test("findOperational() words what the system refused, and leaves a bug alone", () => {
  const { code, message } = findOperational(withCode("EROFS")) ?? {};
  deepEqual([code, message], ["io_failed", "Cannot reach a file: the file system is read-only"]);
  equal(findOperational(new Error("Invariant broken")), null);
});
