/** Every form of evidence, odd file names, and each rule about the place that it names. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { FileFacts } from "../../src/evidence/location.ts";
import {
  checkDistinct,
  checkLocation,
  formatLocations,
  parseLocation,
  parseLocations,
} from "../../src/evidence/location.ts";

const LINES: readonly (readonly [string, string, number, number])[] = [
  ["src/a.ts:3", "src/a.ts", 3, 3],
  ["src/a.ts:3-9", "src/a.ts", 3, 9],
  ["  src/a.ts:3-9\n", "src/a.ts", 3, 9],
  ["src/a b.ts:3", "src/a b.ts", 3, 3],
  ["app/[id].tsx:1-2", "app/[id].tsx", 1, 2],
  ["Makefile:7", "Makefile", 7, 7],
  ["a:3.ts:5", "a:3.ts", 5, 5],
  ["a:3:5", "a:3", 5, 5],
  ["a:3-4:5-6", "a:3-4", 5, 6],
  ["a:deleted:5", "a:deleted", 5, 5],
  ["src/ログイン.ts:1", "src/ログイン.ts", 1, 1],
  ["src/cafe\u0301.ts:1", "src/cafe\u0301.ts", 1, 1],
  ['say "hi".md:2', 'say "hi".md', 2, 2],
  ["line\nbreak.ts:2", "line\nbreak.ts", 2, 2],
  ["C:\\x.ts:2", "C:\\x.ts", 2, 2],
  ["../up.ts:2", "../up.ts", 2, 2],
  ["src/a.ts:0", "src/a.ts", 0, 0],
  ["src/a.ts:9-3", "src/a.ts", 9, 3],
  ["src/a.ts:007", "src/a.ts", 7, 7],
];

for (const [text, path, start, end] of LINES) {
  Deno.test(`parseLocation() reads lines from ${JSON.stringify(text)}`, () => {
    deepEqual(parseLocation(text), { kind: "lines", path, start, end });
  });
}

for (const kind of ["deleted", "renamed", "mode", "binary"] as const) {
  Deno.test(`parseLocation() reads :${kind}, after any path`, () => {
    for (const path of ["src/a.ts", "a b", "a:3", "[id].tsx", "あ"]) {
      deepEqual(parseLocation(`${path}:${kind}`), { kind, path });
    }
  });
}

const NO_PLACE = [
  "",
  "src/a.ts",
  "src/a.ts:",
  ":3",
  "src/a.ts:3-",
  "src/a.ts:-3",
  "src/a.ts:+3",
  "src/a.ts:3.5",
  "src/a.ts:3,5",
  "src/a.ts:3 - 5",
  "src/a.ts:L3",
  "src/a.ts#L3",
  "src/a.ts:Deleted",
  "src/a.ts:1234567890",
  "see src/a.ts",
];

for (const text of NO_PLACE) {
  Deno.test(`parseLocation() finds no place in ${JSON.stringify(text)}`, () => {
    equal(parseLocation(text), null);
  });
}

const CHANGED: FileFacts = {
  exists: true,
  lines: 20,
  change: "modified",
  modeChanged: false,
  isBinary: false,
  changed: [{ start: 5, end: 7 }, { start: 12, end: 12 }],
  removedAt: [],
};

interface Case {
  readonly place: string;
  readonly facts?: Partial<FileFacts>;
  /** Code without `checklist_evidence_`; null when the evidence stands. */
  readonly code: string | null;
  readonly hint?: RegExp;
}

const REMOVED: Partial<FileFacts> = { changed: [], removedAt: [10] };

const CASES: readonly Case[] = [
  { place: "a:5-7", code: null },
  { place: "a:6", code: null },
  { place: "a:7-9", code: null },
  { place: "a:1-5", code: null },
  { place: "a:1-20", code: null },
  { place: "a:12", code: null },
  { place: "a:4", code: "not_changed", hint: /5-7, 12/ },
  { place: "a:8-11", code: "not_changed" },
  { place: "a:13-20", code: "not_changed" },
  { place: "a:0", code: "line_out_of_range", hint: /counted from 1/ },
  { place: "a:0-5", code: "line_out_of_range" },
  { place: "a:7-5", code: "line_out_of_range" },
  { place: "a:21", code: "line_out_of_range" },
  { place: "a:5-21", code: "line_out_of_range" },
  { place: "a:5", facts: { exists: false, lines: 0, change: null }, code: "file_not_found" },
  {
    place: "a:5",
    facts: { exists: false, lines: 0, change: "deleted" },
    code: "file_not_found",
    hint: /a:deleted/,
  },
  { place: "a:5", facts: { change: null, changed: [] }, code: "not_changed", hint: /skipped/ },
  { place: "a:5", facts: { isBinary: true, changed: [] }, code: "binary", hint: /a:binary/ },
  { place: "a:8", facts: REMOVED, code: "not_changed", hint: /counted from 1: 10\.$/ },
  {
    place: "a:22",
    facts: { changed: [{ start: 5, end: 7 }], removedAt: [7, 20] },
    code: "line_out_of_range",
    hint: /counted from 1: 5-7, 20\.$/,
  },
  {
    place: "a:3",
    facts: { change: "renamed", changed: [] },
    code: "not_changed",
    hint: /^Send "a:renamed"\.$/,
  },
  {
    place: "a:3",
    facts: { change: "renamed" },
    code: "not_changed",
    hint: /5-7, 12\. Send "a:renamed"\.$/,
  },
  {
    place: "a:3",
    facts: { changed: [], modeChanged: true },
    code: "not_changed",
    hint: /^Send "a:mode"\.$/,
  },
  {
    place: "a:deleted",
    facts: { change: "renamed", changed: [] },
    code: "not_changed",
    hint: /a:renamed/,
  },
  { place: "a:9", facts: REMOVED, code: null },
  { place: "a:10", facts: REMOVED, code: null },
  { place: "a:11", facts: REMOVED, code: null },
  { place: "a:14", facts: REMOVED, code: "not_changed" },
  { place: "a:1", facts: { changed: [], removedAt: [0] }, code: null },
  { place: "a:20", facts: { changed: [], removedAt: [20] }, code: null },
  { place: "a:5-7", facts: { change: "added", changed: [{ start: 1, end: 20 }] }, code: null },
  { place: "a:deleted", facts: { exists: false, change: "deleted" }, code: null },
  { place: "a:deleted", code: "not_changed" },
  { place: "a:renamed", facts: { change: "renamed", changed: [] }, code: null },
  { place: "a:renamed", code: "not_changed" },
  { place: "a:mode", facts: { modeChanged: true, changed: [] }, code: null },
  { place: "a:mode", code: "not_changed" },
  { place: "a:binary", facts: { isBinary: true, changed: [] }, code: null },
  { place: "a:binary", facts: { isBinary: true, change: "added" }, code: null },
  { place: "a:binary", facts: { isBinary: true, change: null }, code: "not_changed" },
  { place: "a:binary", facts: { isBinary: true, change: "deleted" }, code: "not_changed" },
  { place: "a:binary", code: "not_changed" },
  { place: "a:1", facts: { lines: 0, change: "added", changed: [] }, code: null },
  { place: "a:1", facts: { lines: 0, changed: [], removedAt: [0] }, code: null },
  { place: "a:2", facts: { lines: 0, change: "added", changed: [] }, code: "line_out_of_range" },
  { place: "a:1", facts: { lines: 0, change: null, changed: [] }, code: "not_changed" },
];

for (const { place, facts, code, hint } of CASES) {
  const about = `${place} with ${JSON.stringify(facts ?? {})}`;
  Deno.test(`checkLocation() ${code === null ? "accepts" : `answers ${code} for`} ${about}`, () => {
    const location = parseLocation(place);
    if (location === null) throw new Error(place);
    const problems = checkLocation(location, { ...CHANGED, ...facts }, "data.x");
    deepEqual(
      problems.map((problem) => [problem.code, problem.at, problem.path]),
      code === null ? [] : [[`checklist_evidence_${code}`, "data.x", "a"]],
    );
    if (hint !== undefined) match(String(problems[0]?.hint ?? ""), hint);
  });
}

const SEVERAL: readonly (readonly [text: string, shown: string, count: number])[] = [
  ["src/a.ts:1-4, src/a.ts:9", "src/a.ts:1-4,9", 2],
  ["src/a.ts:1-5,20-30", "src/a.ts:1-5,20-30", 2],
  ["a.ts:1; b.ts:deleted, c.ts:3-4, 9", "a.ts:1; b.ts:deleted; c.ts:3-4,9", 4],
  ["a,b.ts:3", "a,b.ts:3", 1],
  ["src/a; b.ts:3-4", "src/a; b.ts:3-4", 1],
  ["3-4", "", 0],
  ["a.ts:1, and more", "", 0],
];

for (const [text, shown, count] of SEVERAL) {
  Deno.test(`parseLocations() finds ${count} in "${text}"`, () => {
    const places = parseLocations(text);
    deepEqual([places.length, formatLocations(places)], [count, shown]);
  });
}

Deno.test("checkLocation() shows eight changed ranges and counts the others", () => {
  const changed = Array.from({ length: 11 }, (_, at) => ({
    start: at * 10 + 2,
    end: at * 10 + 3,
  }));
  const facts = { ...CHANGED, lines: 200, changed };
  const [problem] = checkLocation({ kind: "lines", path: "a", start: 1, end: 1 }, facts, "x");
  match(String(problem?.hint ?? ""), /2-3, .*72-73 and 3 more ranges/);
});

Deno.test("checkDistinct() names each claim after the first, and each within another one, and who made it", () => {
  const toClaim = (text: string, index: number) => {
    const location = parseLocation(text);
    if (location === null) throw new Error(text);
    return { at: `x[${index}]`, location, path: `${location.path}` };
  };
  const check = (...texts: readonly string[]) => checkDistinct(texts.map(toClaim));
  const codes = check("a:1-2", "a:2-3", "a:1-2", "a:1-2", "b:1-2", "a:deleted", "a:deleted");
  deepEqual(codes.map(({ code, at }) => [code, at]), [
    ["checklist_evidence_repeated", "x[2]"],
    ["checklist_evidence_repeated", "x[3]"],
    ["checklist_evidence_repeated", "x[6]"],
  ]);
  match(String(codes[0]?.hint ?? ""), /x\[0\]/);
  const [within] = check("a:1-9", "a:4");
  equal(within?.at, "x[1]");
  match(String(within?.hint ?? ""), /x\[0\] has these already, and could take a:1-3 or a:5-9/);
});
