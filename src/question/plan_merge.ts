/**
 * Runs the steps of a plan and puts their places into one order: the definitions of the names in
 * the question, then the files as the whole question ranks them. Each file has its likeliest
 * places.
 */
import type { Explorer, Found, QuestionRefused } from "../explore/explorer.ts";
import type { PlannedStep, PlanPlace, RanStep, StepAnswer, StepOptions } from "./plan_steps.ts";
import { listPerformedCalls, runStep } from "./plan_steps.ts";
import { clipAround } from "../base/text/clip.ts";
import { countWords, findName } from "../base/text/stem.ts";

/** What a plan found. */
export interface PlanFound {
  readonly results: readonly PlanResult[];
  /** The calls that each step came to, in the order of the plan. */
  readonly outcomes: readonly (readonly RanStep[])[];
  /** The calls that were answered, also with nothing. */
  readonly answered: readonly RanStep[];
  readonly source: string;
  readonly freshness: Found["freshness"];
  readonly notices: readonly string[];
}

/** A word of the question was tried as a name: what is said of names that nobody wrote helps nobody. */
function isGuess(step: PlannedStep | undefined, { symbols }: StepOptions): boolean {
  const symbol = step?.params["symbol"];
  return symbols !== undefined && symbol !== undefined && !symbols.includes(String(symbol));
}

const NO_STEP: PlannedStep = { tool: "", params: {} };

/** Runs every step over the files below `path`. */
export async function runPlan(
  explorer: Explorer,
  steps: readonly PlannedStep[],
  options: StepOptions,
): Promise<PlanFound> {
  const answers: StepAnswer[] = [];
  for (const step of steps) {
    options.signal?.throwIfAborted();
    answers.push(await runStep(explorer, step, options));
  }
  const found = answers.flatMap(({ answer }) => answer.kind === "found" ? [answer as Found] : []);
  const notices = answers.flatMap(({ answer }, at) =>
    answer.kind === "refused"
      ? (answer as QuestionRefused).problems.map(({ message }) => `${steps[at]?.tool}: ${message}`)
      : isGuess(steps[at], options)
      ? []
      : (answer as Found).notices ?? []
  );
  const ran = answers.map((answer, at) =>
    listPerformedCalls(steps[at] ?? NO_STEP, answer, options)
  );
  // A place says what found it, which is not always what was planned.
  const told = steps.map((step, at) => ({ ...step, tool: ran[at]?.[0]?.tool ?? step.tool }));
  return {
    results: mergePlaces(told, answers, options),
    outcomes: ran,
    answered: ran.filter((_, at) => answers[at]?.answer.kind === "found").flat(),
    source: [...new Set(found.flatMap(({ source }) => source.split("+")))].sort().join("+") ||
      "none",
    freshness: found.find(({ freshness }) => freshness !== "live")?.freshness ?? "live",
    notices: [...new Set(notices)],
  };
}

/** A place that one or several steps found. */
export interface PlanResult extends Omit<PlanPlace, "weight" | "isExact" | "isWeak"> {
  /** Tools that found it. */
  readonly tools: readonly string[];
  /** 1 for the first, less for each that follows; only the order means anything. */
  readonly score: number;
}

/** What the order depends on beside the places. */
export interface MergeOptions {
  readonly words?: readonly string[];
  readonly symbols?: readonly string[];
}

const TEXT_CHARS = 200;
/** Each further step that points into a file makes its places likelier. */
const FILE_BONUS = 0.5;
const TEST = /(?:^|\/)(?:tests?|specs?|__tests__|fixtures)\/|[._-](?:test|spec)\.|(?:^|\/)test_/i;
const TEST_RATIO = 0.7;
/** Code is asked for; documents say it in more of the same words. */
const PROSE = /\.(?:md|markdown|rst|txt|json|ya?ml|toml)$/i;
const PROSE_RATIO = 0.4;
/** A name with more definitions than this says little about which is meant. */
const NAMED_FIRST = 5;
/** Places of a file that stand together, before those of the next file. */
const FILE_PLACES = 3;

interface Known {
  readonly first: PlanPlace;
  readonly weight: number;
  readonly tools: ReadonlySet<string>;
  /** A definition of a name that the question says. */
  readonly isNamed: boolean;
  /** Every step found it by a part of a name alone. */
  readonly isWeak: boolean;
}

/** One result a line; a line that several steps found stands once, with all of them. */
export function mergePlaces(
  steps: readonly PlannedStep[],
  answers: readonly StepAnswer[],
  options: MergeOptions,
): readonly PlanResult[] {
  const all = collectPlaces(steps, answers, options);
  const listed = new Set(all.filter(({ first }) => first.line > 0).map((one) => one.first.path));
  // A file without a line says nothing beside its lines.
  const kept = all.filter(({ first }) => first.line > 0 || !listed.has(first.path));
  const ranked = answers.find((answer) => answer.ranked !== undefined)?.ranked;
  const ordered = ranked === undefined ? kept.sort(byWeight) : orderByRank(kept, ranked);
  return ordered.map(({ first, tools }, at): PlanResult => {
    const { weight: _weight, isExact: _isExact, isWeak: _isWeak, text, ...place } = first;
    return {
      ...place,
      text: clipAtName(text, options.symbols, TEXT_CHARS),
      tools: [...tools].sort(),
      score: Math.round((1 - at / ordered.length) * 1_000) / 1_000,
    };
  });
}

/** The text, cut so that it shows a name of the question that it holds. */
export function clipAtName(
  text: string,
  names: readonly string[] = [],
  maxChars: number,
): string {
  const [at = 0] = names.map((name) => findName(name, text)).filter((found) => found >= 0);
  return clipAround(text, at, maxChars);
}

/** Every place once, with all that speaks for it. */
function collectPlaces(
  steps: readonly PlannedStep[],
  answers: readonly StepAnswer[],
  { words = [], symbols = [] }: MergeOptions,
): Known[] {
  const places = new Map<
    string,
    {
      first: PlanPlace;
      weight: number;
      isNamed: boolean;
      isWeak: boolean;
      readonly tools: Set<string>;
    }
  >();
  const stepsOfFile = new Map<string, Set<number>>();
  answers.forEach(({ places: own }, at) => {
    const step = steps[at];
    const isNamedStep = symbols.includes(String(step?.params["symbol"]));
    for (const place of own) {
      const key = `${place.line}\0${place.path}`;
      const known = places.get(key) ??
        { first: place, weight: 0, isNamed: false, isWeak: true, tools: new Set<string>() };
      if (place.weight > known.first.weight) known.first = place;
      known.weight += place.weight;
      known.isNamed ||= isNamedStep && place.isExact === true;
      known.isWeak &&= place.isWeak === true;
      known.tools.add(step?.tool ?? "");
      places.set(key, known);
      stepsOfFile.set(place.path, (stepsOfFile.get(place.path) ?? new Set()).add(at));
    }
  });
  return [...places.values()].map(({ weight, ...known }) => {
    const { path, symbol = "", text } = known.first;
    const others = (stepsOfFile.get(path)?.size ?? 1) - 1;
    const ratio = TEST.test(path) ? TEST_RATIO : PROSE.test(path) ? PROSE_RATIO : 1;
    const named = countWords(words, `${path} ${symbol} ${text}`);
    const full = (weight + others * FILE_BONUS) * ratio * Math.max(1, named) ** 1.5;
    return { ...known, weight: Math.round(full * 100) / 100 };
  });
}

/** The order without a ranking: what most speaks for comes first. */
function byWeight(a: Known, b: Known): number {
  return b.weight - a.weight || comparePaths(a, b) || a.first.line - b.first.line;
}

function comparePaths({ first: a }: Known, { first: b }: Known): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

interface Placed extends Known {
  readonly rank: number;
  /** Which turn of its file it stands in. */
  readonly round: number;
}

/**
 * Named definitions, then the ranked files by turns. Files that the ranking lacks follow, where
 * more than a part of a name led to them.
 */
function orderByRank(places: readonly Known[], ranked: readonly string[]): readonly Known[] {
  const ranks = new Map(ranked.map((path, at) => [path, at]));
  const rankOf = (one: Known) => ranks.get(one.first.path) ?? ranked.length;
  const sorted = places.toSorted((a, b) => rankOf(a) - rankOf(b) || byWeight(a, b));
  const named = sorted.filter(({ isNamed }) => isNamed);
  const first = new Set(named.length > NAMED_FIRST ? [] : named);
  const seen = new Map<string, number>();
  const rest = sorted.filter((one) => !first.has(one)).map((one): Placed => {
    const count = seen.get(one.first.path) ?? 0;
    seen.set(one.first.path, count + 1);
    const rank = rankOf(one);
    return { ...one, rank, round: rank < ranked.length ? Math.floor(count / FILE_PLACES) : 0 };
  });
  // What a part of a name led to is worth a line only where the file itself answers.
  const kept = rest.filter(({ isWeak, rank, round }) =>
    !isWeak || ranked.length === 0 || rank < ranked.length && round === 0
  );
  // Sorting is stable: places of one turn of a file stay in their order.
  return [...first, ...kept.sort((a, b) => a.round - b.round || a.rank - b.rank)];
}
