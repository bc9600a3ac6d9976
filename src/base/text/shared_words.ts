/** Whether two texts say the same in other words, as far as words alone can tell. Pure. */

/** A text without what two writers differ in: case, signs, blanks. */
export function normaliseText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\d]+/gu, " ").trim();
}

/** Whether a rule is a part of the line, or a line of several words a part of the rule. */
export function isInside(rule: string, line: string): boolean {
  const [own, other] = [normaliseText(rule), normaliseText(line)];
  const has = (whole: string, part: string) => part !== "" && ` ${whole} `.includes(` ${part} `);
  return has(other, own) || other.includes(" ") && has(own, other);
}

/** So many words in common say that a line is the one that a rule means. */
export const SHARED_WORDS = 2;

/** Whether a rule, which the agent words itself, says what the line does. */
export function isSimilar(rule: string, line: string): boolean {
  const words = new Set(splitWords(line));
  return countShared(rule, line) >= Math.min(SHARED_WORDS, Math.max(1, words.size));
}

/** How many words of some length a line has in common with a rule. */
export function countShared(rule: string, line: string): number {
  const own = new Set(splitWords(rule));
  return [...new Set(splitWords(line))].filter((word) => own.has(word)).length;
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\d_]{4,}/gu) ?? [];
}
