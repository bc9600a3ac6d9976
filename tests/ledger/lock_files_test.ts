/** Lock files follow from a cleared file in their folder, and nothing else does. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { createLockFileTest } from "../../src/ledger/ledger.ts";

Deno.test("createLockFileTest() takes lock files beside a cleared file that names dependencies", () => {
  const paths = [
    "package-lock.json",
    "web/package-lock.json",
    "web/yarn.lock",
    "web/package.json",
    "web/src/a.ts",
    "api/go.sum",
    "core/Cargo.lock",
  ];
  const follow = (...cleared: readonly string[]) =>
    paths.filter(createLockFileTest(new Set(cleared)));
  deepEqual(follow(), []);
  deepEqual(follow("src/a.ts"), []);
  deepEqual(follow("web/package.json"), ["web/package-lock.json", "web/yarn.lock"]);
  deepEqual(follow("api/go.mod", "core/Cargo.toml"), ["api/go.sum", "core/Cargo.lock"]);
});
