/** Texts of people and agents, cut for one line of a log or a reply. Pure. */

/** The text on one line, at most `maxChars` characters, with a mark where it was cut. */
export function cutText(text: string, maxChars: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const chars = line.length > maxChars ? [...line] : [];
  return chars.length > maxChars ? `${chars.slice(0, maxChars - 1).join("")}…` : line;
}
