/** Changed lines that no recorded test runs: only of functions that were recorded as they are, in files that are as reported. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { findIdleLines } from "../../../src/features/report/idle_lines.ts";
import type { SeenSample } from "../../support/seen_runs.ts";
import { createSeen } from "../../support/seen_runs.ts";
import { createProject } from "../../workflow/project_fixture.ts";

const TEXT = `export function one() {
  return 1;
}
export function two() {
  return [3].map((n) => n + 2);
}
export const three = 3;
`;
const DIFF = `@@ -1,4 +1,7 @@
 export function one() {
-  return 0;
+  return 1;
 }
+export function two() {
+  return [3].map((n) => n + 2);
+}
+export const three = 3;
`;

async function find(sample: SeenSample | null, diff = DIFF) {
  await using project = await createProject({
    files: { "src/a.ts": TEXT },
    features: sample === null ? [] : [createSeen(sample)],
  });
  // The index has its time: on a busy machine a look at it would not wait.
  await project.services.index.sync({});
  const found = await findIdleLines(project.services, [{ path: "src/a.ts", diff }]);
  return found === null ? null : [found.recorded, found.files.get("src/a.ts")];
}

Deno.test("findIdleLines() names added lines of functions that no recorded test runs, and is silent else", async () => {
  const ran = { "t.ts::t": ["src/a.ts one"] };
  const idle = ["src/a.ts two"];
  deepEqual(await find({ ran, idle }), ["recorded for 1 test", [4, 5, 6]]);
  deepEqual(await find({ ran: {}, idle: ["src/a.ts one"], loaded: idle }), [
    "recorded for 0 tests",
    [2],
  ]);
  // Another content ran, the function was not recorded, or the file is another one by now.
  deepEqual((await find({ ran, idle, changed: ["src/a.ts"] }))?.[1], undefined);
  deepEqual((await find({ ran }))?.[1], undefined);
  deepEqual((await find({ ran, idle }, DIFF.replace("n + 2", "n + 1")))?.[1], undefined);
  equal(await find(null), null);
});
