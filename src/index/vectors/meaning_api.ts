/** What vectors of a worktree offer to the rest of the program. Pure types. */
import type { Embedder } from "../../embedding/embedder.ts";
import type { IndexFile } from "../store/index_file.ts";
import type { SharedContents } from "../read/view.ts";
import type { HeldVector, Layer, NearSpan, SpanScore } from "./vector_table.ts";

/** What the index of meaning works with. */
export interface MeaningOptions {
  /** Absolute path of the project. */
  readonly root: string;
  readonly file: IndexFile;
  readonly embedder: Embedder;
  /** Vectors that other machines made; absent without any. */
  readonly shared?: SharedContents;
  readonly nowMs: () => number;
  /** Most whole texts that are embedded beside the digests: `max_chunks` of the configuration. */
  readonly loadMaxTexts: () => Promise<number>;
  /** Called with one sentence that says why vectors stopped being made. */
  readonly onNotice: (notice: string) => void;
  /** Digests that are made after one activity; default `LIMITS.vectorsAtOnce`. */
  readonly vectorsAtOnce?: number;
}

/** Files beside a question. */
export interface Comparison {
  /** Spans of each file that has vectors, nearest first. */
  readonly files: ReadonlyMap<string, readonly SpanScore[]>;
  /** What any span of the worktree has on average, for telling what is near: cosines of this model are high. */
  readonly mean: number;
  /** How far spans lie from the mean. */
  readonly deviation: number;
  /** Files that were asked for and have no vectors yet. */
  readonly missing: number;
}

/** How far the vectors are. */
export interface MeaningProgress {
  /** Files with digests, and files. */
  readonly done: number;
  readonly total: number;
  /** Vectors of digests. */
  readonly digests: number;
  /** Vectors of whole texts. */
  readonly texts: number;
  /** Files that lack vectors of a layer that is asked for: digests always, whole texts once a question wanted them. */
  readonly left: number;
}

/** What is to be made behind the answers. */
export interface StartOptions {
  /** Files whose vectors are worth most, first of all. */
  readonly first?: readonly string[];
  /** Whole texts too, which only questions in another language ask for. */
  readonly hasTexts?: boolean;
}

/** How a question is compared. */
export interface CompareOptions {
  /** Default `digest`. */
  readonly layer?: Layer;
  /** Longest time for vectors that are missing, default `LIMITS.embedBudgetMs`. */
  readonly budgetMs?: number;
  readonly signal?: AbortSignal;
}

/** How far missing vectors are made. */
export interface FinishOptions {
  readonly signal?: AbortSignal;
  /** Most files, in the order of their paths; default all. */
  readonly maxFiles?: number;
}

/** Vectors of one worktree. Nothing is loaded or started before the first call. */
export interface VectorIndex {
  /** Whether there is a model. */
  isAvailable(): Promise<boolean>;
  /**
   * Goes on making vectors behind the answers, `LIMITS.vectorsAtOnce` at most; then it rests until the next call.
   * May be called at every answer.
   */
  start(options?: StartOptions): void;
  /**
   * How near files are to a question, vectors of files that lack them made first, in the order of `paths`.
   *
   * @throws {CodeIntelError} `embedding_failed`, `cancelled`, `io_failed`.
   */
  compare(
    question: string,
    paths: readonly string[],
    options?: CompareOptions,
  ): Promise<Comparison>;
  /**
   * The spans of the whole worktree that are nearest to a question, of what has vectors.
   *
   * @throws {CodeIntelError} `embedding_failed`, `cancelled`, `io_failed`.
   */
  findNearest(
    question: string,
    options: CompareOptions & { readonly limit: number },
  ): Promise<readonly NearSpan[]>;
  /**
   * How far the vectors are; at most two seconds old while they are being made, here or by another
   * process.
   *
   * @param revision of the files in the index: unless it is the one of before, all is counted again.
   */
  progress(revision?: number): Promise<MeaningProgress>;
  /** Makes every missing vector of a layer now; for tests, `code-intel index` and benchmarks. */
  finish(layer: Layer, options?: FinishOptions): Promise<void>;
  /** Name of the model that makes the vectors. */
  readonly modelId: string;
  /** The vectors of the worktree's digests, for other machines. */
  listVectors(): Promise<readonly HeldVector[]>;
  /** Ends when nothing is being made behind the answers. */
  whenResting(): Promise<void>;
  /** Keeps vectors that nobody waits for from being made until it is disposed of. */
  hold(): Disposable;
  /** Ends what is under way. */
  close(): Promise<void>;
}
