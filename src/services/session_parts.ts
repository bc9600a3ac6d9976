/** What a session asks of the code and of the past, tests near a change among it; the rest is loaded when it asks. */
import { LIMITS } from "../base/settings/limits.ts";
import type { ImpactAnalyzer } from "../impact/analyze.ts";
import type { Explorer } from "../explore/explorer.ts";
import type { RepositoryHistory } from "../history/repository_history.ts";
import type { CodeIndex } from "../index/index_api.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";
import type { Learning } from "../workflow/context/learning.ts";
import { createSymbolMeasure } from "../workflow/look/symbol_measure.ts";
import type { RequestHistory } from "./request_past.ts";

/** Steps from the change to its tests. */
const DEPTH = 2;

/**
 * Makes the search of a project.
 *
 * @returns Test files relative to the project, nearest first; none where the analysis cannot tell in time.
 */
export function createNearTests(
  impact: ImpactAnalyzer,
  budgetMs: number = LIMITS.peekMs.value,
): (files: readonly string[]) => Promise<readonly string[]> {
  return async (targetFiles) => {
    const signal = AbortSignal.timeout(budgetMs);
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    signal.addEventListener("abort", () => resolve([]), { once: true });
    const input = { targetFiles, symbols: [], isDiff: false, changeDescription: "", depth: DEPTH };
    // Without an answer the session's own tests are all that run.
    const found = impact.analyze(input, { signal })
      .then((answer) => answer.kind === "found" ? answer.tests : []).catch(() => []);
    return await Promise.race([found, promise]);
  };
}

/** What a session is answered from. */
export interface SessionSources {
  readonly index: CodeIndex;
  readonly explorer: Explorer;
  readonly impact: ImpactAnalyzer;
  readonly history: RepositoryHistory;
  readonly openLearning: () => Promise<Learning>;
  readonly past: RequestHistory;
}

/** The answers, as the workflow takes them. */
export function createSessionParts(sources: SessionSources): Pick<
  WorkflowDeps,
  | "listSymbols"
  | "listTouched"
  | "measureSymbols"
  | "findNearTests"
  | "measureScale"
  | "openLearning"
  | "recallPast"
  | "planRequest"
> {
  const { index, explorer, impact, openLearning, past } = sources;
  return {
    listSymbols: (path) => listSymbols(explorer, path),
    listTouched: async (input) => {
      const { createTouchedReader } = await import("./request_scale.ts");
      return await createTouchedReader(index)(input);
    },
    measureSymbols: createSymbolMeasure({ index, openLearning }),
    findNearTests: createNearTests(impact),
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
