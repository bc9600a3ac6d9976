/** Pages within their bytes. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { buildPage, fitItems, toWire } from "../../src/tools/budget.ts";
import { measureJson } from "../../src/base/text/json_record.ts";

Deno.test("fitItems() keeps the longest run that fits, counted in bytes and not in characters", () => {
  // Each is 5 bytes as JSON, and a comma.
  deepEqual(fitItems(["é", "é", "é"], { maxBytes: 15 }).shown, ["é", "é", "é"]);
  deepEqual(fitItems(["é", "é", "é"], { maxBytes: 14 }).shown, ["é", "é"]);
  deepEqual(fitItems([], { maxBytes: 0 }), { shown: [], written: [] });
});

Deno.test("fitItems() shrinks a first item that alone is too large", () => {
  const shrink = () => "a";
  deepEqual(fitItems(["x".repeat(50), "b"], { maxBytes: 10, shrink }).written, ["a"]);
});

const OPTIONS = {
  tool: "search_text",
  arguments: { pattern: "x" },
  listKey: "items",
  fields: { source: "rg" },
};

Deno.test("buildPage() stays within every budget and going on reaches every item once", () => {
  const items = Array.from(
    { length: 60 },
    (_, index) => ({ endLine: index, text: "あ".repeat(index % 7) }),
  );
  for (const maxBytes of [300, 500, 1024, 5000]) {
    const seen: unknown[] = [];
    for (let offset = 0;;) {
      const page = buildPage(items.slice(offset, offset + 25), {
        ...OPTIONS,
        maxBytes,
        total: 60,
        offset,
      });
      ok(measureJson(page.reply) <= maxBytes, `${measureJson(page.reply)} of ${maxBytes}`);
      seen.push(...page.shown);
      const truncated = page.reply["truncated"] as
        | { next: { arguments: { offset: number } } }
        | undefined;
      if (truncated === undefined) break;
      offset = truncated.next.arguments.offset;
    }
    deepEqual(seen, items);
  }
});

Deno.test("buildPage() asks for a larger budget where no item fits, and goes past one that fits none", () => {
  const page = buildPage(["x".repeat(900), "b"], {
    ...OPTIONS,
    maxBytes: 400,
    total: 2,
    offset: 0,
  });
  deepEqual(page.shown, []);
  deepEqual(page.reply["truncated"], {
    shown: 0,
    total: 2,
    reason: "max_bytes",
    next: { tool: "search_text", arguments: { pattern: "x", offset: 0, "max_bytes": 3200 } },
  });
  const largest = buildPage(["x".repeat(300_000), "b"], {
    ...OPTIONS,
    maxBytes: 256 * 1024,
    total: 2,
    offset: 0,
  });
  const { next } = largest.reply["truncated"] as { next: { arguments: unknown } };
  deepEqual(next.arguments, { pattern: "x", offset: 1 });
});

Deno.test("buildPage() has nothing to go on to at the end and past it", () => {
  equal(
    buildPage(["a"], { ...OPTIONS, maxBytes: 400, total: 1, offset: 0 }).reply["truncated"],
    undefined,
  );
  equal(
    buildPage([], { ...OPTIONS, maxBytes: 400, total: 1, offset: 5 }).reply["truncated"],
    undefined,
  );
  const cut =
    buildPage(["a"], { ...OPTIONS, maxBytes: 400, total: 2, offset: 0 }).reply["truncated"];
  equal((cut as { reason: string }).reason, "max_results");
});

Deno.test("toWire() writes keys in snake_case, inner ones too, and leaves values alone", () => {
  deepEqual(toWire({ endLine: 1, byKind: [{ aB: "cD" }], x: null }), {
    "end_line": 1,
    "by_kind": [{ "a_b": "cD" }],
    x: null,
  });
});
