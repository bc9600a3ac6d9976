/** Small wrong versions in every language with a grammar for them: rows of a text each, and the samples of the analysis. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { findMutants, isSound } from "../../../src/features/mutants/find_mutants.ts";
import { applyMutant, toChange } from "../../../src/features/mutants/mutant_rules.ts";
import { languageByName, LANGUAGES } from "../../../src/language/languages.ts";
import { readLanguageSamples } from "../../support/files/language_samples.ts";
import { MUTANT_ROWS } from "./mutant_rows.ts";

const ALL = [{ start: 1, end: 10_000 }];

/** The mutants in words, once each of them parses and differs in one place alone. */
async function find(path: string, text: string, ranges = ALL): Promise<readonly string[]> {
  const found = await findMutants({ path, text, ranges });
  for (const mutant of found) {
    const { start, end, before, after } = mutant;
    const words = `${path}:${mutant.line} ${toChange(mutant)}`;
    equal(await isSound({ path, text }, mutant), true, words);
    equal(text.slice(start, end), before, words);
    const changed = applyMutant(text, mutant);
    equal(changed, `${text.slice(0, start)}${after}${text.slice(end)}`);
    ok(changed !== text, words);
  }
  return found.map((mutant) => `${mutant.line}: ${toChange(mutant)}`);
}

Deno.test("each language with a grammar for them has its mutants", async () => {
  const without = LANGUAGES.filter(({ grammar, mutants, nature, holdsScripts }) =>
    grammar !== null && nature === "code" && mutants === undefined && !holdsScripts
  );
  deepEqual(without.map(({ name }) => name), []);
  for (const [path, text, ...changes] of Object.values(MUTANT_ROWS)) {
    deepEqual(await find(path, text), changes, path);
  }
});

Deno.test("every mutant of the samples of all languages parses, and differs in one place", async () => {
  let total = 0;
  for (const { path, text, language } of await readLanguageSamples()) {
    const found = await find(path, text);
    deepEqual(await find(path, text), found);
    if (languageByName(language)?.mutants !== undefined) ok(found.length > 0, path);
    total += found.length;
  }
  ok(total > 100, `${total}`);
});

Deno.test("only changed lines have mutants, and no line many of them", async () => {
  const [path, text] = MUTANT_ROWS["Python"] ?? ["", ""];
  deepEqual(await find(path, text, [{ start: 5, end: 5 }, { start: 9, end: 9 }]), [
    "5: `False` for `True`",
    "9: an error there: none reaches it",
    "9: `<=` for `<`",
  ]);
  const long = `f(${"abcdefgh".split("").map((name) => `${name} > 1`).join(", ")}, z && y);\n`;
  equal((await find("a.ts", long)).length, 8);
  equal((await find("a.ts", "f(a && b, c || d, e && f, g || h);\n")).length, 4);
});

Deno.test("a function that removes files, ends processes or starts programs has none", async () => {
  const rows: readonly (readonly [path: string, text: string])[] = [
    ["a.ts", "async function f(p) {\n  if (p.length > 1 && ok(p)) await Deno.remove(p);\n}\n"],
    ["a.py", "def f(p):\n    if p > 1:\n        shutil.rmtree(p)\n"],
    ["a.go", "package a\nfunc f(p string) { if len(p) > 1 { os.RemoveAll(p) } }\n"],
    ["a.sh", 'if [ "$a" -lt 3 ]; then rm -rf "$a"; fi\n'],
  ];
  for (const [path, text] of rows) deepEqual(await find(path, text), [], path);
});

Deno.test("what is no code of a known language has none", async () => {
  deepEqual(await find("a.md", "1 > 2\n"), []);
  deepEqual(await find("a.unknown", "1 > 2\n"), []);
});

Deno.test("arguments, near names, roundings and patterns have mutants, and a value kept within a limit has none", async () => {
  const rows: readonly (readonly [path: string, text: string, ...changes: string[]])[] = [
    [
      "a.js",
      "function put(a, b) {\n  return { ...a, ...b };\n}\nput(from, to[1]);\nput(1, x);\nmax(from, to);\nlist.some(f);\n",
      "2: an error there: none reaches it",
      "2: `...b, ...a` for `...a, ...b`",
      "2: `undefined` for `{ ...a, ...b }`",
      "4: `to[1], from` for `from, to[1]`",
      "4: nothing for `put(from, to[1]);`",
      "4: `2` for `1`",
      "5: nothing for `put(1, x);`",
      "5: `2` for `1`",
      "6: `min` for `max`",
      "6: nothing for `max(from, to);`",
      "7: `every` for `some`",
      "7: nothing for `list.some(f);`",
    ],
    [
      "a.js",
      "x = /^a+[bc]?$/;\ny = t.replace(/(a)+\\./g, f);\n",
      "1: nothing for `^`",
      "1: `*` for `+`",
      "1: nothing for `b`",
      "1: nothing for `c`",
      "1: nothing for `?`",
      "1: nothing for `$`",
      "2: nothing for `+`",
      "2: `.` for `\\.`",
      "2: `/` for `/g`",
    ],
    [
      "a.py",
      'def f(a):\n    m = re.match(r"\\d{2}", a)\n    return a // 2\n',
      "2: an error there: none reaches it",
      "2: `fullmatch` for `match`",
      "2: `{2,}` for `{2}`",
      "3: `/` for `//`",
      "3: `None` for `a // 2`",
      "3: `3` for `2`",
    ],
    [
      "a.go",
      "package a\n\nfunc f(a, b int) int {\n\tif a > b {\n\t\ta = b\n\t}\n\treturn a * b / 100\n}\n",
      "4: an error there: none reaches it",
      "4: `a > b` never true",
      "4: `a > b` always true",
      "7: `(a * b + 99) / 100` for `a * b / 100`",
      "7: `/` for `*`",
      "7: `101` for `100`",
    ],
    [
      "a.js",
      "list.sort((a, b) => a < b ? 1 : 0);\n",
      "1: `a < b` never true",
      "1: `a < b` always true",
      "1: nothing for `list.sort((a, b) => a < b ? 1 : 0);`",
      "1: `2` for `1`",
    ],
  ];
  for (const [path, text, ...changes] of rows) deepEqual(await find(path, text), changes, text);
});
