/** Ranges that are wider than their work, and what is proposed instead. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { checkBounds } from "../../src/evidence/claimed_work.ts";

const ABOUT = { isDocuments: false, isLayout: false };

function toLines(count: number): string {
  return Array.from({ length: count }, (_, at) => `a${at}();\n`).join("");
}

async function check(
  start: number,
  end: number,
  facts: {
    readonly text?: string;
    readonly changed?: readonly (readonly [number, number])[];
    readonly removedAt?: readonly number[];
  },
) {
  const { text = toLines(3000), changed = [], removedAt = [] } = facts;
  const claim = { at: "x", path: "a.ts", shown: "a.ts", about: ABOUT, start, end };
  const lines = text.split("\n").length - 1;
  return await checkBounds(claim, {
    text,
    lines,
    changed: changed.map(([first, last]) => ({ start: first, end: last })),
    removedAt,
    exists: true,
    change: "modified",
    modeChanged: false,
    isBinary: false,
    created: [],
    own: null,
  });
}

Deno.test("checkBounds() refuses a range with lines far from every change, and proposes the right ones", async () => {
  const [problem] = await check(1, 3000, { changed: [[1500, 1500]] });
  equal(problem?.code, "checklist_evidence_too_wide");
  match(String(problem?.hint), /^Send a\.ts:1500: /);
  const [several] = await check(1, 3000, { changed: [[10, 12], [2000, 2009]] });
  match(String(several?.hint), /^Send a\.ts:2000-2009 or a\.ts:10-12: .* several go into one text/);
  const [gap] = await check(1, 3000, { removedAt: [700] });
  match(String(gap?.hint), /^Send a\.ts:700-701: /);
});

Deno.test("checkBounds() takes a change with its surroundings, several near ones, and a whole new file", async () => {
  const rows: readonly (readonly [number, number, readonly (readonly [number, number])[]])[] = [
    [10, 10, [[10, 10]]],
    [1, 30, [[10, 10]]],
    [1, 100, [[15, 15], [50, 60], [95, 95]]],
    [1, 3000, [[1, 3000]]],
  ];
  for (const [start, end, changed] of rows) deepEqual(await check(start, end, { changed }), []);
  equal((await check(1, 100, { changed: [[10, 10], [95, 95]] })).length, 1);
});

Deno.test("checkBounds() takes the whole function that a change is in", async () => {
  const text = `function f() {\n${toLines(198)}}\n${toLines(300)}`;
  deepEqual(await check(1, 200, { text, changed: [[100, 100]] }), []);
  equal((await check(1, 400, { text, changed: [[100, 100]] })).length, 1);
});

Deno.test("checkBounds() takes twenty lines beside a change and no line more, on either side and between two", async () => {
  const rows: readonly (readonly [
    start: number,
    end: number,
    changed: readonly (readonly [number, number])[],
    problems: number,
  ])[] = [
    [80, 100, [[100, 100]], 0],
    [79, 100, [[100, 100]], 1],
    [100, 120, [[100, 100]], 0],
    [100, 121, [[100, 100]], 1],
    // Forty lines lie between them.
    [100, 141, [[100, 100], [141, 141]], 0],
    [100, 142, [[100, 100], [142, 142]], 1],
  ];
  for (const [start, end, changed, problems] of rows) {
    equal((await check(start, end, { changed })).length, problems, `${start}-${end}`);
  }
  // Changes are proposed as one range where no more than that lies between them.
  const hints = await Promise.all([520, 521].map(async (second) => {
    const [problem] = await check(1, 3000, { changed: [[500, 500], [second, second]] });
    return /^Send (\S+(?: or \S+)*): /.exec(String(problem?.hint))?.[1];
  }));
  deepEqual(hints, ["a.ts:500-520", "a.ts:500 or a.ts:521"]);
});
