/** Runs the steps of a plan and puts what they found into one list, the likeliest places first. */
import type { ExploreOptions, Explorer, ExploreRefused, Found } from "./explorer.ts";

/** A step as the router plans it. */
export interface PlannedStep {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A place that one or several steps found. */
export interface PlanResult {
  readonly path: string;
  /** Name of the symbol, where a step told it. */
  readonly symbol?: string;
  /** 1-based; 0 for a file as a whole. */
  readonly line: number;
  readonly endLine?: number;
  /** The line, or the kind and signature of the definition; at most 200 characters. */
  readonly text: string;
  /** Tools that found it. */
  readonly tools: readonly string[];
  /** More is likelier; only the order means anything. */
  readonly score: number;
  /** What the place does with the symbol. */
  readonly role: "definition" | "reference" | "text" | "file";
}

/** What a plan found. */
export interface PlanFound {
  readonly results: readonly PlanResult[];
  /** How each step ended, in the order of the plan. */
  readonly outcomes: readonly { readonly tool: string; readonly total: number }[];
  readonly source: string;
  readonly freshness: Found["freshness"];
  readonly notices: readonly string[];
}

interface Place extends Omit<PlanResult, "tools" | "score"> {
  readonly weight: number;
}

interface StepAnswer {
  readonly answer: Found | ExploreRefused;
  readonly places: readonly Place[];
}

const EACH_STEP = 60;
const TEXT_CHARS = 200;
/** A definition of the very name tells most; a file name tells least. */
const WEIGHTS = {
  exact: 6,
  case_insensitive: 4,
  sub_word: 2.5,
  resolved: 2,
  named: 1.2,
  text: 1,
  file: 0.6,
} as const;
/** Of the definitions that are only like the question, those that do something tell more. */
const SMALL = new Set(["property", "variable", "constant", "field", "enumerator", "key"]);
const SMALL_RATIO = 0.5;
/** Each further step that points into a file makes its places likelier. */
const FILE_BONUS = 0.5;
const TEST = /(?:^|\/)(?:tests?|specs?|__tests__|fixtures)\/|[._-](?:test|spec)\.|(?:^|\/)test_/i;
const TEST_RATIO = 0.7;
/** Code is asked for; documents say it in more of the same words. */
const PROSE = /\.(?:md|markdown|rst|txt|json|ya?ml|toml)$/i;
const PROSE_RATIO = 0.4;

/** How a plan is run. */
export interface PlanOptions extends ExploreOptions {
  /** Only below this folder, where a step does not name its own. */
  readonly path?: string;
  /** Words of the question: places that have several of them are likelier. */
  readonly words?: readonly string[];
}

/** Runs every step over the files below `path`. */
export async function runPlan(
  explorer: Explorer,
  steps: readonly PlannedStep[],
  options: PlanOptions,
): Promise<PlanFound> {
  const answers: StepAnswer[] = [];
  for (const step of steps) {
    options.signal?.throwIfAborted();
    answers.push(await RUNNERS[step.tool]?.(explorer, step.params, options) ?? NOTHING);
  }
  const found = answers.flatMap(({ answer }) => answer.kind === "found" ? [answer as Found] : []);
  const notices = answers.flatMap(({ answer }, at) =>
    answer.kind === "refused"
      ? (answer as ExploreRefused).problems.map(({ message }) => `${steps[at]?.tool}: ${message}`)
      : (answer as Found).notices ?? []
  );
  return {
    results: merge(steps, answers, options.words ?? []),
    outcomes: steps.map(({ tool }, at) => {
      const answer = answers[at]?.answer;
      return { tool, total: answer?.kind === "found" ? (answer as Found).total : 0 };
    }),
    source: [...new Set(found.flatMap(({ source }) => source.split("+")))].sort().join("+"),
    freshness: found.find(({ freshness }) => freshness !== "live")?.freshness ?? "live",
    notices: [...new Set(notices)],
  };
}

const NOTHING: StepAnswer = { answer: { kind: "refused", problems: [] }, places: [] };

type Runner = (
  explorer: Explorer,
  params: Readonly<Record<string, unknown>>,
  options: ExploreOptions & { readonly path?: string },
) => Promise<StepAnswer>;

/** How a step is asked, and what its answer means. */
const RUNNERS: Readonly<Record<string, Runner>> = {
  find_definitions: async (explorer, params, options) => {
    const input = { symbol: String(params["symbol"]), exactMatch: false };
    const answer = await explorer.findDefinitions({ ...input, ...toPage(options) }, options);
    const places = answer.kind === "refused" ? [] : answer.definitions.map((one): Place => ({
      path: one.path,
      symbol: one.scope === undefined ? one.name : `${one.scope}.${one.name}`,
      line: one.line,
      ...(one.endLine === undefined ? {} : { endLine: one.endLine }),
      text: `${one.kind} ${one.name}${one.signature ?? ""}`,
      role: "definition",
      weight: WEIGHTS[answer.match] * (SMALL.has(one.kind) ? SMALL_RATIO : 1),
    }));
    return { answer, places };
  },
  find_references: async (explorer, params, options) => {
    const symbol = String(params["symbol"]);
    const input = { symbol, includeText: false, ...toPage(options) };
    const answer = await explorer.findReferences(input, options);
    const places = answer.kind === "refused" ? [] : answer.references.map((one): Place => ({
      path: one.path,
      symbol,
      line: one.line,
      text: one.text.trim(),
      role: one.kind === "definition" ? "definition" : "reference",
      weight: one.confidence === "resolved" ? WEIGHTS.resolved : WEIGHTS.named,
    }));
    return { answer, places };
  },
  search_text: async (explorer, params, options) => {
    const patterns = (params["pattern"] as readonly unknown[]).map(String);
    const answer = await explorer.searchText({
      patterns,
      caseSensitive: false,
      fixed: true,
      wholeWord: false,
      contextLines: 0,
      ...toPage(options),
    }, options);
    const places = answer.kind === "refused" ? [] : answer.matches.map((one): Place => ({
      path: one.path,
      line: one.line,
      text: one.text.trim(),
      role: "text",
      // A line with several of the words tells more.
      weight: WEIGHTS.text * Math.max(1, one.matched?.length ?? 1) ** 2,
    }));
    return { answer, places };
  },
  get_symbols: async (explorer, params, options) => {
    const input = { ...toPage({}), path: String(params["path"]) };
    const answer = await explorer.getSymbols(input, options);
    const places = answer.kind === "refused" ? [] : answer.symbols.map((one): Place => ({
      path: one.path,
      symbol: one.name,
      line: one.line,
      text: `${one.kind} ${one.name}${one.signature ?? ""}`,
      role: "definition",
      weight: WEIGHTS.named,
    }));
    return { answer, places };
  },
  analyze_structure: async (explorer, params, options) => {
    const input = { ...toPage({}), path: String(params["file_path"]) };
    const answer = await explorer.analyzeStructure(input, options);
    const paths = answer.kind === "refused" ? [] : answer.shownFiles;
    return { answer, places: paths.map((path) => toFilePlace(path)) };
  },
  search_files: async (explorer, params, options) => {
    const input = { pattern: String(params["pattern"]), ...toPage(options) };
    const answer = await explorer.searchFiles(input, options);
    const paths = answer.kind === "refused" ? [] : answer.files.slice(0, EACH_STEP / 4);
    return { answer, places: paths.map((path) => toFilePlace(path)) };
  },
};

function toPage({ path }: { readonly path?: string }) {
  return { maxResults: EACH_STEP, ...(path === undefined ? {} : { path }) };
}

function toFilePlace(path: string): Place {
  return { path, line: 0, text: "", role: "file", weight: WEIGHTS.file };
}

/** One result a line; a line that several steps found stands once, with all of them. */
function merge(
  steps: readonly PlannedStep[],
  answers: readonly StepAnswer[],
  words: readonly string[],
): readonly PlanResult[] {
  const places = new Map<string, { first: Place; weight: number; readonly tools: Set<string> }>();
  const stepsOfFile = new Map<string, Set<number>>();
  answers.forEach(({ places: own }, at) => {
    for (const place of own) {
      const key = `${place.line}\0${place.path}`;
      const known = places.get(key) ?? { first: place, weight: 0, tools: new Set<string>() };
      if (place.weight > known.first.weight) known.first = place;
      known.weight += place.weight;
      known.tools.add(steps[at]?.tool ?? "");
      places.set(key, known);
      stepsOfFile.set(place.path, (stepsOfFile.get(place.path) ?? new Set()).add(at));
    }
  });
  const listed = new Set(
    [...places.values()].filter(({ first }) => first.line > 0).map((one) => one.first.path),
  );
  return [...places.values()]
    // A file without a line says nothing beside its lines.
    .filter(({ first }) => first.line > 0 || !listed.has(first.path))
    .map(({ first, weight, tools }): PlanResult => {
      const { weight: _weight, text, ...place } = first;
      const others = (stepsOfFile.get(first.path)?.size ?? 1) - 1;
      const ratio = TEST.test(first.path) ? TEST_RATIO : PROSE.test(first.path) ? PROSE_RATIO : 1;
      const named = countWords(words, `${first.path} ${first.symbol ?? ""} ${text}`);
      const full = (weight + others * FILE_BONUS) * ratio * Math.max(1, named) ** 1.5;
      return {
        ...place,
        text: text.length > TEXT_CHARS ? `${text.slice(0, TEXT_CHARS - 1)}…` : text,
        tools: [...tools].sort(),
        score: Math.round(full * 100) / 100,
      };
    })
    .sort((a, b) =>
      b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line)
    );
}

/** How many of the words, or their stems, stand in the text. */
function countWords(words: readonly string[], text: string): number {
  const lower = text.toLowerCase();
  return words.filter((word) => lower.includes(toStem(word.toLowerCase()))).length;
}

/** `cleaned`, `branches` and `checks` as their beginnings, by which other forms are found. */
function toStem(word: string): string {
  const stem = word.replace(/(?:ing|ed|es|s)$/, "");
  return stem.length >= 3 ? stem : word;
}
