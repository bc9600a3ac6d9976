/** Arguments and batches of ripgrep. */
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { createBackends } from "../../src/backends/detect.ts";
import {
  buildArgs,
  keepRegularFiles,
  matchLines,
  runRipgrep,
  splitBatches,
} from "../../src/backends/ripgrep_run.ts";
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

Deno.test("splitBatches() cuts long lists into parts and loses no file", () => {
  const files = Array.from(
    { length: 30_000 },
    (_, index) => `some/folder/of/the/project/file_${index}.ts`,
  );
  const scope = { root: "/", files, offset: 0, maxResults: 1 };
  const batches = [...splitBatches(scope)].map(({ batch }) => batch);
  ok(batches.length > 1);
  deepEqual(batches.flat(), files);
  for (const batch of batches) ok(new TextEncoder().encode(batch.join("\0")).length < 1_000_000);
  equal([...splitBatches({ ...scope, files: [] })].length, 0);
  const walk = { folder: "src", unseen: ["src/x.log"], leftOut: 0 };
  deepEqual([...splitBatches({ ...scope, walk })], [{ batch: ["src", "src/x.log"], isWalk: true }]);
});

Deno.test("R51: buildArgs() joins each pattern to its option, so that none can become one", () => {
  const query = {
    patterns: ["-f/etc/passwd", "--pre=x"],
    caseSensitive: false,
    fixed: true,
    wholeWord: true,
    contextLines: 2,
  };
  const args = buildArgs(query);
  ok(args.includes("--regexp=-f/etc/passwd") && args.includes("--regexp=--pre=x"));
  for (
    const option of [
      "--no-config",
      "--ignore-case",
      "--fixed-strings",
      "--word-regexp",
      "--context=2",
    ]
  ) {
    ok(args.includes(option), option);
  }
});

Deno.test("each run of one search had the whole time: several runs share it", async () => {
  const root = await Deno.makeTempDir();
  const path = `${root}/slow`;
  await Deno.writeTextFile(path, "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
  const asked = { root, files: ["slow"], offset: 0, maxResults: 1, timeoutMs: 200 };
  const { scope } = keepRegularFiles(asked);
  await rejects(runRipgrep(path, [], { scope, batch: ["slow"] }), { code: "timed_out" });
  // The first run took the time that the search had; only what a run may take by itself is long.
  const rest = { ...scope, timeoutMs: 50_000 };
  await rejects(runRipgrep(path, [], { scope: rest, batch: ["slow"] }), { code: "timed_out" });
  ok(performance.now() - Number(scope.endsAtMs) < 40_000);
});
