/** How each step of a plan is asked, and what its answer means as places. */
import type { ExploreOptions, Explorer, Found, QuestionRefused } from "../explore/explorer.ts";
import type { MeaningSearch, SemanticHit } from "../explore/meaning/meaning_types.ts";
import { isMinorKind } from "../language/kinds.ts";

/** A step as the router plans it. */
export interface PlannedStep {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A place that a step found. */
export interface PlanPlace {
  readonly path: string;
  /** Name of the symbol, where the step named it. */
  readonly symbol?: string;
  /** 1-based; 0 for a file as a whole. */
  readonly line: number;
  readonly endLine?: number;
  /** The line, or the kind and signature of the definition. */
  readonly text: string;
  /** What the place does with the symbol. */
  readonly role: "definition" | "reference" | "text" | "file";
  /** More is likelier. */
  readonly weight: number;
  /** A definition of the very name that was asked for. */
  readonly isExact?: boolean;
  /** Only a part of its name is like a word of the question. */
  readonly isWeak?: boolean;
}

/** A call that was made, as it can be sent again, and its exact number of results. */
export interface RanStep extends PlannedStep {
  readonly total: number;
}

/** What came of a step. */
export interface StepAnswer {
  readonly answer: Found | QuestionRefused;
  readonly places: readonly PlanPlace[];
  /** Files as the question as a whole ranks them, best first, where the step ranks. */
  readonly ranked?: readonly string[];
  /** The calls that were made, where they are not the step as it was planned. */
  readonly ran?: readonly RanStep[];
}

/** What the steps of a plan share. */
export interface StepOptions extends ExploreOptions {
  /** Only below this folder, where a step does not name its own. */
  readonly path?: string;
  /** Words of the question. */
  readonly words?: readonly string[];
  /** Names that the question says itself: their definitions come first, and lines that hold one tell more. */
  readonly symbols?: readonly string[];
  /** Ranks the files of the whole question; without it words are looked for one by one. */
  readonly ranking?: Ranking;
}

/** The question as a search by meaning takes it. */
export interface Ranking {
  readonly meaning: Pick<MeaningSearch, "search">;
  readonly question: string;
  /** What the request is about, as the session's frame says it. */
  readonly sessionTarget?: string;
  /** Text in quotes, which is looked for as it is. */
  readonly quoted: readonly string[];
}

/** Runs one step; a tool that no plan runs finds nothing. */
export async function runStep(
  explorer: Explorer,
  { tool, params }: PlannedStep,
  options: StepOptions,
): Promise<StepAnswer> {
  return await RUNNERS[tool]?.(explorer, params, options) ?? NOTHING;
}

const NOTHING: StepAnswer = { answer: { kind: "refused", problems: [] }, places: [] };

const EACH_STEP = 60;
/** Files that a ranking tells of; further ones are too unlikely to be an answer. */
const RANKED_FILES = 30;
/**
 * A file with less than this share of the best score is among the answers only because the list has room: of 81
 * questions on four repositories of others 99 % of the right files stay, and of 18 files 8.
 */
const LEAST_SHARE = 0.4;
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
const SMALL_RATIO = 0.5;

type Runner = (
  explorer: Explorer,
  params: Readonly<Record<string, unknown>>,
  options: StepOptions,
) => Promise<StepAnswer>;

/** How a step is asked, and what its answer means. */
const RUNNERS: Readonly<Record<string, Runner>> = {
  find_definitions: async (explorer, params, options) => {
    const input = { symbol: String(params["symbol"]), exactMatch: false };
    const answer = await explorer.findDefinitions({ ...input, ...buildPage(options) }, options);
    const places = answer.kind === "refused" ? [] : answer.definitions.map((one): PlanPlace => ({
      path: one.path,
      symbol: one.scope === undefined ? one.name : `${one.scope}.${one.name}`,
      line: one.line,
      ...(one.endLine === undefined ? {} : { endLine: one.endLine }),
      text: `${one.kind} ${one.name}${one.signature ?? ""}`,
      role: "definition",
      weight: WEIGHTS[answer.match] * (isMinorKind(one.kind) ? SMALL_RATIO : 1),
      ...(answer.match === "exact" ? { isExact: true } : {}),
      ...(answer.match === "sub_word" ? { isWeak: true } : {}),
    }));
    return { answer, places };
  },
  find_references: async (explorer, params, options) => {
    const symbol = String(params["symbol"]);
    const input = { symbol, includeText: false, ...buildPage(options) };
    const answer = await explorer.findReferences(input, options);
    const found = answer.kind === "refused" ? [] : answer.references;
    // An import says that a file uses it; where it does so is what is asked.
    const places = found.filter(({ kind }) => kind !== "import").map((one): PlanPlace => ({
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
    const { ranking } = options;
    if (ranking === undefined) return await searchLines(explorer, patterns, options);
    const ranked = await rankFiles(ranking, options);
    // An index that cannot answer yet leaves the words themselves.
    if (ranked.answer.kind === "refused") return await searchLines(explorer, patterns, options);
    const call = buildRankingCall(ranking, ranked, options);
    if (ranking.quoted.length === 0) return { ...ranked, ran: [call] };
    const lines = await searchLines(explorer, ranking.quoted, options);
    const own = { ...params, pattern: ranking.quoted, ...keepPath(options) };
    return {
      ...ranked,
      ran: [call, { tool: "search_text", params: own, total: readTotal(lines) }],
      answer: joinSources(ranked.answer, lines.answer),
      places: [...ranked.places, ...lines.places],
    };
  },
  get_symbols: async (explorer, params, options) => {
    const input = { ...buildPage({}), path: String(params["path"]) };
    const answer = await explorer.getSymbols(input, options);
    const places = answer.kind === "refused" ? [] : answer.symbols.map((one): PlanPlace => ({
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
    const input = { ...buildPage({}), path: String(params["file_path"]) };
    const answer = await explorer.analyzeStructure(input, options);
    const paths = answer.kind === "refused" ? [] : answer.shownFiles;
    return { answer, places: paths.map((path) => buildFilePlace(path)) };
  },
  search_files: async (explorer, params, options) => {
    const input = { pattern: String(params["pattern"]), ...buildPage(options) };
    const answer = await explorer.searchFiles(input, options);
    const paths = answer.kind === "refused" ? [] : answer.files.slice(0, EACH_STEP / 4);
    return { answer, places: paths.map((path) => ({ ...buildFilePlace(path), isWeak: true })) };
  },
};

function buildPage(options: { readonly path?: string }) {
  return { maxResults: EACH_STEP, ...keepPath(options) };
}

function keepPath({ path }: { readonly path?: string }) {
  return path === undefined ? {} : { path };
}

/** Steps that name their own file. */
const OWN_PATH = new Set(["get_symbols", "analyze_structure"]);

/** The calls that a step came to. */
export function listPerformedCalls(
  { tool, params }: PlannedStep,
  answer: StepAnswer,
  options: StepOptions,
): readonly RanStep[] {
  const path = OWN_PATH.has(tool) ? {} : keepPath(options);
  return answer.ran ?? [{ tool, params: { ...params, ...path }, total: readTotal(answer) }];
}

function readTotal({ answer }: StepAnswer): number {
  return answer.kind === "found" ? (answer as Found).total : 0;
}

function buildRankingCall(
  { question }: Ranking,
  ranked: StepAnswer,
  options: StepOptions,
): RanStep {
  const params = { query: question, collection: "forest", "n_results": RANKED_FILES };
  return {
    tool: "semantic_search",
    params: { ...params, ...keepPath(options) },
    total: readTotal(ranked),
  };
}

function buildFilePlace(path: string): PlanPlace {
  return { path, line: 0, text: "", role: "file", weight: WEIGHTS.file };
}

/** Lines that have any of the texts. */
async function searchLines(
  explorer: Explorer,
  patterns: readonly string[],
  options: StepOptions,
): Promise<StepAnswer> {
  const answer = await explorer.searchText({
    patterns,
    caseSensitive: false,
    fixed: true,
    wholeWord: false,
    contextLines: 0,
    ...buildPage(options),
  }, options);
  const places = answer.kind === "refused" ? [] : answer.matches.map((one): PlanPlace => ({
    path: one.path,
    line: one.line,
    text: one.text.trim(),
    role: "text",
    // A line with several of the words tells more.
    weight: WEIGHTS.text * Math.max(1, one.matched?.length ?? 1) ** 2,
  }));
  return { answer, places };
}

function joinSources(answer: Found, more: Found | QuestionRefused): Found {
  if (more.kind === "refused") return answer;
  return { ...answer, source: `${answer.source}+${(more as Found).source}` };
}

/** The files that answer the question as a whole, in the order of `semantic_search`. */
async function rankFiles(
  { meaning, question, sessionTarget }: Ranking,
  { path, words = [], symbols = [], signal }: StepOptions,
): Promise<StepAnswer> {
  const answer = await meaning.search({
    query: question,
    collection: "forest",
    maxResults: RANKED_FILES,
    explain: false,
    telling: { names: symbols, words },
    ...(path === undefined ? {} : { path }),
    ...(sessionTarget === undefined ? {} : { sessionTarget }),
  }, signal === undefined ? {} : { signal });
  if (answer.kind === "refused") return { answer, places: [] };
  const least = (answer.hits[0]?.score ?? 0) * LEAST_SHARE;
  const hits = answer.hits.filter(({ score }) => score >= least);
  return { answer, places: hits.map(buildTextPlace), ranked: hits.map((hit) => hit.path) };
}

/** The most telling line of a file, or the file as a whole. */
function buildTextPlace(hit: SemanticHit): PlanPlace {
  const { path, telling, startLine, contentLine = startLine, endLine, name, content } = hit;
  if (telling === null) return buildFilePlace(path);
  const [text = ""] = (content ?? "").split("\n");
  const { name: symbol, ...place } = telling ??
    { line: contentLine, endLine, text: text.trim(), ...(name === undefined ? {} : { name }) };
  return {
    path,
    ...place,
    ...(symbol === undefined ? {} : { symbol }),
    role: "text",
    weight: WEIGHTS.text,
  };
}
