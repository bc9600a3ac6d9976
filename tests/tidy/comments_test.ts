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

Deno.test("no sentence of a comment in src is long", async () => {
  expectNone(
    (await readSourceFiles("src")).flatMap(findLongSentences),
    `Cut the sentence into ones of at most ${MOST_WORDS} words, best of 20: subject, verb, object.`,
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
  const long = "word ".repeat(26);
  const kept = `/**\n * A.\n *\n * | ${long}|\n *\n * \`\`\`ts\n * ${long}\n */\n`;
  deepEqual(findLongSentences({ path: "a.ts", text: kept }), []);
  deepEqual(findLongSentences({ path: "a.ts", text: `a();\n// It has\n// ${long}\n` }), [
    "a.ts:2 has 28 words: It has word word word word …",
  ]);
});

const MOST_WORDS = 25;

/** Sentences of comments with too many words; tables, code blocks and tags are none, an item of a list is one. */
function findLongSentences({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/^[ \t]*\/\*\*.*?\*\/|(?:^[ \t]*\/\/[^\n]*\n)+/gms)].flatMap(
    (comment) => {
      const [prose = ""] = comment[0].replaceAll(/^[ \t]*(?:\/\*\*|\*\/|\*|\/\/)|\*\/$/gm, "")
        .split(/\n\s*@|```/);
      const sentences = prose.replaceAll(/^ *\|.*$/gm, "").split(/\n\s*- |(?<=[.!?:;])\s+/);
      return sentences.map((sentence) => sentence.trim().split(/\s+/)).flatMap((words) => {
        if (words.length <= MOST_WORDS) return [];
        const line = text.slice(0, comment.index).split("\n").length;
        return [`${path}:${line} has ${words.length} words: ${words.slice(0, 6).join(" ")} …`];
      });
    },
  );
}

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
