/** Progress notifications: only on request, not too many, only forward. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createProgress } from "../../src/mcp/progress.ts";

Deno.test("createProgress() sends nothing without a token", () => {
  let count = 0;
  createProgress(undefined, () => (count++, Promise.resolve()))(1, 2, "x");
  equal(count, 0);
});

Deno.test("createProgress() sends at most four a second and only growing values", async () => {
  const sent: unknown[] = [];
  const progress = createProgress("t", ({ params }) => (sent.push(params), Promise.resolve()));
  for (let done = 0; done < 100; done++) progress(done, 100, "reading");
  deepEqual(sent, [{ progressToken: "t", progress: 0, total: 100, message: "reading" }]);
  await new Promise((resolve) => setTimeout(resolve, 260));
  progress(0, 100, "back");
  progress(50, null, "on");
  deepEqual(sent.slice(1), [{ progressToken: "t", progress: 50, message: "on" }]);
});
