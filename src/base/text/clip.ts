/** Cuts texts that are shown or logged. Pure. */

/**
 * The text, at most `maxChars` UTF-16 units long, with `…` at its end where it was cut; a surrogate
 * pair is never cut.
 */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** The text, cut as {@link clip} cuts it, and before the place too where that would be cut off. */
export function clipAround(text: string, at: number, maxChars: number): string {
  const isShown = text.length <= maxChars || at < maxChars / 2;
  const begin = isShown ? 0 : at - AROUND;
  return clip(
    begin === 0 ? text : `…${text.slice(begin).replace(/^[\uDC00-\uDFFF]/, "")}`,
    maxChars,
  );
}

/** The text on one line, cut as {@link clip} cuts it. */
export function clipLine(text: string, maxChars: number): string {
  return clip(text.replaceAll(/\s+/g, " ").trim(), maxChars);
}

/** Signs before what is shown, so that the reader finds the place. */
const AROUND = 24;

/**
 * Two lines as `before → after`. Where both do not fit, what they have in common is cut, so that the difference shows.
 *
 * @param maxChars most UTF-16 units of both together, with the arrow.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { clipChange } from "./clip.ts";
 * equal(clipChange("a = 1", "a = 2", 20), "a = 1 → a = 2");
 * const line = 'assert run("one", "two", "three", "four", "five") == ';
 * equal(clipChange(`${line}3`, `${line}4`, 70), '…ee", "four", "five") == 3 → …ee", "four", "five") == 4');
 * ```
 */
export function clipChange(before: string, after: string, maxChars: number): string {
  const [one, other] = [before, after].map((line) => line.replaceAll(/\s+/g, " ").trim());
  if (one === undefined || other === undefined) return "";
  const whole = `${one} → ${other}`;
  if (whole.length <= maxChars) return whole;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const begin = Math.max(0, start - AROUND);
  const each = Math.floor((maxChars - 3) / 2);
  return [one, other].map((line) => clip(begin === 0 ? line : `…${line.slice(begin)}`, each))
    .join(" → ");
}
