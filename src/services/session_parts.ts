/** What a session asks of the code and of the past, tests near a change among it; the rest is loaded when it asks. */
import { waitAtMost } from "../base/clock.ts";
import { readProjectSource } from "../base/files/source_text.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { MeaningSearch } from "../explore/meaning/meaning_types.ts";
import type { ImpactAnalyzer, ImpactFound } from "../impact/analyze.ts";
import type { Explorer } from "../explore/explorer.ts";
import type { RepositoryHistory } from "../history/repository_history.ts";
import type { CodeIndex } from "../index/index_api.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";
import type { Learning } from "../workflow/context/learning.ts";
import { createSymbolMeasure } from "../workflow/look/symbol_measure.ts";
import type { SeenRuns } from "../index/seen_runs.ts";
import { groupTitles } from "../index/seen_runs.ts";
import type { RequestHistory } from "./request_past.ts";

/** Steps from the change to its tests. */
const DEPTH = 2;

/** What a session is answered from. */
export interface SessionSources {
  readonly projectRoot: string;
  readonly index: CodeIndex;
  readonly explorer: Explorer;
  readonly impact: ImpactAnalyzer;
  readonly history: RepositoryHistory;
  readonly meaning: Pick<MeaningSearch, "search">;
  readonly openLearning: () => Promise<Learning>;
  readonly openRuns: () => Promise<SeenRuns>;
  readonly past: RequestHistory;
}

/** The answers, as the workflow takes them. */
export type SessionAnswers = Pick<
  WorkflowDeps,
  | "listSymbols"
  | "listTouched"
  | "measureSymbols"
  | "findNearTests"
  | "findSeenTests"
  | "findByMeaning"
  | "describeDiff"
  | "planTests"
  | "measureScale"
  | "openLearning"
  | "recallPast"
  | "planRequest"
>;

/** Makes them. */
export function createSessionParts(sources: SessionSources): SessionAnswers {
  const { index, explorer, impact, openLearning, past } = sources;
  return {
    listSymbols: (path) => listSymbols(explorer, path),
    listTouched: async (input) => {
      const { createTouchedReader } = await import("./request_scale.ts");
      return await createTouchedReader(index)(input);
    },
    measureSymbols: createSymbolMeasure({ index, openLearning }),
    findNearTests: async (targetFiles) => {
      const empty = { symbols: [], isDiff: false, changeDescription: "", depth: DEPTH };
      const budgetMs = LIMITS.peekMs.value;
      const answer = impact.analyze({ targetFiles, ...empty }, {
        signal: AbortSignal.timeout(budgetMs),
      });
      // Without an answer the session's own tests are all that run.
      const found = await waitAtMost(answer, budgetMs).catch(() => null);
      return found?.kind === "found" ? found.tests : [];
    },
    planTests: async (tests, own) => {
      const { buildTestRun, readTestTools } = await import("../impact/test_command.ts");
      const read = async (path: string) => await readProjectSource(sources, path) ?? "";
      const tools = await readTestTools(await index.listFiles(), read);
      const names = groupTitles(tests);
      const run = buildTestRun([...names.keys()], { own, targets: [], tools, names });
      return run?.command ?? null;
    },
    findSeenTests: async (asked) => {
      const { createSeenTests } = await import("./seen_tests.ts");
      return await createSeenTests(sources)(asked);
    },
    findByMeaning: async (text) => {
      const { orient } = await import("../question/orientation.ts");
      const limitMs = LIMITS.answerPartMs.value;
      const looked = orient(text, {
        ...sources,
        symbols: [],
        signal: AbortSignal.timeout(limitMs),
      });
      const { places } = await waitAtMost(looked, limitMs).catch(() => null) ?? { places: [] };
      return places.map(({ at, symbol = "" }) => {
        const [, path = at, line = "1"] = /^(.*):(\d+)(?:-\d+)?$/.exec(at) ?? [];
        return { path, line: Number(line), name: symbol };
      });
    },
    describeDiff: (files, tree) => describeDiff(impact, { files, tree }),
    measureScale: async (symbols) => {
      const { createRequestScale } = await import("./request_scale.ts");
      return await createRequestScale(sources)(symbols);
    },
    openLearning,
    recallPast: (query, beside) => past.recall(query, { waitMs: LIMITS.freshnessMs.value, beside }),
    planRequest: async (state) => {
      const { planRequest } = await import("./request_scale.ts");
      return await planRequest(past, state);
    },
  };
}

/** Places of each kind that are named; more nobody reads (guessed). */
const MOST_NAMED = 4;

async function describeDiff(
  impact: ImpactAnalyzer,
  { files, tree }: { readonly files: readonly string[]; readonly tree: string },
): ReturnType<WorkflowDeps["describeDiff"]> {
  const limitMs = LIMITS.answerPartMs.value;
  const options = { signal: AbortSignal.timeout(limitMs), seen: tree };
  const asked = { targetFiles: [], symbols: [], isDiff: true, changeDescription: "", depth: 1 };
  const within = <T>(work: Promise<T>) => waitAtMost(work, limitMs).catch(() => null);
  const [facts, answer] = await Promise.all([
    within(impact.describeDiff(files, options)),
    within(impact.analyze(asked, options)),
  ]);
  return { ...facts, ...(answer?.kind === "found" ? listUsers(answer, files) : {}) };
}

/** Who uses what changed, outside of the diff, and the tests that reach it. A person's own changes are not asked about. */
function listUsers(
  { targets, files, tests }: ImpactFound,
  changed: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const own = new Set(
    targets.filter(({ path }) => changed.includes(path)).flatMap(({ symbols }) => symbols),
  );
  const users = files.filter(({ path, isMust, isTest }) =>
    isMust && !isTest && !changed.includes(path)
  ).flatMap(({ edges }) =>
    edges.filter(({ symbol, kind }) => own.has(symbol) && kind !== "import").slice(0, 1)
  ).map(({ path, line, symbol }) => `${path}:${line} uses ${symbol}`);
  const near = tests.filter((path) => !changed.includes(path));
  return {
    ...(users.length === 0 ? {} : { used_outside: cutList(users) }),
    ...(near.length === 0 || own.size === 0 ? {} : { tests_that_reach: cutList(near) }),
  };
}

function cutList(texts: readonly string[]): readonly string[] {
  const more = texts.length - MOST_NAMED;
  return more > 0 ? [...texts.slice(0, MOST_NAMED), `${more} more`] : texts;
}

/** More symbols of one file nobody asks for. */
const MOST_SYMBOLS = 50;

async function listSymbols(explorer: Explorer, path: string): Promise<readonly string[]> {
  const answer = await explorer.getSymbols({ path, maxResults: MOST_SYMBOLS }).catch(() => null);
  if (answer?.kind !== "found") return [];
  return answer.symbols.map(({ name, line }) => `${name} :${line}`);
}
