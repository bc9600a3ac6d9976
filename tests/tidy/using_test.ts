/**
 * What is taken with `using` is not used just once, in the next statement: there the minifier of the executable drops the
 * declaration, and with it the end of what it names (`docs/decisions/0026-what-is-opened-is-closed-by-finally.md`). Two
 * declarations in a row become one there, which the build, that counts them, cannot tell from one that was dropped.
 */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { SourceFile } from "./source_files.ts";
import { expectNone, readSourceFiles, toCode } from "./source_files.ts";

Deno.test("no value that is taken with using is used just once, at once, or beside another: the minifier would drop or join them", async () => {
  expectNone(
    (await readSourceFiles("src")).flatMap(toOffences),
    "Give the value a line of its own, and use it twice or call its dispose.",
  );
});

Deno.test("toOffences() names a value whose only use is in the next statement", () => {
  const rows: readonly (readonly [text: string, expected: readonly string[]])[] = [
    ["{ using file = open(); return file.read(); }", ["a.ts: file"]],
    ["{ await using file = await open(); await file.sync(); } file();", ["a.ts: file"]],
    ["{ using file = open({ a: 1 }); file.write(); { file.sync(); } }", []],
    ["{ using end = toEnd(); await prepare(); return work(end); }", []],
    ["{ using _held = hold(); return work(); }", []],
    ["{ using a = open(); using b = open(); if (a && b) a.read(b); }", ["a.ts: a"]],
    ["// using file = open(); file.read()\nconst text = 'using file = open()'; file();", []],
  ];
  for (const [text, expected] of rows) deepEqual(toOffences({ path: "a.ts", text }), expected);
});

function toOffences({ path, text }: SourceFile): string[] {
  const code = toCode(text);
  return [...code.matchAll(/\busing (\w+)\s*=/g)].flatMap(({ index, 0: head, 1: name = "" }) => {
    const begin = toEnd(code, index + head.length) + 1;
    const uses = [
      ...code.slice(begin, toEnd(code, begin, "}")).matchAll(new RegExp(`\\b${name}\\b`, "g")),
    ];
    const [use] = uses;
    if (/^\s*(await\s+)?using\b/.test(code.slice(begin))) return [`${path}: ${name}`];
    const isNext = use !== undefined && begin + use.index < toEnd(code, begin);
    return uses.length === 1 && isNext ? [`${path}: ${name}`] : [];
  });
}

/** Where the statement that begins at `from` ends, or with `}` the block that it stands in. */
function toEnd(code: string, from: number, last: ";" | "}" = ";"): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const char = code.charAt(at);
    if (depth === 0 && (char === last || char === "}")) return at;
    if ("({[".includes(char)) depth++;
    if (")}]".includes(char)) depth--;
  }
  return code.length;
}
