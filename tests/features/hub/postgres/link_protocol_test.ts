/** Waiting of two threads for each other over shared memory. */
import { strictEqual as equal } from "node:assert/strict";
import { waitWhile } from "../../../../src/features/hub/postgres/link_protocol.ts";

Deno.test("waitWhile() goes on waiting when it is woken without a change", async () => {
  const memory = new SharedArrayBuffer(8);
  const head = new Int32Array(memory);
  // The other thread wakes this one again and again before it changes the number.
  const worker = new Worker(new URL("./waking_worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.onmessage = () => resolve();
  worker.postMessage(memory);
  await promise;
  waitWhile(head, 0, 0);
  equal(Atomics.load(head, 0), 1);
  worker.terminate();
});
