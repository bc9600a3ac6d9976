/**
 * The explorer without an index: each question is answered from the files as they are now, by ripgrep
 * and ctags or the built-in ways. An index can take its place behind the same interface.
 */
import { CodeIntelError } from "../../base/errors.ts";
import { findDefinitions } from "./definitions.ts";
import type { ExploreOptions, LiveExplorer } from "../explorer.ts";
import { searchFiles } from "../file_search.ts";
import type { LiveExplorerOptions } from "../../backends/mod.ts";
import { findReferences } from "./references.ts";
import { getSymbols } from "./symbols.ts";
import { searchText } from "../text_search.ts";

/** Makes the explorer of one project. Nothing is started or read until the first question. */
export function createLiveExplorer(context: LiveExplorerOptions): LiveExplorer {
  const ask = <Input, Answer>(
    answer: (
      context: LiveExplorerOptions,
      input: Input,
      options: ExploreOptions,
    ) => Promise<Answer>,
  ) =>
  async (input: Input, options: ExploreOptions = {}): Promise<Answer> => {
    try {
      return await answer(context, input, options);
    } catch (cause) {
      if (options.signal?.aborted !== true || cause instanceof CodeIntelError) throw cause;
      throw new CodeIntelError("cancelled", "Cannot finish the search: the call was cancelled", {
        cause,
      });
    }
  };
  return {
    searchText: ask(searchText),
    searchFiles: ask(searchFiles),
    findDefinitions: ask(findDefinitions),
    findReferences: ask(findReferences),
    getSymbols: ask(getSymbols),
  };
}
