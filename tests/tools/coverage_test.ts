/** How much of the truth an answer shows, and of which state of the files. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Reply } from "../../src/base/reply.ts";
import { addCoverage } from "../../src/tools/fit.ts";

const FRESH = { pending: 0, ready: "lexical" };

Deno.test("addCoverage() says what is missing, and never that nothing is there where it was not looked", () => {
  const rows: readonly (readonly [fields: Readonly<Record<string, unknown>>, answer: string])[] = [
    [{ total: 3, freshness: "live" }, "complete"],
    [{ total: 0, freshness: FRESH }, "complete"],
    [{ total: 3, freshness: FRESH, truncated: { shown: 1 } }, "partial"],
    [{ total: 3, freshness: FRESH, notices: ["A file was left out."] }, "partial"],
    [{ total: 3, freshness: { pending: 2, ready: "lexical" } }, "partial"],
    [{ total: 0, freshness: { pending: 2, ready: "lexical" } }, "unknown"],
    [{ total: 0, freshness: "live", notices: ["A file was left out."] }, "unknown"],
  ];
  for (const [fields, answer] of rows) {
    equal(addCoverage({ ok: true, ...fields }, "main")["answer"], answer, JSON.stringify(fields));
  }
});

Deno.test("addCoverage() keeps the figures of the index where they say more, and other replies as they are", () => {
  const pending = { pending: 1, ready: "lexical" };
  deepEqual(addCoverage({ ok: true, total: 1, freshness: pending }, null), {
    ok: true,
    total: 1,
    freshness: pending,
    answer: "partial",
    state: "files on disk",
  });
  const refused: Reply = { ok: false, error: "x", message: "x", problems: [] };
  for (const reply of [refused, { ok: true, step: 3 } as const]) {
    equal(addCoverage(reply, "main"), reply);
  }
});
