/** Which lines of a chunk are shown, where it is too long to be shown whole. Pure. */
import { findWords } from "../../base/text/count_words.ts";

/** Lines of a chunk that follow each other. */
export interface Excerpt {
  /** Position of the first line in the chunk, from 0. */
  readonly at: number;
  /** Its lines; `…` stands for what is left out behind them. */
  readonly text: string;
}

/** Half of what the excerpt says should be in its first lines: who shortens an answer keeps these. */
const FIRST_LINES = 3;
// A definition's first lines say what the rest is about; other lines must say a word more to be shown instead.
const HEAD_BONUS = 1;

/**
 * The lines that have most of the words of a question, as many as the bound allows; the first ones where no others have
 * more. A line that is longer than the bound is cut.
 *
 * @param heads positions of lines in which a definition begins.
 */
export function pickExcerpt(
  lines: readonly string[],
  { words, heads, maxChars }: {
    readonly words: readonly string[];
    readonly heads: ReadonlySet<number>;
    readonly maxChars: number;
  },
): Excerpt {
  const whole = lines.join("\n");
  if (whole.length <= maxChars) return { at: 0, text: whole };
  const met = lines.map((line) => new Set(findWords(words, line)));
  const held = words.map((word) => met.filter((own) => own.has(word)).length);
  // A word of every other line says little of each.
  const worth = new Map(words.map((word, at) => [word, 1 / Math.sqrt(Math.max(1, held[at] ?? 1))]));
  const tell = (from: number, to: number) => {
    const said = new Set(met.slice(from, to).flatMap((own) => [...own]));
    return [...said].reduce((sum, word) => sum + (worth.get(word) ?? 0), 0);
  };
  let best = { at: 0, score: -1 };
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const end = findEnd(lines, at, maxChars);
    const score = tell(at, end) + tell(at, Math.min(end, at + FIRST_LINES)) +
      (at === 0 || heads.has(at) ? HEAD_BONUS : 0);
    if (score > best.score) best = { at, score };
  }
  const end = findEnd(lines, best.at, maxChars);
  const text = lines.slice(best.at, end).join("\n").slice(0, maxChars);
  const isCut = end < lines.length || text.length < lines.slice(best.at, end).join("\n").length;
  return { at: best.at, text: isCut ? `${text}\n…` : text };
}

/** Position behind the last line that the bound allows; at least one is taken. */
function findEnd(lines: readonly string[], from: number, maxChars: number): number {
  let chars = 0;
  for (let at = from; at < lines.length; at++) {
    chars += (lines[at]?.length ?? 0) + (at === from ? 0 : 1);
    if (chars > maxChars) return Math.max(from + 1, at);
  }
  return lines.length;
}
