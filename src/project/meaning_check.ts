/** Checks what searches by meaning use: the table of word vectors, the embedding model and its vectors. Pure. */
import type { DoctorFinding } from "./finding.ts";
import { ok, warn } from "./finding.ts";

/** The facts about searches by meaning. */
export interface MeaningFacts {
  /** Why there are no word vectors; null when there are. */
  readonly wordFault: string | null;
  /** The model; null where the configuration turns it off. */
  readonly model: ModelFacts | null;
}

/** The facts about the embedding model. */
export interface ModelFacts {
  readonly modelId: string;
  /** Which questions it takes part in. */
  readonly use: "all" | "foreign";
  /** What is wrong with the model; null when nothing is. */
  readonly modelFault: string | null;
  /** Version and path of the extension that compares vectors; null where it cannot be loaded. */
  readonly extension: string | null;
  /** Why the extension cannot be loaded; empty where it is. */
  readonly extensionFault: string;
}

/** How far the vectors of the model are. */
export interface VectorFacts {
  /** Files with vectors, and all files. */
  readonly done: number;
  readonly total: number;
  /** Whether all questions in words are to have them. */
  readonly isForAll: boolean;
}

/** How many files have vectors of the model, and when the others get theirs. */
export function formatVectors(
  { done, total, isForAll }: VectorFacts,
  embeddingProcess: number | null,
): string {
  const state = `${done} of ${total} files have vectors of the model`;
  if (embeddingProcess !== null) return `${state}; process ${embeddingProcess} is making more now`;
  if (!isForAll) return `${state}, which only questions in another language ask for`;
  return done === total
    ? state
    : `${state}; ${
      total - done
    } are left, some are made after the start of a server and after each search by meaning`;
}

/** Whether the parts of the search by meaning are whole, and which questions ask the model. */
export function checkMeaning({ wordFault, model }: MeaningFacts): readonly DoctorFinding[] {
  const words = wordFault === null
    ? ok("Word vectors are whole")
    : warn(`Searches answer by words alone: ${wordFault}`, "Install the program again.");
  if (model === null) {
    return [words, ok("The model is turned off by embedding_model in config.json")];
  }
  const { modelId, use, modelFault, extension, extensionFault } = model;
  const cache =
    "Make the cache folder of your home writable, or name another by CODE_INTEL_CACHE_DIR.";
  const asked = use === "all" ? "every question in words" : "questions in another language";
  return [
    words,
    modelFault === null
      ? ok(`Model ${modelId} is whole; ${asked} ask it (embedding_model)`)
      : warn(`No question has the model: ${modelFault}`, "Install the program again."),
    extension !== null
      ? ok(extension)
      : warn(`Vectors are compared without sqlite-vec, slower: ${extensionFault}`, cache),
  ];
}
