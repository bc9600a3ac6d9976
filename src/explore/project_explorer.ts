/**
 * The explorer of a project: answers from the index. Files are read for the question where the
 * index is not built, cannot be used, or lacks what is asked for.
 */
import { CodeIntelError } from "../base/errors.ts";
import { FactStore } from "../resolve/fact_store.ts";
import type { TemporaryIndex } from "../index/index_api.ts";
import type { ExploreOptions, Explorer, Found, QuestionRefused } from "./explorer.ts";
import { findDefinitions } from "./names/definitions.ts";
import { searchFiles } from "./file_search.ts";
import { getFunctionAtLine } from "./function_at_line.ts";
import type { ExplorerOptions, QuestionContext } from "./index_access.ts";
import { findReferences } from "./names/references.ts";
import { resolvePlace } from "./scope.ts";
import { askUntilStable, listAnswerFiles, removePlaces } from "./settled.ts";
import { analyzeStructure } from "./structure.ts";
import { getSymbols } from "./names/symbols.ts";
import { searchText } from "./text_search.ts";

/** Makes the explorer. Nothing is opened, started or read until the first question. */
export function createExplorer(options: ExplorerOptions): Explorer {
  const context = { ...options, facts: options.facts ?? new FactStore(options) };
  const ask =
    <Input, Answer extends Found>(answer: Question<Input, Answer>) =>
    async (input: Input, options: ExploreOptions = {}): Promise<Answer | QuestionRefused> => {
      const peeks: TemporaryIndex[] = [];
      const own = { ...context, onPeek: (peek: TemporaryIndex) => peeks.push(peek) };
      try {
        return await askUntilStable<Answer, QuestionRefused>(() => answer(own, input, options), {
          index: context.index,
          filesOf: listAnswerFiles,
          findChangedLive: (paths) => peeks.flatMap((peek) => peek.findChanged(paths)),
          without: removePlaces,
        });
      } catch (cause) {
        // A cancelled question ends with the code of its own, wherever the signal was seen.
        if (options.signal?.aborted !== true || cause instanceof CodeIntelError) throw cause;
        const message = "Cannot finish the search: the call was cancelled";
        throw new CodeIntelError("cancelled", message, { cause });
      }
    };
  return {
    checkPath: async (path, { signal } = {}) => {
      const place = await resolvePlace(context, path, signal);
      return place.kind === "refused" ? place.problems : [];
    },
    searchText: ask(searchText),
    searchFiles: ask(searchFiles),
    findDefinitions: ask(findDefinitions),
    findReferences: ask(findReferences),
    getSymbols: ask(getSymbols),
    analyzeStructure: ask(analyzeStructure),
    getFunctionAtLine: ask(getFunctionAtLine),
  };
}

type Question<Input, Answer> = (
  context: QuestionContext,
  input: Input,
  options: ExploreOptions,
) => Promise<Answer | QuestionRefused>;
