/** Matches of lines for a budget that holds no more. */
import { cutLine } from "../backends/text_query.ts";
import type { TextMatch } from "./explorer.ts";

/** A line that was cut, smaller still, around its first match: for a budget that holds no more. */
export function shortenMatch(
  { before: _before, after: _after, ...match }: TextMatch,
  maxChars: number,
): TextMatch {
  const { submatches } = match;
  const cut = cutLine(match.text, submatches.slice(0, 1), maxChars);
  const count = match.submatchCount ?? submatches.length;
  return {
    ...match,
    text: cut.text,
    submatches: cut.ranges,
    ...(count > cut.ranges.length ? { submatchCount: count } : {}),
    ...(cut.text === match.text ? {} : { isCut: true }),
  };
}
