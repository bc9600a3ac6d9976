/** How long files and functions may grow before they have to be cut. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { SourceFile } from "./source_files.ts";
import { expectNone, readSourceFiles, toCode } from "./source_files.ts";

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 70;

/** Files whose content is a table, and which may be longer for it. */
const TABLE_FILES: readonly string[] = [
  "src/base/settings/limits.ts",
  "tests/escape/honest_rows.ts",
  "tests/evidence/empty/empty_body_cases.ts",
  // Nearly all of it is the list of exceptions.
  "tests/tidy/mirror_test.ts",
];

Deno.test("no file is longer than 400 lines, save those whose content is a table", async () => {
  const files = await readSourceFiles("src", "tests", "tools", "lab");
  const found = files.filter(({ path }) => !TABLE_FILES.includes(path))
    .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > MAX_FILE_LINES);
  expectNone(
    found.map(({ path, lines }) => `${path} has ${lines} lines`),
    "Split it by what it owns.",
  );
});

Deno.test("no function of src or tools is longer than 70 lines", async () => {
  const found = (await readSourceFiles("src", "tools", "lab")).flatMap(toLongFunctions);
  expectNone(found, "Split it: name a step of it.");
});

Deno.test("toLongFunctions() counts functions, methods and arrows from head to closing brace", () => {
  const body = "  x();\n".repeat(MAX_FUNCTION_LINES - 1);
  const rows: readonly (readonly [text: string, expected: readonly string[]])[] = [
    [`function a() {\n${body}}\n`, ["f.ts:1 has 71 lines"]],
    [`function a() {\n${body.slice(7)}}\n`, []],
    [`export async function a(\n  b: string,\n): Promise<void> {\n${body}}\n`, [
      "f.ts:1 has 73 lines",
    ]],
    [`class A {\n  b(): void {\n${body}  }\n}\n`, ["f.ts:2 has 71 lines"]],
    [`const a = () => {\n${body}};\n`, ["f.ts:1 has 71 lines"]],
    ["function a() {\n  const p = b.map((x) => /`/.test(x));\n}\n\nfunction c() {\n}\n", []],
    [`const TABLE = {\n${"  a: 1,\n".repeat(100)}};\n`, []],
  ];
  for (const [text, expected] of rows) deepEqual(toLongFunctions({ path: "f.ts", text }), expected);
});

/** Relies on `deno fmt`: a function closes with a brace at the indentation of its head. */
function toLongFunctions(file: SourceFile): string[] {
  const lines = toCode(file.text).split("\n");
  const found: string[] = [];
  lines.forEach((line, start) => {
    if (!isHead(line)) return;
    const indent = line.length - line.trimStart().length;
    const closing = new RegExp(`^ {${indent}}\\}`);
    const length = lines.slice(start + 1).findIndex((next) => closing.test(next)) + 2;
    if (length > MAX_FUNCTION_LINES) found.push(`${file.path}:${start + 1} has ${length} lines`);
  });
  return found;
}

function isHead(line: string): boolean {
  const text = line.trim();
  if (/^(?:export )?(?:default )?(?:async )?function\b/.test(text)) return !/\}$/.test(text);
  if (/=>\s*\{$/.test(text)) return true;
  return /^(?:async |static |override |get |set |#)*\*?[#\w]+(?:<.*>)?\(.*\{$/.test(text) &&
    !/^(?:if|for|while|switch|catch|return|with)\b/.test(text);
}
