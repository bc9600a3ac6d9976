/** Replies in their budget: whole JSON always, and the cut is named. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Reply } from "../../src/base/reply.ts";
import { measureJson } from "../../src/base/text/json_record.ts";
import { fitReply } from "../../src/tools/fit.ts";

const LINES = Array.from({ length: 500 }, (_, line) => ({ line, text: `line ${line} 日本` }));

// deno-lint-ignore no-explicit-any -- the test reads fields freely
function fit(reply: Reply, maxBytes: number): any {
  const fitted = fitReply(reply, maxBytes);
  ok(measureJson(fitted) <= maxBytes, `${measureJson(fitted)} of ${maxBytes} bytes`);
  return JSON.parse(JSON.stringify(fitted));
}

Deno.test("fitReply() leaves a reply that fits as it is", () => {
  const reply: Reply = { ok: true, total: 2 };
  equal(fitReply(reply, 1024), reply);
});

Deno.test("fitReply() cuts the longest list and says how much is shown (R26: invalid JSON)", () => {
  const fitted = fit({ ok: true, total: 500, matches: LINES, few: ["a", "b"] }, 4096);
  deepEqual(fitted.few, ["a", "b"]);
  equal(fitted.truncated.at, "matches");
  equal(fitted.truncated.total, 500);
  equal(fitted.truncated.shown, fitted.matches.length);
  ok(fitted.matches.length > 10);
});

Deno.test("fitReply() cuts long texts, never within a character, and keeps the next call", () => {
  // Many budgets, so that some of the cuts fall between the halves of a character.
  const diff = "😀".repeat(20_000);
  for (let maxBytes = 2048; maxBytes < 2068; maxBytes++) {
    const fitted = fit(
      { ok: true, call: "submit_phase", changes: [{ path: "a", diff }] },
      maxBytes,
    );
    equal(fitted.call, "submit_phase");
    ok(fitted.changes[0].diff.isWellFormed());
    equal(fitted.truncated.at, "changes[0].diff");
  }
});

Deno.test("fitReply() keeps what a tool said itself about its cut", () => {
  const truncated = { shown: 500, total: 900, reason: "max_results", next: "offset 500" };
  deepEqual(fit({ ok: true, matches: LINES, truncated }, 4096).truncated, truncated);
});

Deno.test("fitReply() brings a refusal with thousands of problems into the budget", () => {
  const problems = LINES.map(({ text }) => ({ code: "x", message: text.repeat(5) }));
  equal(fit({ ok: false, error: "many", message: "m", problems }, 8192).error, "many");
});
