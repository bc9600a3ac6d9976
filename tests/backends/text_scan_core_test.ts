/** The scan in the main thread. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { listHolding, runScan } from "../../src/backends/text_scan_core.ts";
import type { ScanTask } from "../../src/backends/text_scan_core.ts";

Deno.test("runScan() and listHolding() go through the files in the order of their paths", async () => {
  const root = await Deno.makeTempDir({ prefix: "code-intel-core-" });
  try {
    await Deno.writeTextFile(join(root, "b.txt"), "x\n\nx x\n");
    await Deno.writeTextFile(join(root, "a.txt"), "no\nx");
    const task: ScanTask = {
      root,
      files: ["b.txt", "a.txt", "gone.txt"],
      query: {
        patterns: ["x"],
        fixed: true,
        caseSensitive: true,
        wholeWord: false,
        contextLines: 0,
      },
      expressions: [/x/gu],
      offset: 1,
      maxResults: 1,
    };
    deepEqual(await runScan(task), {
      matches: [{ path: "b.txt", line: 1, text: "x", ranges: [[0, 1]] }],
      total: 3,
      files: 2,
    });
    deepEqual(await listHolding(task), ["a.txt", "b.txt"]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
