/** Judges the rules that an agent cites from documents, at step 3 and where it corrects them later. Pure. */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { clip } from "../../base/text/clip.ts";
import { normaliseText } from "../../base/text/shared_words.ts";
import { countShared, isInside, isSimilar, SHARED_WORDS } from "../../base/text/shared_words.ts";
import type { Facts } from "../facts.ts";
import type { CommonPart } from "../payload/payloads.ts";
import type { SessionState } from "../state.ts";
import type { JudgedRows } from "./rule.ts";
import { checkLines, checkPaths, judgeRows } from "./rule.ts";
import { parseLines } from "../../base/text/places.ts";

/** A rule as an agent cites it. */
export type CitedRule = NonNullable<CommonPart["rules"]>[number];

/** What a refusal shows of each other cited line, so that all wrong ones are seen at once. */
const CITED_CHARS = 60;

/** The cited rules: those whose source is there and says something, and what is wrong with the others. */
export function judgeCited(
  sent: readonly CitedRule[],
  facts: Facts,
): JudgedRows<CitedRule> {
  return judgeRows(
    sent,
    (rule, index) => checkRule(rule, `data.mandatory_rules[${index}].source`, facts),
  );
}

function checkRule(rule: CitedRule, at: string, facts: Facts): readonly Problem[] {
  const { source } = rule;
  if (chooseMeantSource(rule, facts) !== source) return [];
  const better = formatBetterSource(source, facts);
  const place = parseLines(source);
  const missing = place === null ? checkPaths([source], at, facts) : checkLines(place, at, facts);
  if (missing.length > 0) {
    return missing.map((problem) =>
      better.length === 0 ? problem : { ...problem, hint: better.join(" ") }
    );
  }
  if (facts.cited?.[source]?.trim() !== "") return checkHeading(rule, at, facts);
  const others = Object.entries(facts.cited ?? {}).filter(([, text]) => text.trim() !== "")
    .map(([source, text]) => `${source} says "${clip(text, CITED_CHARS)}"`);
  return [makeProblem("rule_not_there", `${source} is blank: no rule stands there`, {
    at,
    hint: ["Name the lines that say the rule.", ...better, ...others].join(" "),
  })];
}

/** Problems of a rule that cites a heading, where neither it nor a line of its section says the rule. */
function checkHeading(
  { rule, source }: CitedRule,
  at: string,
  facts: Facts,
): readonly Problem[] {
  const section = facts.sections?.[source];
  // Words of a script without blanks cannot be counted.
  if (section === undefined || /[\p{scx=Han}\p{scx=Kana}\p{scx=Thai}]/u.test(rule)) return [];
  if (section.some((line) => isInside(rule, line) || countShared(rule, line) >= SHARED_WORDS)) {
    return [];
  }
  return [
    makeProblem("rule_not_there", `${source} is a heading, and its section says no such rule`, {
      at,
      hint: ["Name the line that says the rule.", ...formatBetterSource(source, facts)].join(" "),
    }),
  ];
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

/** The place that a rule means: the line beside a blank one where that says it, else the one that was sent. */
function chooseMeantSource(
  { rule, source }: CitedRule,
  { cited = {}, nearby = {}, better = {}, lines = {} }: Pick<
    Facts,
    "cited" | "nearby" | "better" | "lines"
  >,
): string {
  const found = better[source];
  const { path = "", end = 0 } = parseLines(source) ?? {};
  const isNowhere = cited[source]?.trim() === "" || end > (lines[path] ?? Infinity);
  // The very words of the rule stand in one line of the file: that one is meant.
  if (isNowhere && found !== undefined && isInside(rule, found.text)) return found.source;
  if ((cited[source] ?? "x").trim() !== "") return source;
  return nearby[source]?.find(({ text }) => isSimilar(rule, text))?.source ?? source;
}

const CORRECT_BY =
  "Where a line is the wrong one, send its rule again with the right source, as mandatory_rules beside the next payload.";

/** The cited lines in which the words of their rule do not stand, for a second look; empty where all say their rule. */
export function buildDoubtfulFields(
  rules: readonly CitedRule[],
  facts: Pick<Facts, "cited" | "better" | "nearby" | "lines">,
): Readonly<Record<string, unknown>> {
  const { cited = {} } = facts;
  const doubtful = rules.flatMap((sent) => {
    const { rule, source } = sent;
    const line = cited[source];
    const meant = chooseMeantSource(sent, facts);
    if (meant !== source) return [[source, `taken as ${meant}`] as const];
    if (line === undefined || isSimilar(rule, line)) return [];
    return [[source, [line, ...formatBetterSource(source, facts)].join(" … ")] as const];
  });
  if (doubtful.length === 0) return {};
  return { "cited_lines": Object.fromEntries(doubtful), "correct_by": CORRECT_BY };
}
