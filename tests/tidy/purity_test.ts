/** The pure files: what they do depends on their arguments alone. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { dirname, join } from "node:path/posix";
import type { SourceFile } from "./source_files.ts";
import { expectNone, readSourceFiles, toCode, toImports } from "./source_files.ts";

/** Pure by rule, beside the whole of `src/phase` and each file whose opening comment says `Pure.` */
const PURE = [
  "src/base/problem.ts",
  "src/base/reply.ts",
  "src/base/repo_path.ts",
];

const IMPURE: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: "Deno", pattern: /\bDeno\./ },
  { what: "the clock", pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\./ },
  { what: "chance", pattern: /\bMath\.random\b|\bcrypto\./ },
  { what: "timers", pattern: /\bset(?:Timeout|Interval)\b/ },
  { what: "the process", pattern: /\bprocess\.|\bglobalThis\b/ },
  { what: "what takes time", pattern: /\bfetch\(|\basync\b|\bawait\b|\bPromise</ },
];
const IMPURE_MODULE = /^node:(?!path|assert|util$)/;
/** A hash depends on its text alone. */
const HASHING = 'import { createHash } from "node:crypto";';

Deno.test("pure files use no disk, clock, chance or process and wait for nothing, nor do their imports", async () => {
  const files = await readSourceFiles("src");
  const byPath = new Map(files.map((file) => [file.path, file]));
  expectNone(
    PURE.filter((path) => !byPath.has(path)).map((path) => `${path} does not exist`),
    "Correct the path in PURE of tests/tidy/purity_test.ts.",
  );
  const pure = files.filter(isPure);
  ok(pure.length > PURE.length, "the phase folder is among them");
  const found = pure.flatMap((file) =>
    toReach(file, byPath).flatMap((reached) =>
      toImpurities(reached).map((what) => `${file.path}: ${reached.path} uses ${what}`)
    )
  );
  expectNone(
    found,
    "Give the function what it needs as an argument, or take the file out of PURE in tests/tidy/purity_test.ts.",
  );
});

Deno.test("toImpurities() names each way out of purity, and no comment or string", () => {
  const rows: readonly (readonly [text: string, expected: readonly string[]])[] = [
    ["const a = await Deno.readTextFile(p);", ["Deno", "what takes time"]],
    ["const now = Date.now();", ["the clock"]],
    ["const now = new Date();", ["the clock"]],
    ["const then = new Date(iso);", []],
    ["const id = crypto.randomUUID();", ["chance"]],
    ["const n = `${Math.random()}`;", ["chance"]],
    ['import { open } from "node:fs/promises";', ["node:fs/promises"]],
    ['import { createHash } from "node:crypto";', []],
    ['import { createHash, randomUUID } from "node:crypto";', ["node:crypto"]],
    ['import { join } from "node:path/posix";', []],
    ["// Deno.readTextFile would be wrong here.\nconst a = 'Date.now';", []],
    ["const hint = `call Deno.run`;", []],
  ];
  for (const [text, expected] of rows) deepEqual(toImpurities({ path: "a.ts", text }), expected);
});

function isPure(file: SourceFile): boolean {
  const opening = file.text.slice(0, file.text.indexOf("*/"));
  return file.path.startsWith("src/phase/") || PURE.includes(file.path) || /\bPure\./.test(opening);
}

function toImpurities(file: SourceFile): string[] {
  const code = toCode(file.text);
  const words = IMPURE.filter(({ pattern }) => pattern.test(code)).map(({ what }) => what);
  const modules = toImports(file.text.replaceAll(HASHING, "")).map(({ specifier }) => specifier)
    .filter((specifier) => IMPURE_MODULE.test(specifier));
  return [...words, ...modules];
}

/** The file and all that it runs: imports of values, followed to their ends. */
function toReach(file: SourceFile, byPath: ReadonlyMap<string, SourceFile>): SourceFile[] {
  const reached = new Map([[file.path, file]]);
  for (const current of reached.values()) {
    for (const { specifier, isTypeOnly } of toImports(current.text)) {
      if (isTypeOnly || !specifier.startsWith(".")) continue;
      const target = byPath.get(join(dirname(current.path), specifier));
      if (target !== undefined) reached.set(target.path, target);
    }
  }
  return [...reached.values()];
}
