/** Lines of every length together. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { createBackends } from "../../src/backends/detect.ts";
import { matchLines } from "../../src/backends/ripgrep_run.ts";
import { testNeeding } from "../support/needs.ts";

const RG = (await createBackends({ env: { get: () => undefined } }).rg()).path ?? "rg";

testNeeding(
  ["rg"],
  "matchLines() keeps the order of lines, and of a long one the first matches and their count",
  async () => {
    const query = {
      patterns: ["b"],
      caseSensitive: true,
      fixed: true,
      wholeWord: false,
      contextLines: 0,
    };
    const scope = { root: Deno.cwd(), files: [], offset: 0, maxResults: 9, timeoutMs: 300_000 };
    const long = "ab".repeat(150_000);
    const lines = ["b", "éb b", long, `${"a".repeat(250_000)}b`, "ab"];
    const found = await matchLines(RG, query, { scope, lines });
    deepEqual(
      found.map(({ line, ranges, rangeCount }) => [line, ranges.length, ranges.at(-1), rangeCount]),
      [
        [1, 1, [0, 1], undefined],
        [2, 2, [3, 4], undefined],
        [3, 400, [799, 800], 150_000],
        [4, 1, [250_000, 250_001], undefined],
        [5, 1, [1, 2], undefined],
      ],
    );
  },
);
