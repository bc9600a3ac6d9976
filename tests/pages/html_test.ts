/** Texts of others in pages: escaped, with characters that turn the writing shown by number. */
import { strictEqual as equal } from "node:assert/strict";
import { code, markup, theirs } from "../../src/pages/html.ts";
import { toDurationText, toShownText, toTimeText } from "../../src/pages/plain.ts";
import { toOutcomeText } from "../../src/report/plain.ts";

Deno.test("markup escapes every value, in texts and attributes, and joins lists", () => {
  equal(markup`<p title="${`"'`}">${"<b>&"}</p>`.text, '<p title="&quot;&#39;">&lt;b&gt;&amp;</p>');
  equal(
    markup`<ul>${["a", "<"].map((one) => markup`<li>${one}</li>`)}${null}${3}</ul>`.text,
    "<ul><li>a</li><li>&lt;</li></ul>".replace("</ul>", "3</ul>"),
  );
  equal(theirs("</bdi>").text, "<bdi>&lt;/bdi&gt;</bdi>");
  equal(code("a`b").text, "<code><bdi>a`b</bdi></code>");
});

Deno.test("toShownText() numbers what turns the writing or moves a cursor, and leaves emoji and lines", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["a\u202eb", "a[U+202E]b"],
    ["\u001b[31m", "[U+001B][31m"],
    ["a\r\nb\tc", "a\nb\tc"],
    ["a\rb", "a[U+000D]b"],
    ["👩‍👩‍👧 שלום", "👩‍👩‍👧 שלום"],
    ["\ud800x", "[U+D800]x"],
  ];
  for (const [text, expected] of rows) equal(toShownText(text), expected);
});

Deno.test("times, durations and outcomes are words", () => {
  equal(toTimeText("2026-01-31T14:25:30.000Z"), "2026-01-31 14:25 UTC");
  equal(toTimeText("later"), "later");
  const rows: readonly (readonly [number, string])[] = [
    [0.42, "0.4 s"],
    [59.4, "59 s"],
    [60, "1 min"],
    [119.7, "2 min"],
    [3_599.9, "1 h 0 min"],
    [7_500, "2 h 5 min"],
  ];
  for (const [seconds, expected] of rows) equal(toDurationText(seconds), expected);
  const running = { status: "active", end: null, step: 13, phase: "READY" };
  equal(toOutcomeText(running), "running: step 13 of 19, READY");
  equal(toOutcomeText({ ...running, status: "ended", end: "merged" }), "merged");
});
