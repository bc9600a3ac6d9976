/** Finds the functions that a question about seen tests names, and asks the records of runs for them. */
import { waitAtMost } from "../base/clock.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { isCallable, isType } from "../impact/symbol_shape.ts";
import type { IndexView, SymbolHit } from "../index/read/view.ts";
import type { FunctionName, SeenState } from "../index/seen_runs.ts";
import type { FindSeenTests, SeenCode } from "../workflow/context/seen_code.ts";
import { findNamed } from "../workflow/look/symbol_measure.ts";
import type { Services } from "./services_api.ts";

type SeenSources = Pick<Services, "index" | "openRuns">;

/** Makes the search of a project. Nobody's work waits longer for it, or fails by it. */
export function createSeenTests(
  sources: SeenSources,
  waitMs: number = LIMITS.answerPartMs.value,
): FindSeenTests {
  return async (asked) => await waitAtMost(ask(sources, asked), waitMs).catch(() => null);
}

/** What is known for the files as they are now, of which the index knows first; null where no run was recorded. */
export async function loadSeen({ index, openRuns }: SeenSources): Promise<SeenState | null> {
  const runs = await openRuns();
  if (await runs.load() === null) return null;
  await index.ensureFresh();
  return await runs.load();
}

async function ask(sources: SeenSources, asked: readonly SeenCode[]) {
  const { index, openRuns } = sources;
  const state = asked.length > 0 ? await loadSeen(sources) : await (await openRuns()).load();
  if (state === null || asked.length === 0) return state === null ? null : [];
  const named = await index.read((view) => asked.map((code) => listFunctions(view, code)));
  return named.map((names) => ({ names, ...state.findTests(names), extent: state.extent }));
}

type Symbols = Pick<IndexView, "findSymbols" | "listSymbols">;

function listFunctions(view: Symbols, code: SeenCode): readonly FunctionName[] {
  const { symbols = [], functions = [], files = [], place } = code;
  const meant = symbols.flatMap((symbol) => findNamed(view, symbol));
  const found: readonly SymbolHit[] = [
    ...meant,
    ...meant.filter(isType).flatMap(({ path, qualifiedName }) =>
      view.listSymbols(path).filter((hit) => hit.qualifiedName.startsWith(`${qualifiedName}.`))
    ),
    ...files.flatMap((path) => view.listSymbols(path)),
    ...(place === undefined
      ? []
      : view.listSymbols(place.path).filter(({ startLine, endLine }) =>
        startLine <= place.line && place.line <= endLine
      )),
  ];
  const all = [
    ...functions,
    ...found.filter(isCallable).map(({ path, qualifiedName: name }) => ({ path, name })),
  ];
  return [...new Map(all.map((one) => [`${one.path}\0${one.name}`, one])).values()];
}
