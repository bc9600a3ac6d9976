/** Progress notifications: only on request, not too many, only forward. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createProgress } from "../../src/mcp/progress.ts";

Deno.test("createProgress() sends nothing without a token", () => {
  let count = 0;
  const progress = createProgress(undefined, () => (count++, Promise.resolve()));
  progress.report(1, 2, "x");
  progress.stop();
  equal(count, 0);
});

Deno.test("createProgress() sends at most four a second and only growing values", async () => {
  const sent: unknown[] = [];
  const progress = createProgress("t", ({ params }) => (sent.push(params), Promise.resolve()));
  for (let done = 0; done < 100; done++) progress.report(done, 100, "reading");
  deepEqual(sent, [{ progressToken: "t", progress: 0, total: 100, message: "reading" }]);
  await new Promise((resolve) => setTimeout(resolve, 260));
  progress.report(0, 100, "back");
  progress.report(50, null, "on");
  deepEqual(sent.slice(1), [{ progressToken: "t", progress: 50, message: "on" }]);
  progress.stop();
});

Deno.test("createProgress() gives signs of life until it is stopped, and values still grow", async () => {
  const sent: { readonly progress: number; readonly message?: string }[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const progress = createProgress("t", ({ params }) => {
    sent.push(params);
    if (sent.length === 2) resolve();
    return Promise.resolve();
  }, { aliveMs: 20 });
  await promise;
  progress.report(1, 2, "reading");
  progress.stop();
  progress.report(2, 2, "too late");
  await new Promise((done) => setTimeout(done, 60));
  const values = sent.map((params) => params.progress);
  deepEqual(values, values.toSorted((one, other) => one - other));
  equal(sent.at(0)?.message, "working, 0 s");
  equal(sent.some(({ message }) => message === "too late"), false);
});
