/** What only ripgrep needs; what it shares with the scanner is in `text_search_test.ts`. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { listFileTypes, searchWithRipgrep } from "../../src/backends/ripgrep.ts";
import type { TextQuery } from "../../src/backends/text_query.ts";
import { testNeeding } from "../support/needs.ts";

const RG = (await createBackends({ env: { get: () => undefined } }).rg()).path ?? "rg";
const BASE: TextQuery = {
  patterns: [],
  caseSensitive: true,
  fixed: false,
  wholeWord: false,
  contextLines: 0,
};

testNeeding(
  ["rg"],
  "searchWithRipgrep() keeps totals exact when the output is too large to read",
  async () => {
    const root = await Deno.makeTempDir({ prefix: "code-intel-text-" });
    try {
      await Deno.writeTextFile(join(root, "a.txt"), `${"x".repeat(80)}\n`.repeat(200_000));
      await Deno.writeTextFile(join(root, "b.txt"), "x\n");
      await Deno.writeFile(join(root, "c.bin"), new Uint8Array([0x78, 0x0a, 0]));
      const result = await searchWithRipgrep(RG, { ...BASE, patterns: ["x"] }, {
        root,
        files: ["c.bin", "b.txt", "a.txt"],
        offset: 199_999,
        maxResults: 5,
        timeoutMs: 300_000,
      });
      ok(result.kind === "found");
      equal(result.total, 200_001);
      deepEqual(result.matches.map((one) => `${one.path}:${one.line}`), [
        "a.txt:200000",
        "b.txt:1",
      ]);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
);

testNeeding(["rg"], "listFileTypes() reads the types of ripgrep with their globs", async () => {
  const types = await listFileTypes(RG);
  ok(types.get("rust")?.includes("*.rs"));
});
