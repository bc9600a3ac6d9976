/** Cuts texts that are shown or logged. Pure. */

/**
 * The text, at most `maxChars` UTF-16 units long, with `…` at its end where it was cut; a surrogate
 * pair is never cut.
 */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** The text on one line, cut as {@link clip} cuts it. */
export function clipLine(text: string, maxChars: number): string {
  return clip(text.replaceAll(/\s+/g, " ").trim(), maxChars);
}
