/** Ranges that are wider than their work, and what is proposed instead. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { checkBounds } from "../../src/evidence/bounds.ts";

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
    changed,
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
