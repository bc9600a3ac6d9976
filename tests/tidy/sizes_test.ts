/** How large files, functions and folders may grow before they have to be cut. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { basename, dirname } from "node:path/posix";
import type { SourceFile } from "./source_files.ts";
import { expectNone, readSourceFiles, toCode } from "./source_files.ts";

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 60;
const MAX_FOLDER_FILES = 24;

/** Functions that are still longer, with their lines, by the name of their file. The table may only shrink. */
const LONG_FUNCTIONS: Readonly<Record<string, number>> = {
  "batched_view.ts withBatches": 61,
  "workspace.ts createWorkspace": 64,
  "services.ts createServices": 64,
  "query.ts run": 68,
  "review.ts buildOverview": 68,
  "context_deps.ts createContextDeps": 61,
  "effect_merge.ts onConflict": 67,
  "start_reply.ts buildStartReply": 68,
  "gone_folder.ts toGuard": 63,
};

/** Folders that still hold more files, with their number. The table may only shrink. */
const LARGE_FOLDERS: Readonly<Record<string, number>> = {
  "tests/escape": 28,
};

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

Deno.test("no function of src, tools or lab is longer than 60 lines, save those that are still to be split", async () => {
  const long = new Map((await readSourceFiles("src", "tools", "lab")).flatMap(findLongFunctions));
  expectNone(
    findAbove(long, LONG_FUNCTIONS, MAX_FUNCTION_LINES),
    "Split it: name a step of it. A row of LONG_FUNCTIONS goes when its function has become short.",
  );
});

Deno.test("no folder holds more than 24 files directly, save those that are still to be divided", async () => {
  const files = await readSourceFiles("src", "tools", "lab", "tests");
  const counts = Map.groupBy(files, ({ path }) => dirname(path));
  const large = new Map(
    [...counts].map(([folder, own]) => [folder, own.length] as const)
      .filter(([, count]) => count > MAX_FOLDER_FILES),
  );
  expectNone(
    findAbove(large, LARGE_FOLDERS, MAX_FOLDER_FILES),
    "Divide it, or merge files. A row of LARGE_FOLDERS goes when its folder has become small.",
  );
});

Deno.test("findAbove() names what is above its figure, and a row that has become needless", () => {
  deepEqual(findAbove(new Map([["a", 9], ["b", 8]]), { b: 8, c: 7 }, 5), [
    "a has 9, 5 are allowed",
    "c has a row, and needs none",
  ]);
  deepEqual(findAbove(new Map([["b", 8]]), { b: 7 }, 5), ["b has 8, 7 are allowed"]);
});

/** What is larger than the most, or than its own row allows, and rows that nothing needs. */
function findAbove(
  found: ReadonlyMap<string, number>,
  rows: Readonly<Record<string, number>>,
  most: number,
): string[] {
  return [
    ...[...found].filter(([name, figure]) => figure > (rows[name] ?? most))
      .map(([name, figure]) => `${name} has ${figure}, ${rows[name] ?? most} are allowed`),
    ...Object.keys(rows).filter((name) => !found.has(name))
      .map((name) => `${name} has a row, and needs none`),
  ];
}

Deno.test("findLongFunctions() counts functions, methods and arrows from head to closing brace", () => {
  const body = "  x();\n".repeat(MAX_FUNCTION_LINES - 1);
  const rows:
    readonly (readonly [text: string, expected: readonly (readonly [string, number])[]])[] = [
      [`function a() {\n${body}}\n`, [["f.ts a", 61]]],
      [`function a() {\n${body.slice(7)}}\n`, []],
      [`export async function a(\n  b: string,\n): Promise<void> {\n${body}}\n`, [["f.ts a", 63]]],
      [`class A {\n  b(): void {\n${body}  }\n}\n`, [["f.ts b", 61]]],
      [`const a = () => {\n${body}};\n`, [["f.ts a", 61]]],
      [`Deno.serve((request) => {\n${body}});\n`, [["f.ts =>", 61]]],
      ["function a() {\n  const p = b.map((x) => /`/.test(x));\n}\n\nfunction c() {\n}\n", []],
      [`const TABLE = {\n${"  a: 1,\n".repeat(100)}};\n`, []],
    ];
  for (const [text, expected] of rows) {
    deepEqual(findLongFunctions({ path: "f.ts", text }), expected);
  }
});

/** Relies on `deno fmt`: a function closes with a brace at the indentation of its head. */
function findLongFunctions(file: SourceFile): readonly (readonly [name: string, lines: number])[] {
  const lines = toCode(file.text).split("\n");
  return lines.flatMap((line, start) => {
    if (!isHead(line)) return [];
    const indent = line.length - line.trimStart().length;
    const closing = new RegExp(`^ {${indent}}\\}`);
    const length = lines.slice(start + 1).findIndex((next) => closing.test(next)) + 2;
    return length > MAX_FUNCTION_LINES
      ? [[`${basename(file.path)} ${findName(line)}`, length] as const]
      : [];
  });
}

/** The name in the first line of a function; an arrow without one is called by its sign. */
function findName(head: string): string {
  const named = /\bfunction\*?\s+(\w+)|\bconst\s+(\w+)\s*=|^\s*(?:\w+ )*\*?(#?\w+)(?:<.*>)?\(.*\{$/
    .exec(head);
  const isArrow = /=>\s*\{$/.test(head) && named?.[2] === undefined;
  return isArrow ? "=>" : named?.[1] ?? named?.[2] ?? named?.[3] ?? "=>";
}

function isHead(line: string): boolean {
  const text = line.trim();
  if (/^(?:export )?(?:default )?(?:async )?function\b/.test(text)) return !/\}$/.test(text);
  if (/=>\s*\{$/.test(text)) return true;
  return /^(?:async |static |override |get |set |#)*\*?[#\w]+(?:<.*>)?\(.*\{$/.test(text) &&
    !/^(?:if|for|while|switch|catch|return|with)\b/.test(text);
}
