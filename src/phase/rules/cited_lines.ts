/** Compares rules with the lines that they cite. Pure. */
import type { Facts } from "../facts.ts";

interface CitedRule {
  readonly rule: string;
  readonly source: string;
}

/** So many words in common say that a line is the one that a rule means. */
const SHARED_WORDS = 2;

/** Whether a rule, which the agent words itself, says what the line does. */
function saysSame(rule: string, line: string): boolean {
  const own = new Set(toWords(rule));
  const words = [...new Set(toWords(line))];
  const shared = words.filter((word) => own.has(word)).length;
  return shared >= Math.min(SHARED_WORDS, Math.max(1, words.length));
}

function toWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\d_]{4,}/gu) ?? [];
}

/** The place that a rule means: the line beside a blank one where that says it, else the one that was sent. */
export function toMeantSource(
  { rule, source }: CitedRule,
  { cited = {}, nearby = {} }: Pick<Facts, "cited" | "nearby">,
): string {
  if ((cited[source] ?? "x").trim() !== "") return source;
  return nearby[source]?.find(({ text }) => saysSame(rule, text))?.source ?? source;
}

/** The cited lines in which the words of their rule do not stand, for a second look. */
export function listDoubtful(
  rules: readonly CitedRule[],
  cited: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const doubtful = rules.flatMap(({ rule, source }) => {
    const line = cited[source];
    return line === undefined || saysSame(rule, line) ? [] : [[source, line] as const];
  });
  return Object.fromEntries(doubtful);
}
