/** The worker by its messages. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { ScanTask } from "../../src/backends/text_scan_core.ts";

Deno.test("the worker of the scan answers a task with its result", async () => {
  const url = new URL("../../src/backends/text_scan_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module" });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    worker.onmessage = (event) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(event.message));
    const task: ScanTask = {
      root: Deno.cwd(),
      files: [],
      query: {
        patterns: ["x"],
        fixed: false,
        caseSensitive: true,
        wholeWord: false,
        contextLines: 0,
      },
      expressions: [/x/gu],
      offset: 0,
      maxResults: 1,
    };
    worker.postMessage(task);
    deepEqual(await promise, { result: { matches: [], total: 0, files: 0 } });
  } finally {
    worker.terminate();
  }
});
