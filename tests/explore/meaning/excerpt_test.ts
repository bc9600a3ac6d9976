/** Which lines of a long chunk are shown. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { pickExcerpt } from "../../../src/explore/meaning/semantic_hits.ts";

const LINES = [
  "export class Shop {",
  ...Array.from({ length: 30 }, (_, at) => `  open${at}(): void {}`),
  "  closeAtNight(guest: Guest): void {",
  "    this.lock(guest);",
  "  }",
  "}",
];

Deno.test("pickExcerpt() shows the lines that say most, and the first ones where none say more", () => {
  const pick = (words: readonly string[], maxChars = 120) =>
    pickExcerpt(LINES, { words, heads: new Set([31]), maxChars });
  const night = pick(["close", "night", "guests"]);
  equal(night.at, 31);
  ok(night.text.startsWith("  closeAtNight") && night.text.endsWith("}"));
  const first = pick(["shop"]);
  equal(first.at, 0);
  ok(first.text.startsWith("export class Shop") && first.text.endsWith("\n…"));
  ok(first.text.length <= 122);
  deepEqual(pick(["guest"], 5_000), { at: 0, text: LINES.join("\n") });
  equal(
    pickExcerpt(["x".repeat(50)], { words: [], heads: new Set(), maxChars: 9 }).text.length,
    11,
  );
});
