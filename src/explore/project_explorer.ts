/**
 * The explorer of a project: answers from the index, and from the files as they are now where the index
 * is not built, cannot be used, or does not hold what is asked for.
 */
import { CodeIntelError } from "../base/errors.ts";
import type { ExploreOptions, Explorer } from "./explorer.ts";
import { FactStore } from "../resolve/mod.ts";
import { getFunctionAtLine } from "./function_at_line.ts";
import type { ExplorerOptions } from "./index_access.ts";
import { findIndexedDefinitions } from "./indexed_definitions.ts";
import { findIndexedReferences } from "./indexed_references.ts";
import { getIndexedSymbols } from "./indexed_symbols.ts";
import { withLineNotices } from "./line_notices.ts";
import { createLiveExplorer } from "./live/live_explorer.ts";
import { resolvePlace } from "./scope.ts";
import { analyzeStructure } from "./structure.ts";

/** Makes the explorer. Nothing is opened, started or read until the first question. */
export function createExplorer(options: ExplorerOptions): Explorer {
  const context = { ...options, facts: options.facts ?? new FactStore(options) };
  const live = createLiveExplorer(context);
  return {
    checkPath: async (path, { signal } = {}) => {
      const place = await resolvePlace(context, path, signal);
      return place.kind === "refused" ? place.problems : [];
    },
    searchText: live.searchText,
    searchFiles: live.searchFiles,
    findDefinitions: (input, options = {}) =>
      guard(options, () => findIndexedDefinitions(context, live, input, options)),
    findReferences: (input, options = {}) =>
      guard(
        options,
        async () => withLineNotices(await findIndexedReferences(context, live, input, options)),
      ),
    getSymbols: (input, options = {}) =>
      guard(options, () => getIndexedSymbols(context, live, input, options)),
    analyzeStructure: (input, options = {}) =>
      guard(options, () => analyzeStructure(context, live, input, options)),
    getFunctionAtLine: (input, options = {}) =>
      guard(options, () => getFunctionAtLine(context, input, options)),
  };
}

/** A cancelled question ends with the code of its own, wherever the signal was seen. */
async function guard<T>({ signal }: ExploreOptions, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (cause) {
    if (signal?.aborted !== true || cause instanceof CodeIntelError) throw cause;
    throw new CodeIntelError("cancelled", "Cannot finish the search: the call was cancelled", {
      cause,
    });
  }
}
