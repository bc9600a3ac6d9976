/** Changed lines of two texts: rows that a person would read so, and random texts against a slow way. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { diffLines } from "../../src/ledger/line_diff.ts";

interface Row {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly ranges: readonly (readonly [number, number])[];
  readonly removals: readonly number[];
}

const ROWS: readonly Row[] = [
  { name: "the same", before: "a\nb\n", after: "a\nb\n", ranges: [], removals: [] },
  { name: "two empty texts", before: "", after: "", ranges: [], removals: [] },
  { name: "a new text", before: "", after: "a\nb\n", ranges: [[1, 2]], removals: [] },
  { name: "an emptied text", before: "a\nb\n", after: "", ranges: [], removals: [0] },
  {
    name: "a rewritten line",
    before: "a\nb\nc\n",
    after: "a\nx\nc\n",
    ranges: [[2, 2]],
    removals: [],
  },
  { name: "a removed line", before: "a\nb\nc\n", after: "a\nc\n", ranges: [], removals: [1] },
  { name: "a removed top", before: "a\nb\n", after: "b\n", ranges: [], removals: [0] },
  {
    name: "two places",
    before: "a\nb\nc\nd\ne\n",
    after: "a\nB\nc\nd\ne\nf\n",
    ranges: [[2, 2], [6, 6]],
    removals: [],
  },
  {
    name: "a place with and one without new lines",
    before: "a\nb\nc\nd\ne\n",
    after: "a\nc\nx\ne\n",
    ranges: [[3, 3]],
    removals: [1],
  },
  {
    name: "a lost last line break",
    before: "a\nb\n",
    after: "a\nb",
    ranges: [[2, 2]],
    removals: [],
  },
  {
    name: "other line breaks",
    before: "a\r\nb\n",
    after: "a\nb\n",
    ranges: [[1, 1]],
    removals: [],
  },
  {
    name: "a moved block as one removal and one addition",
    before: "x\na\nb\nc\n",
    after: "a\nb\nc\nx\n",
    ranges: [[4, 4]],
    removals: [0],
  },
];

for (const { name, before, after, ranges, removals } of ROWS) {
  Deno.test(`diffLines() tells ${name}`, () => {
    const found = diffLines(before, after);
    deepEqual(found.ranges.map(({ start, end }) => [start, end]), ranges);
    deepEqual(found.removals, removals);
  });
}

Deno.test("diffLines() calls everything between the same ends rewritten where too much differs", () => {
  const old = Array.from({ length: 2000 }, (_, at) => `old ${at}\n`).join("");
  const fresh = Array.from({ length: 2000 }, (_, at) => `new ${at}\n`).join("");
  const found = diffLines(`top\n${old}end\n`, `top\n${fresh}end\n`);
  deepEqual(found.ranges, [{ start: 2, end: 2001 }]);
});

Deno.test("diffLines() keeps as many lines as can be kept, in their order, in random texts", () => {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const toText = () => Array.from({ length: next(9) }, () => "abc"[next(3)] ?? "a");
  for (let round = 0; round < 3000; round++) {
    const [before, after] = [toText(), toText()];
    const { ranges } = diffLines(
      before.map((at) => `${at}\n`).join(""),
      after.map((at) => `${at}\n`).join(""),
    );
    const kept = after.filter((_, index) =>
      !ranges.some(({ start, end }) => start <= index + 1 && index + 1 <= end)
    );
    const shown = JSON.stringify({ before, after, ranges });
    ok(isPart(kept, before), shown);
    equal(kept.length, countCommon(before, after), shown);
  }
});

function isPart(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of whole) if (line === part[at]) at++;
  return at === part.length;
}

/** Length of the longest common part, the slow way. */
function countCommon(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const read = (x: number, y: number) => table[x]?.[y] ?? 0;
  for (let x = 1; x <= a.length; x++) {
    for (let y = 1; y <= b.length; y++) {
      const row = table[x];
      if (row === undefined) continue;
      row[y] = a[x - 1] === b[y - 1]
        ? read(x - 1, y - 1) + 1
        : Math.max(read(x - 1, y), read(x, y - 1));
    }
  }
  return read(a.length, b.length);
}

Deno.test("diffLines() gives each hunk its place in both texts, as a patch names it", () => {
  const rows: readonly (readonly [before: string, after: string, hunks: readonly string[]])[] = [
    ["a\nb\nc\n", "a\nx\nc\n", ["2,1 2,1"]],
    ["a\nb\nc\n", "a\nc\n", ["2,1 1,0"]],
    ["a\nc\n", "a\nb\nc\n", ["1,0 2,1"]],
    ["a\nb\nc\nd\ne\n", "a\nc\nx\ne\n", ["2,1 1,0", "4,1 3,1"]],
    ["", "a\nb\n", ["0,0 1,2"]],
    ["a\n", "", ["1,1 0,0"]],
  ];
  for (const [before, after, expected] of rows) {
    const { hunks } = diffLines(before, after);
    deepEqual(
      hunks.map(({ oldStart, oldCount, newStart, newCount }) =>
        `${oldStart},${oldCount} ${newStart},${newCount}`
      ),
      expected,
      JSON.stringify([before, after]),
    );
  }
});
