/** What every file says about itself and about what it exports. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { SourceFile } from "./source_files.ts";
import { expectNone, readSourceFiles } from "./source_files.ts";

Deno.test("each file opens with a comment on what it owns", async () => {
  const found = (await readSourceFiles("src", "tests", "tools", "lab")).flatMap(toHeaderOffences);
  expectNone(found, "Begin the file with a comment: what it owns, in one sentence.");
});

Deno.test("each export of src has a comment of its own", async () => {
  expectNone(
    (await readSourceFiles("src")).flatMap(toBareExports),
    "Write what it is for above the export.",
  );
});

Deno.test("the rules name what breaks them", () => {
  deepEqual(toHeaderOffences({ path: "a.ts", text: "const a = 1;\n" }), ["a.ts has no opening"]);
  deepEqual(toHeaderOffences({ path: "a.ts", text: "/** lower */\n" }), [
    "a.ts opens without a sentence",
  ]);
  deepEqual(toHeaderOffences({ path: "a.ts", text: "/** Owns the a. */\n" }), []);
  const bare = "/** A. */\n\nexport function a() {}\n/** B. */\nexport const b = 1;\n";
  deepEqual(toBareExports({ path: "a.ts", text: bare }), ["a.ts:3 has no comment"]);
});

function toHeaderOffences({ path, text }: SourceFile): string[] {
  const opening = /^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1];
  if (opening === undefined) return [`${path} has no opening`];
  const words = opening.replaceAll(/^\s*\* ?/gm, "").trim();
  return /^[\p{Lu}`\d][\s\S]*[.:?]/u.test(words) ? [] : [`${path} opens without a sentence`];
}

function toBareExports({ path, text }: SourceFile): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const exports =
      /^export (?:declare |abstract |async )*(?:function|const|class|interface|type|enum) /;
    if (!exports.test(line) || lines[index - 1]?.trimEnd().endsWith("*/")) return [];
    return [`${path}:${index + 1} has no comment`];
  });
}
