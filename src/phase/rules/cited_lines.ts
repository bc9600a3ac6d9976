/** Judges the rules that an agent cites from documents, at step 3 and where it corrects them later. Pure. */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { clip } from "../../base/text/clip.ts";
import { normaliseText } from "../contract/clauses.ts";
import type { Facts } from "../facts.ts";
import type { CommonPart } from "../payload/payloads.ts";
import type { SessionState } from "../state.ts";
import { checkLines, checkPaths, parseLines } from "./rule.ts";

/** A rule as an agent cites it. */
export type CitedRule = NonNullable<CommonPart["rules"]>[number];

/** What a refusal shows of each other cited line, so that all wrong ones are seen at once. */
const CITED_CHARS = 60;

/** Problems of rules whose source is not there, or is blank. */
export function checkCited(sent: readonly CitedRule[], facts: Facts): readonly Problem[] {
  const problems = sent.flatMap(({ source }, index) => {
    const at = `data.mandatory_rules[${index}].source`;
    const place = parseLines(source);
    return place === null ? checkPaths([source], at, facts) : checkLines(place, at, facts);
  });
  const cited = Object.entries(facts.cited ?? {});
  const others = cited.filter(([, text]) => text.trim() !== "")
    .map(([source, text]) => `${source} says "${clip(text, CITED_CHARS)}"`);
  const blank = sent.flatMap((rule, index) => {
    const { source } = rule;
    const isBlank = facts.cited?.[source]?.trim() === "";
    if (!isBlank || chooseMeantSource(rule, facts) !== source) return [];
    return [makeProblem("rule_not_there", `${source} is blank: no rule stands there`, {
      at: `data.mandatory_rules[${index}].source`,
      hint: ["Name the lines that say the rule.", ...formatBetterSource(source, facts), ...others]
        .join(
          " ",
        ),
    })];
  });
  return [...problems, ...blank, ...checkHeadings(sent, facts)];
}

/** Problems of rules that cite a heading, where neither it nor a line of its section says the rule. */
function checkHeadings(sent: readonly CitedRule[], facts: Facts): readonly Problem[] {
  return sent.flatMap(({ rule, source }, index) => {
    const section = facts.sections?.[source];
    // Words of a script without blanks cannot be counted.
    if (section === undefined || /[\p{scx=Han}\p{scx=Kana}\p{scx=Thai}]/u.test(rule)) return [];
    if (section.some((line) => isInside(rule, line) || countShared(rule, line) >= SHARED_WORDS)) {
      return [];
    }
    return [
      makeProblem("rule_not_there", `${source} is a heading, and its section says no such rule`, {
        at: `data.mandatory_rules[${index}].source`,
        hint: ["Name the line that says the rule.", ...formatBetterSource(source, facts)].join(" "),
      }),
    ];
  });
}

/** Whether a rule is a part of the line, or a line of several words a part of the rule. */
function isInside(rule: string, line: string): boolean {
  const [own, other] = [normaliseText(rule), normaliseText(line)];
  const has = (whole: string, part: string) => part !== "" && ` ${whole} `.includes(` ${part} `);
  return has(other, own) || other.includes(" ") && has(own, other);
}

/** Where the rule seems to stand, for a hint. */
function formatBetterSource(
  source: string,
  { better = {} }: Pick<Facts, "better">,
): readonly string[] {
  const found = better[source];
  return found === undefined
    ? []
    : [`Perhaps ${found.source}: "${clip(found.text, CITED_CHARS)}".`];
}

/** The rules as they are kept, each with the place that it means. */
export function buildRules(sent: readonly CitedRule[], facts: Facts): SessionState["rules"] {
  return sent.map((row) => ({
    rule: row.rule,
    source: chooseMeantSource(row, facts),
    ...(row.to_change === true ? { toChange: true } : {}),
  }));
}

/**
 * The rules after a later payload cited some again: a rule in the same words has the new source, any other is added. None
 * goes away, and none is made one that the request changes: only step 3 says that.
 */
export function correctRules(
  known: SessionState["rules"],
  sent: readonly CitedRule[],
  facts: Facts,
): SessionState["rules"] {
  return buildRules(sent, facts).reduce<SessionState["rules"]>((rules, { rule, source }) => {
    const isSame = (one: { readonly rule: string }) =>
      normaliseText(one.rule) === normaliseText(rule);
    return rules.some(isSame)
      ? rules.map((one) => isSame(one) ? { ...one, source } : one)
      : [...rules, { rule, source }];
  }, known);
}

/** So many words in common say that a line is the one that a rule means. */
const SHARED_WORDS = 2;

/** Whether a rule, which the agent words itself, says what the line does. */
function isSimilar(rule: string, line: string): boolean {
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

/** The place that a rule means: the line beside a blank one where that says it, else the one that was sent. */
function chooseMeantSource(
  { rule, source }: CitedRule,
  { cited = {}, nearby = {} }: Pick<Facts, "cited" | "nearby">,
): string {
  if ((cited[source] ?? "x").trim() !== "") return source;
  return nearby[source]?.find(({ text }) => isSimilar(rule, text))?.source ?? source;
}

const CORRECT_BY =
  "Where a line is the wrong one, send its rule again with the right source, as mandatory_rules beside the next payload.";

/** The cited lines in which the words of their rule do not stand, for a second look; empty where all say their rule. */
export function buildDoubtfulFields(
  rules: readonly CitedRule[],
  facts: Pick<Facts, "cited" | "better">,
): Readonly<Record<string, unknown>> {
  const { cited = {} } = facts;
  const doubtful = rules.flatMap(({ rule, source }) => {
    const line = cited[source];
    if (line === undefined || isSimilar(rule, line)) return [];
    return [[source, [line, ...formatBetterSource(source, facts)].join(" … ")] as const];
  });
  if (doubtful.length === 0) return {};
  return { "cited_lines": Object.fromEntries(doubtful), "correct_by": CORRECT_BY };
}
