/** Takes a request apart into its sentences. Pure. */

/** A line that begins something of its own: a point of a list, a heading, a quotation, a row of a table. */
const BEGINS = /^\s*(?:[-*+•]\s|\d+[.)]\s|#{1,6}\s|>|\|)/;
/** Lines that a writer breaks are about as long (guessed). */
const BROKEN_CHARS = 70;
const CODE_BLOCK = /^[ \t]*(```|~~~)[^\n]*\n.*?^[ \t]*\1[ \t]*$/gms;

/**
 * The sentences of a text, with a blank for each break within them, without the signs of lists and headings and those at
 * their ends. Blocks of code are left out, and lines without a letter.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { splitSentences } from "./sentences.ts";
 * deepEqual(splitSentences("# Renew loans\n\nAdd a date, which\nnobody sees. Keep the rest."), [
 *   ...["Renew loans", "Add a date, which nobody sees", "Keep the rest"],
 * ]);
 * ```
 */
export function splitSentences(text: string): readonly string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const line of text.replaceAll(CODE_BLOCK, "").split("\n")) {
    const last = lines.at(-1) ?? "";
    const isBroken = /^\s*\p{Ll}/u.test(line) || /[,;]$/.test(last) || last.length >= BROKEN_CHARS;
    const words = line.trim();
    if (isOpen && isBroken && words !== "" && !BEGINS.test(line)) {
      lines[lines.length - 1] = `${last} ${words}`;
    } else lines.push(words.replace(BEGINS, "").trim());
    isOpen = words !== "" && !/^\s*#{1,6}\s/.test(line) && !/[.!?:]$/.test(words);
  }
  return lines.flatMap((line) => line.split(/(?<=[.!?])\s+/))
    .map((part) => part.trim().replace(/[.!?]$/, "")).filter((part) => /\p{L}/u.test(part));
}
