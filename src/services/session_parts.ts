/** What a session asks of the code and of the past, tests near a change among it; the rest is loaded when it asks. */
import { waitAtMost } from "../base/clock.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { ImpactAnalyzer } from "../impact/analyze.ts";
import type { Explorer } from "../explore/explorer.ts";
import type { RepositoryHistory } from "../history/repository_history.ts";
import type { CodeIndex } from "../index/index_api.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";
import type { Learning } from "../workflow/context/learning.ts";
import type { FindSeenTests } from "../workflow/context/seen_code.ts";
import { createSymbolMeasure } from "../workflow/look/symbol_measure.ts";
import type { SeenRuns } from "../index/seen_runs.ts";
import type { RequestHistory } from "./request_past.ts";

/** Steps from the change to its tests. */
const DEPTH = 2;

/** What a session is answered from. */
export interface SessionSources {
  readonly index: CodeIndex;
  readonly explorer: Explorer;
  readonly impact: ImpactAnalyzer;
  readonly history: RepositoryHistory;
  readonly openLearning: () => Promise<Learning>;
  readonly openRuns: () => Promise<SeenRuns>;
  readonly past: RequestHistory;
}

/** The answers, as the workflow takes them. */
export function createSessionParts(sources: SessionSources): Pick<
  WorkflowDeps,
  | "listSymbols"
  | "listTouched"
  | "measureSymbols"
  | "findNearTests"
  | "findSeenTests"
  | "measureScale"
  | "openLearning"
  | "recallPast"
  | "planRequest"
> {
  const { index, explorer, impact, openLearning, past } = sources;
  const findSeenTests: FindSeenTests = async (asked) => {
    const { createSeenTests } = await import("./seen_tests.ts");
    return await createSeenTests(sources)(asked);
  };
  return {
    listSymbols: (path) => listSymbols(explorer, path),
    listTouched: async (input) => {
      const { createTouchedReader } = await import("./request_scale.ts");
      return await createTouchedReader(index)(input);
    },
    measureSymbols: createSymbolMeasure({ index, openLearning }),
    findNearTests: async (targetFiles) => {
      const input = {
        targetFiles,
        symbols: [],
        isDiff: false,
        changeDescription: "",
        depth: DEPTH,
      };
      const budgetMs = LIMITS.peekMs.value;
      const answer = impact.analyze(input, { signal: AbortSignal.timeout(budgetMs) });
      const [seen, near] = await Promise.all([
        findSeenTests([{ files: targetFiles }]),
        // Where neither can tell, the session's own tests are all that run.
        waitAtMost(answer, budgetMs).catch(() => null),
      ]);
      const own = near?.kind === "found" ? near.tests : [];
      return [...new Set([...seen?.[0]?.tests.map(({ file }) => file) ?? [], ...own])];
    },
    findSeenTests,
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
