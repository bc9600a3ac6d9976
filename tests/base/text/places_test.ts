/** Rows of a text and the places that it names, for `src/base/text/places.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  formatPlaces,
  parseLines,
  parseReadLine,
  readNamedFiles,
  readPlace,
} from "../../../src/base/text/places.ts";

Deno.test("parseLines() and parseReadLine() read what tools print", () => {
  deepEqual(parseLines("a.ts:3-9"), { path: "a.ts", start: 3, end: 9 });
  equal(parseLines("a.ts#L3"), null);
  deepEqual(parseReadLine("a.ts:3:  run();"), { path: "a.ts", line: 3, text: "run();" });
});

const ONE: readonly (readonly [text: string, ...place: readonly (string | number)[]])[] = [
  ["src/a.ts", "src/a.ts"],
  ["./src/a.ts", "src/a.ts"],
  ["`src/a.ts`", "src/a.ts"],
  ["'src/a.ts',", "src/a.ts"],
  ["src/a.ts:3", "src/a.ts", 3, 3],
  ["src/a.ts:3:14", "src/a.ts", 3, 3],
  ["src/a.ts:36-48", "src/a.ts", 36, 48],
  ["src/a.ts:36–48", "src/a.ts", 36, 48],
  ["src/a.ts#L3-L9", "src/a.ts", 3, 9],
  ["src/a.ts#L3", "src/a.ts", 3, 3],
  ["src/a.ts (lines 3-9)", "src/a.ts", 3, 9],
  ["src/a.ts lines 3 to 9", "src/a.ts", 3, 9],
  ["src/a.ts line 3", "src/a.ts", 3, 3],
  ["src/a.ts:L3-9", "src/a.ts", 3, 9],
  ["[the loop](src/a.ts#L3)", "src/a.ts", 3, 3],
  ["file:///p/src/a.ts", "/p/src/a.ts"],
  ["Makefile", "Makefile"],
  ["docs/release notes.md", "docs/release notes.md"],
];

for (const [text, path, start, end] of ONE) {
  Deno.test(`readPlace() reads ${text}`, () => {
    deepEqual(readPlace(text), start === undefined ? { path } : { path, start, end });
  });
}

const FILES = [
  "src/a.ts",
  "src/b.ts",
  "lib/c.py",
  "README.md",
  "docs/release notes.md",
  "lib/b.ts",
];
const MANY: readonly (readonly [text: string, ...files: readonly string[]])[] = [
  ["src/a.ts", "src/a.ts"],
  ["src/a.ts and lib/c.py", "src/a.ts", "lib/c.py"],
  ["src/a.ts, b.ts", "src/a.ts", "src/b.ts"],
  ["I read src/a.ts:3-9 and the README.md twice", "src/a.ts", "README.md"],
  ["docs/release notes.md", "docs/release notes.md"],
  ["c.py", "lib/c.py"],
  ["readme.md", "README.md"],
  ["b.ts"],
  ["src/none.ts"],
  ["nothing was read"],
];

for (const [text, ...files] of MANY) {
  Deno.test(`readNamedFiles() finds ${files.join(", ") || "nothing"} in "${text}"`, () => {
    const found = readNamedFiles(text, (path) => FILES.includes(path), (name) => {
      const fitting = FILES.filter((path) =>
        `/${path}`.toLowerCase().endsWith(`/${name.toLowerCase()}`)
      );
      return fitting.length === 1 ? fitting[0] : undefined;
    });
    deepEqual(found, files);
  });
}

const PLACES: readonly (readonly [text: string, places: string])[] = [
  ["src/a.ts:3-9", "src/a.ts:3-9"],
  ["src/a.ts:3-9, 12; src/b.ts:deleted", "src/a.ts:3-9, 12; src/b.ts:deleted"],
  ["`src/a.ts:3-9`", "src/a.ts:3-9"],
  ["src/a.ts#L3-L9", "src/a.ts:3-9"],
  ["src/a.ts lines 3-9", "src/a.ts:3-9"],
  ["src/a.ts (lines 3 to 9)", "src/a.ts:3-9"],
  ["./src/a.ts:3–9", "src/a.ts:3-9"],
  ["src/a.ts:3-9 and src/b.ts:4", "src/a.ts:3-9; src/b.ts:4"],
  ["added in src/a.ts:3-9 (called from src/b.ts:12)", "src/a.ts:3-9"],
  ["done (src/a.ts:3)", "src/a.ts:3"],
  ["src/a.ts: deleted", "src/a.ts:deleted"],
  ["done", "done"],
  ["tool: find_references(login) → 3", "tool: find_references(login) → 3"],
];

for (const [text, places] of PLACES) {
  Deno.test(`formatPlaces() reads "${text}" as ${places}`, () => equal(formatPlaces(text), places));
}
