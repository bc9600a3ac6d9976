/** What a session asks of the code and of the past, tests near a change among it; the rest is loaded when it asks. */
import { waitAtMost } from "../base/clock.ts";
import { readProjectSource } from "../base/files/source_text.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { MeaningSearch } from "../explore/meaning/meaning_types.ts";
import type { ImpactAnalyzer } from "../impact/analyze.ts";
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

/** More symbols of one file nobody asks for. */
const MOST_SYMBOLS = 50;

async function listSymbols(explorer: Explorer, path: string): Promise<readonly string[]> {
  const answer = await explorer.getSymbols({ path, maxResults: MOST_SYMBOLS }).catch(() => null);
  if (answer?.kind !== "found") return [];
  return answer.symbols.map(({ name, line }) => `${name} :${line}`);
}
