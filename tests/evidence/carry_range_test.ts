/** Ranges over diffs: rows by hand, and random edits with git's own hunks. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { CarriedRange } from "../../src/evidence/carry.ts";
import { carryRange } from "../../src/evidence/carry.ts";
import type { LineChanges } from "../../src/git/trees/changed_lines.ts";
import { writeWorktreeTree } from "../../src/git/index/private_index.ts";
import { changedLines } from "../../src/git/trees/changed_lines.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { createTempRepo } from "../support/temp_repo.ts";

/** A hunk as git writes it: `-5,2 +6,0`. */
function toHunk(text: string) {
  const [, oldStart, oldCount, newStart, newCount] =
    /^-(\d+),(\d+) \+(\d+),(\d+)$/.exec(text)?.map(Number) ?? [];
  return {
    oldStart: oldStart ?? 0,
    oldCount: oldCount ?? 0,
    newStart: newStart ?? 0,
    newCount: newCount ?? 0,
  };
}

const ROWS: readonly (readonly [string, readonly string[], string])[] = [
  ["nothing changed", [], "kept 10-12"],
  ["lines came in above", ["-2,0 +3,4"], "kept 14-16"],
  ["lines went out above", ["-2,3 +1,0"], "kept 7-9"],
  ["lines changed below", ["-20,2 +20,5"], "kept 10-12"],
  ["lines came in directly above", ["-9,0 +10,2"], "changed 12-14"],
  ["lines came in directly below", ["-12,0 +13,2"], "changed 10-12"],
  ["lines came in between", ["-10,0 +11,2"], "changed 10-14"],
  ["its first line went out", ["-10,1 +9,0"], "changed 10-11"],
  ["its last line went out", ["-12,1 +11,0"], "changed 10-11"],
  ["its middle went out", ["-11,1 +10,0"], "changed 10-11"],
  ["its first line was rewritten as two", ["-10,1 +10,2"], "changed 10-13"],
  ["its last line was rewritten", ["-12,1 +12,1"], "changed 10-12"],
  ["a rewriting reached into it from above", ["-8,3 +8,1"], "changed 9-10"],
  ["a rewriting reached out of it below", ["-12,3 +12,9"], "changed 10-11"],
  ["all of it was rewritten", ["-10,3 +10,5"], "rewritten 10-14"],
  ["it was rewritten in two places", ["-10,1 +10,1", "-11,2 +11,1"], "rewritten 10-11"],
  ["all of it went out", ["-10,3 +9,0"], "gone"],
  ["all of it and more went out", ["-5,20 +4,0"], "gone"],
  ["a rewriting swallowed it", ["-9,5 +9,5"], "gone"],
  ["part went out and the rest was swallowed", ["-10,1 +9,0", "-11,4 +10,3"], "gone"],
];

for (const [when, hunks, expected] of ROWS) {
  Deno.test(`carryRange() answers ${expected} for lines 10-12 when ${when}`, () => {
    const carried = carryRange({ start: 10, end: 12 }, hunks.map(toHunk));
    equal(
      carried.kind === "gone" ? "gone" : `${carried.kind} ${carried.start}-${carried.end}`,
      expected,
    );
  });
}

/** A source of chance that gives the same numbers in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

/** The lines with some taken out, some rewritten, and some put in; no two lines are ever the same. */
function edit(lines: readonly string[], mark: string, random: (below: number) => number): string[] {
  const strength = 1 + random(6);
  let count = 0;
  const fresh = () => `${mark} ${count++}`;
  return lines.flatMap((line) => {
    if (random(12) >= strength) return [line];
    const added = Array.from({ length: random(3) }, fresh);
    return [added, [...added, line], [line, ...added], []][random(4)] ?? [];
  });
}

const FILES = 60;
const LINES = 30;

async function toTree(temp: TempRepo, files: readonly (readonly string[])[]): Promise<string> {
  const entries = files.map((
    lines,
    at,
  ) => [`f${at}.txt`, lines.map((line) => `${line}\n`).join("")]);
  await temp.write(Object.fromEntries(entries));
  const sessionId = "session_20260131_142530_9f3a";
  return (await writeWorktreeTree(temp.repo, { sessionId, maxFileMb: 50 })).tree;
}

Deno.test("carryRange() holds the surviving lines of the range, after any edits, and no other old line", async () => {
  await using temp = await createTempRepo({ files: {} });
  const random = createRandom(20_261_121);
  const first = Array.from(
    { length: FILES },
    (_, file) => Array.from({ length: LINES }, (_, line) => `${file} old ${line}`),
  );
  const second = first.map((lines) => edit(lines, "second", random));
  const third = second.map((lines) => edit(lines, "third", random));
  const trees = [
    await toTree(temp, first),
    await toTree(temp, second),
    await toTree(temp, third),
  ] as const;
  const near = await changedLines(temp.repo, trees[0], trees[1]);
  const on = await changedLines(temp.repo, trees[1], trees[2]);
  const far = await changedLines(temp.repo, trees[0], trees[2]);
  const seen = new Set<string>();
  for (const [at, lines] of first.entries()) {
    for (let count = 0; count < 40; count++) {
      const start = 1 + random(LINES);
      const range = { start, end: Math.min(LINES, start + random(6)) };
      const carry = (by: Map<string, LineChanges>, from: { start: number; end: number }) =>
        carryRange(from, by.get(`f${at}.txt`)?.hunks ?? []);
      const direct = carry(far, range);
      check(lines, range, third[at] ?? [], direct);
      const step = carry(near, range);
      check(lines, range, second[at] ?? [], step);
      seen.add(direct.kind).add(step.kind);
      if (step.kind === "gone") continue;
      const onward = carry(on, step);
      const left = survivors(lines.slice(range.start - 1, range.end), second[at] ?? []);
      const last = survivors(left, third[at] ?? []);
      const shown = toShown(onward, third[at] ?? []);
      deepEqual(last.filter((line) => !shown.includes(line)), [], "carried in two steps");
    }
  }
  deepEqual([...seen].toSorted(), ["changed", "gone", "kept", "rewritten"]);
});

function survivors(lines: readonly string[], text: readonly string[]): readonly string[] {
  const present = new Set(text);
  return lines.filter((line) => present.has(line));
}

function toShown(carried: CarriedRange, text: readonly string[]): readonly string[] {
  return carried.kind === "gone" ? [] : text.slice(carried.start - 1, carried.end);
}

function check(
  before: readonly string[],
  range: { readonly start: number; readonly end: number },
  text: readonly string[],
  carried: CarriedRange,
): void {
  const own = before.slice(range.start - 1, range.end);
  const shown = toShown(carried, text);
  const surviving = survivors(own, text);
  deepEqual(shown.filter((line) => own.includes(line)), surviving);
  deepEqual(shown.filter((line) => before.includes(line)), surviving, "no old line of others");
  const kinds = surviving.length > 0 ? ["kept", "changed"] : ["rewritten", "gone"];
  equal(kinds.includes(carried.kind), true, `${carried.kind} with ${surviving.length} survivors`);
  if (carried.kind === "kept") deepEqual(shown, own);
  if (carried.kind !== "gone") equal(shown.length > 0, true);
}
