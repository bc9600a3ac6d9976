/** What a session asks of the code and the past: how large a request is, what its plan is, and which definitions it changed. Loaded when one is asked. */
import { waitAtMost } from "../base/clock.ts";
import { findTouched } from "../impact/diff.ts";
import { holderOf } from "../impact/symbol_shape.ts";
import type { CodeIndex } from "../index/index_api.ts";
import type { SymbolHit } from "../index/read/view.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";
import type { SessionState } from "../phase/state.ts";
import { routeQuestion } from "../question/router.ts";
import type { RequestHistory } from "./request_past.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { Explorer, Reference } from "../explore/explorer.ts";
import type { RepositoryHistory } from "../history/repository_history.ts";
import { countFollowUps } from "../history/similar_work.ts";
import { parseTestName } from "../language/test_names.ts";
import type { ScaleFacts } from "../phase/facts.ts";
import type { Learning } from "../workflow/context/learning.ts";

/** Makes the reader of a project; it analyses the text itself, whatever the index has of the file. */
export function createTouchedReader(
  index: Pick<CodeIndex, "peek">,
): WorkflowDeps["listTouched"] {
  return async ({ path, text, lines }) => {
    using peek = await index.peek({ isBrief: true });
    await peek.addText(text, { path });
    const own = await peek.read((view) => view.listSymbols(path));
    return findTouched(own, lines).map((hit) => ({
      name: hit.qualifiedName,
      holders: listHolders(hit, own).map(({ qualifiedName }) => qualifiedName),
    }));
  };
}

function listHolders(hit: SymbolHit, own: readonly SymbolHit[]): readonly SymbolHit[] {
  const holder = holderOf(hit, own);
  return holder === null ? [] : [holder, ...listHolders(holder, own)];
}

/** Which tools an understood request leads to, and which past commits are like it. */
export async function planRequest(
  past: RequestHistory,
  { query, intent, frame }: SessionState,
): ReturnType<WorkflowDeps["planRequest"]> {
  const { plan } = routeQuestion({
    question: query,
    intent,
    slots: frame?.slots ?? null,
    targetSymbols: frame?.targetSymbols ?? [],
  });
  return {
    toolsPlanned: [...new Set(plan.map(({ tool }) => tool))],
    pastCommits: [...await past.listCommits(query)],
  };
}

/** What is measured with. */
export interface RequestScaleOptions {
  readonly explorer: Pick<Explorer, "findDefinitions" | "findReferences">;
  readonly index: Pick<CodeIndex, "ensureFresh">;
  readonly history: Pick<RepositoryHistory, "peekKept">;
  readonly openLearning: () => Promise<Pick<Learning, "countTroubled">>;
  /** Longest wait in milliseconds; default `LIMITS.answerPartMs`. */
  readonly budgetMs?: number;
}

/** A request that names more symbols is no small one. */
const MOST_SYMBOLS = 4;
/** Definitions of one name that are still one place to change. */
const MOST_SAME_NAMED = 4;
const REFERENCES_READ = 200;

/**
 * Makes the measure of a project.
 *
 * @returns Null where no symbol is named, or where the index cannot tell in time: then nothing is judged.
 */
export function createRequestScale(
  options: RequestScaleOptions,
): (symbols: readonly string[]) => Promise<ScaleFacts | null> {
  return async (symbols) => {
    if (symbols.length === 0 || symbols.length > MOST_SYMBOLS) return null;
    const budgetMs = options.budgetMs ?? LIMITS.answerPartMs.value;
    const measured = measure(symbols, options, AbortSignal.timeout(budgetMs));
    // What cannot be looked up is not judged: the session goes on as usual.
    return await waitAtMost(measured, budgetMs).catch(() => null);
  };
}

async function measure(
  symbols: readonly string[],
  { explorer, index, history, openLearning }: RequestScaleOptions,
  signal: AbortSignal,
): Promise<ScaleFacts | null> {
  const { files: known, pendingTotal } = await index.ensureFresh({
    budgetMs: LIMITS.answerPartMs.value,
  });
  if (known === 0 || pendingTotal > 0) return null;
  const files = new Set<string>();
  const using: Reference[] = [];
  let places = 0;
  let missing = 0;
  for (const symbol of symbols) {
    const found = await explorer.findDefinitions(
      { symbol, exactMatch: true, maxResults: MOST_SAME_NAMED + 1 },
      { signal },
    );
    const definitions = found.kind === "refused" ? [] : found.definitions;
    if (definitions.length === 0) missing++;
    places += definitions.length;
    for (const { path } of definitions) files.add(path);
    const name = symbol.split(/::|->|[.#\\]/).findLast((part) => part !== "") ?? symbol;
    const references = await explorer.findReferences({
      symbol: name,
      includeText: false,
      maxResults: REFERENCES_READ,
    }, { signal });
    if (references.kind === "refused") return null;
    using.push(...references.references);
  }
  const users = [...new Set(using.map(({ path }) => path))].filter((path) => !files.has(path));
  const own = using.filter(({ path, kind }) => files.has(path) && kind !== "definition");
  const tests = users.filter((path) => parseTestName(path) !== null);
  const past = await history.peekKept(LIMITS.freshnessMs.value);
  return {
    places,
    missing,
    files: [...files].sort(),
    users: users.length - tests.length,
    ...(own.length === 0 ? {} : { ownUses: own.length }),
    tests: tests.length,
    reverted: past === null ? 0 : countFollowUps(past.past, [...files]),
    troubled: await (await openLearning()).countTroubled({ symbols, files: [...files] }),
  };
}
