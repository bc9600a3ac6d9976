/** What only the built-in scanner needs; what it shares with ripgrep is in `text_search_test.ts`. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { TextQuery } from "../../src/backends/text_query.ts";
import { scanText } from "../../src/backends/text_scan.ts";

const BASE: TextQuery = {
  patterns: [],
  caseSensitive: true,
  fixed: false,
  wholeWord: false,
  contextLines: 0,
};

Deno.test("scanText() ends an expression that would run for ever, at its time limit", async () => {
  const root = await Deno.makeTempDir({ prefix: "code-intel-text-" });
  try {
    // Some ten times the limit: Deno 2.9 lets a thread go on that was ended while it computes, beside all other tests.
    await Deno.writeTextFile(join(root, "a.txt"), `${"a".repeat(25)}b\n`);
    const startedAt = Date.now();
    const result = await scanText({ ...BASE, patterns: ["^(a|a)+$"] }, {
      root,
      files: ["a.txt"],
      offset: 0,
      maxResults: 5,
      timeoutMs: 100,
    });
    ok(result.kind === "refused");
    equal(result.problems[0]?.code, "pattern_too_slow");
    ok(Date.now() - startedAt < 30_000);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
