/** Words that all texts for people share, and texts of others in them. */
import { match, strictEqual as equal } from "node:assert/strict";
import {
  escapeLine,
  escapeText,
  formatCount,
  formatDuration,
  formatTime,
  quoteShellWord,
} from "../../../src/base/text/plain_text.ts";

for (const path of ["src/a.ts", "a b", "it's", "$HOME", "a\nb", "*", "'", "-rf"]) {
  Deno.test(`quoteShellWord() makes one word of ${JSON.stringify(path)}`, async () => {
    const args = ["-c", `printf %s ${quoteShellWord(path)}`];
    const { stdout } = await new Deno.Command("sh", { args }).output();
    equal(new TextDecoder().decode(stdout), path.startsWith("-") ? `./${path}` : path);
  });
}

Deno.test("escapeText() numbers what turns the writing or moves a cursor, and leaves emoji and lines", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["a\u202eb", "a[U+202E]b"],
    ["\u001b[31m", "[U+001B][31m"],
    ["a\r\nb\tc", "a\nb\tc"],
    ["a\rb", "a[U+000D]b"],
    ["👩‍👩‍👧 שלום", "👩‍👩‍👧 שלום"],
    ["\ud800x", "[U+D800]x"],
  ];
  for (const [text, expected] of rows) equal(escapeText(text), expected);
  equal(escapeLine("a\nb\r\n"), "a[U+000A]b[U+000A]");
});

Deno.test("times, durations and counts are words", () => {
  const local = new Date(2026, 0, 5, 7, 8, 9);
  match(formatTime(local.toISOString()), /^2026-01-05 07:08 (?:UTC|[+-]\d\d:\d\d)$/);
  equal(formatTime("2026-01-05T07:08:09+05:30"), formatTime("2026-01-05T01:38:09Z"));
  for (const text of ["2026-01-05", "at 2026-01-05T07:08:09.000Z", "v1"]) {
    equal(formatTime(text), text);
  }
  const rows: readonly (readonly [number, string])[] = [
    [0.42, "0.4 s"],
    [59.4, "59 s"],
    [60, "1 min"],
    [119.7, "2 min"],
    [3_599.9, "1 h 0 min"],
    [7_500, "2 h 5 min"],
  ];
  for (const [seconds, expected] of rows) equal(formatDuration(seconds), expected);
  equal(formatCount(1, "file"), "1 file");
  equal(formatCount("1,000", "copy", "copies"), "1,000 copies");
});
