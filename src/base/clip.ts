/** Cuts texts that are shown. Pure. */

/**
 * The text, at most `maxChars` UTF-16 units long, with `…` at its end where it was cut; a surrogate
 * pair is never cut.
 */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
