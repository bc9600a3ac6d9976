/** What is asked about file by file, and what in a group; nothing that the graph proves is left out. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { AffectedFile } from "../../../src/impact/affected.ts";
import type { LikelyFile } from "../../../src/impact/likely/likely_files.ts";
import { chooseDecisions } from "../../../src/impact/likely/find_likely.ts";

const isTest = (path: string) => path.startsWith("tests/");

function toFile(path: string, isMust = true): AffectedFile {
  return { path, isMust, isTest: isTest(path), edges: [], reasons: [] };
}

function toLikely(shares: Readonly<Record<string, number>>): LikelyFile[] {
  return Object.entries(shares).map(([path, share]) => ({
    path,
    share,
    reasons: ["3 of 4 commits"],
    features: {},
  }));
}

/** Each file as `path`, `path?` where it need not be decided about, `path (group)`. */
function decide(files: readonly AffectedFile[], likely: LikelyFile[], isWeighed: boolean) {
  return chooseDecisions({ files, likely, isWeighed, isTest }).map(({ path, isMust, group }) =>
    `${path}${isMust ? "" : "?"}${group === undefined ? "" : ` (${group})`}`
  );
}

Deno.test("chooseDecisions() lists what is likely, folds other proven users, and leaves none out", () => {
  const files = ["a", "b", "c", "tests/a", "tests/b"].map((path) => toFile(path));
  const likely = toLikely({ new: 0.5, b: 0.3, "tests/a": 0.04, a: 0.02, c: 0.01, "tests/b": 0.01 });
  deepEqual(decide([...files, toFile("d", false)], likely, true), [
    "new",
    "b",
    "d?",
    "tests/a (other tests)",
    "a (other users)",
    "c (other users)",
    "tests/b (other tests)",
  ]);
});

Deno.test("chooseDecisions() folds even a single user, which is seldom needed, and lists at most eight likely files", () => {
  deepEqual(decide([toFile("a"), toFile("tests/a")], toLikely({ x: 0.9 }), true), [
    "x",
    "a (other users)",
    "tests/a (other tests)",
  ]);
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, 0.08]));
  deepEqual(decide([], toLikely(many), true).length, 8);
});

Deno.test("chooseDecisions() asks about what the graph proves where likelihood is not known, the first eight by themselves", () => {
  deepEqual(decide([toFile("b"), toFile("a"), toFile("c", false)], toLikely({ x: 0.9 }), false), [
    "b",
    "a",
    "c?",
  ]);
  const files = Array.from({ length: 11 }, (_, at) => toFile(`f${at}`));
  deepEqual(decide(files, toLikely({ f10: 0.5 }), false), [
    ...[0, 1, 2, 3, 4, 5, 6, 10].map((at) => `f${at}`),
    ...[7, 8, 9].map((at) => `f${at} (other users)`),
  ]);
});
