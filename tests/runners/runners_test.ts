/** Files that runs leave behind, and files that only look like them. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { isRunOutput } from "../../src/runners/runners.ts";

const OUTPUTS = [
  "__pycache__/a.cpython-312.pyc",
  "src/pkg/__pycache__/a.cpython-312.pyc",
  ".pytest_cache/v/cache/nodeids",
  "dist/index.js",
  "packages/a/dist/index.js",
  "target/debug/a",
  ".coverage",
  ".coverage.host.1",
  "coverage/lcov.info",
  "junit-report.xml",
  "tsconfig.tsbuildinfo",
  "a.egg-info/PKG-INFO",
];
const FILES = [
  "src/a.ts",
  "distance.ts",
  "src/build.ts",
  "targets/a.rs",
  "coverage.ts",
  "docs/output.md",
];

Deno.test("isRunOutput() knows what runners, compilers and bundlers leave behind", () => {
  deepEqual(OUTPUTS.filter((path) => !isRunOutput(path)), []);
  deepEqual(FILES.filter(isRunOutput), []);
});
