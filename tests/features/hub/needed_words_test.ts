/** Words that a pattern needs: every line that it matches has them, as full text has words. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { splitWords } from "../../../src/analysis/tokens.ts";
import { compileScriptPattern } from "../../../src/backends/script_pattern.ts";
import { listNeededWords } from "../../../src/features/hub/needed_words.ts";
import { SAMPLE } from "../../explore/sample_files.ts";

const PLAIN = { fixed: false, caseSensitive: true, wholeWord: false };

const needed = (pattern: string, more: Partial<typeof PLAIN> = {}) =>
  listNeededWords({ ...PLAIN, ...more, patterns: [pattern] });

Deno.test("a word counts where the pattern says that it begins and ends there", () => {
  deepEqual(needed("Cart"), null, "it may be a part of a longer one");
  deepEqual(needed("new Cart("), null);
  deepEqual(needed("new Cart\\("), ["cart"]);
  deepEqual(needed("new Cart(", { fixed: true }), ["cart"]);
  deepEqual(needed("Cart", { wholeWord: true }), ["cart"]);
  deepEqual(needed("\\bgetCart\\b"), ["get cart"]);
  deepEqual(needed(" getCart "), ["getcart"]);
  deepEqual(needed("^import \\w+ from$"), ["import from"]);
  deepEqual(needed(" a\\$b "), null, "the full text joins what a $ parts");
  deepEqual(needed(` ${"x".repeat(65)} `), null, "it has no word of this length");
});

Deno.test("what may be missing, and what stands beside it, is not needed", () => {
  deepEqual(needed(" of foos? them "), ["of them"]);
  deepEqual(needed(" foo* "), null);
  deepEqual(needed(" fo{2} them "), ["them"]);
  deepEqual(needed(" (foo|bar) [x y z] them "), ["them"]);
  deepEqual(needed(" \\p{Lu} \\x{41} them "), ["them"]);
});

Deno.test("each way of a pattern needs words of its own, and one that needs none makes all needless", () => {
  deepEqual(needed(" foo | bar "), ["foo", "bar"]);
  deepEqual(needed(" foo |bar"), null);
  deepEqual(listNeededWords({ ...PLAIN, patterns: [" foo ", " bar "] }), ["foo", "bar"]);
  deepEqual(listNeededWords({ ...PLAIN, patterns: [" foo ", "bar"] }), null);
});

Deno.test("without cases a name counts whole, and at an edge not at all", () => {
  deepEqual(needed(" getCart ", { caseSensitive: false }), ["getcart"]);
  deepEqual(needed("(?i) getCart "), ["getcart"]);
  deepEqual(needed("getCart", { caseSensitive: false, wholeWord: true }), null);
  deepEqual(needed("(?i)\\bgetCart\\b"), null);
});

Deno.test("every line that matches has the words", async () => {
  const own = await Deno.readTextFile(new URL(import.meta.url));
  const lines = [...Object.values(SAMPLE), own, "x.USERNAME = a$userName + _user_name_ ;"]
    .flatMap((text) => text.split("\n"));
  // Patterns are made of what stands in every other line, cut at any place.
  const patterns = lines.flatMap((line, at) => {
    if (at % 2 === 1) return [];
    const from = at % Math.max(1, line.length - 6);
    const part = line.slice(from, from + 4 + at % 24);
    const escaped = part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return part.trim() === "" ? [] : [escaped, `\\b${escaped}`, `${escaped}\\b`, `^.*${escaped}$`];
  });
  const wordsOf = new Map(lines.map((line) => [line, new Set(splitWords(line).split(" "))]));
  let narrowing = 0;
  for (const pattern of patterns) {
    for (const more of [{}, { wholeWord: true }, { caseSensitive: false }]) {
      const query = { ...PLAIN, ...more, patterns: [pattern] };
      const ways = listNeededWords(query);
      const made = compileScriptPattern(pattern, { ...query, contextLines: 0 });
      if (ways === null || made.kind === "invalid") continue;
      narrowing++;
      for (const line of lines) {
        made.expression.lastIndex = 0;
        if (!made.expression.test(line)) continue;
        const words = wordsOf.get(line);
        const isThere = ways.some((way) => way.split(" ").every((word) => words?.has(word)));
        ok(isThere, `${pattern} ${JSON.stringify(more)} needs ${ways} in: ${line}`);
      }
    }
  }
  ok(narrowing > 100);
});
