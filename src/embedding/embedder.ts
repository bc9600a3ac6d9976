/**
 * Vectors of texts, made in threads beside the one that answers. Nothing is loaded before the first
 * text. When there has been no text for a while, the memory of the model is freed.
 */
import { CodeIntelError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { WorkerPool } from "../base/processes/worker_pool.ts";
import type { TextRole } from "./encoder.ts";
import { hasModel, MODEL_ID } from "./model_files.ts";

/** One text for a thread. */
export interface EmbeddingJob {
  readonly role: TextRole;
  readonly text: string;
  readonly maxTokens?: number;
}

/** What a thread says of a text. */
export type EmbeddingResult =
  | { readonly kind: "vector"; readonly vector: Float32Array }
  | { readonly kind: "failed"; readonly reason: string };

/** How a text is embedded. */
export interface EmbedOptions {
  /** An answer waits for it: before all texts that nobody waits for. */
  readonly isUrgent?: boolean;
  /** Most tokens that are read of the text, default all that the model takes. */
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
}

/** Makes vectors of texts: 384 numbers of length 1, alike where the meaning is. */
export interface Embedder {
  /** Names the model; vectors of another name cannot be compared with its own. */
  readonly modelId: string;
  /** Texts that can be worked on at once. */
  readonly concurrency: number;
  /** Whether the files of the model are there. */
  isAvailable(): Promise<boolean>;
  /**
   * The vector of a question.
   *
   * @throws {CodeIntelError} `embedding_failed`, `cancelled`.
   */
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>;
  /**
   * The vector of what may answer a question.
   *
   * @throws {CodeIntelError} `embedding_failed`, `cancelled`.
   */
  embedPassage(text: string, options?: EmbedOptions): Promise<Float32Array>;
  /**
   * While it is held, and a little longer, no text begins that is not urgent, so that answers have the
   * machine for themselves.
   */
  hold(): Disposable;
  /** Ends the threads. The next text starts them again. */
  close(): void;
}

/** What an embedder is made of. */
export interface EmbedderOptions {
  /** Folder of the model; default the program's own. */
  readonly modelFolder?: URL;
  /** Most threads, default 2, and 1 where there are fewer than four cores: each holds the model. */
  readonly maxWorkers?: number;
  /** Texts that nobody waits for rest this long after an answer; default `LIMITS.embedRestMs`. */
  readonly restMs?: number;
  /** Threads without work are ended after this time; default `LIMITS.modelIdleMs`. */
  readonly idleMs?: number;
}

/** A thread takes about 200 MB and a core; on two cores the other one is for the answers. */
const CORES_FOR_TWO = 4;

/** Makes the embedder of this process. No file is read and no thread started before the first text. */
export function createEmbedder(options: EmbedderOptions = {}): Embedder {
  const folder = options.modelFolder;
  const pool = new WorkerPool<EmbeddingJob, EmbeddingResult>({
    url: new URL("./embedder_worker.ts", import.meta.url),
    maxWorkers: options.maxWorkers ?? (navigator.hardwareConcurrency < CORES_FOR_TWO ? 1 : 2),
    timeoutMs: LIMITS.embeddingTimeoutMs.value,
    idleMs: options.idleMs ?? LIMITS.modelIdleMs.value,
    restMs: options.restMs ?? LIMITS.embedRestMs.value,
    toFailure: (reason) => ({ kind: "failed", reason }),
    greeting: { folder: folder?.href ?? null },
  });
  const embed = async (role: TextRole, text: string, embedOptions: EmbedOptions) => {
    const { maxTokens, isUrgent = false, signal } = embedOptions;
    const job = { role, text, ...(maxTokens === undefined ? {} : { maxTokens }) };
    const result = await pool.run(job, { isUrgent, ...(signal === undefined ? {} : { signal }) });
    if (result.kind === "vector") return result.vector;
    throw signal?.aborted === true
      ? new CodeIntelError("cancelled", "Cannot embed the text: the call was cancelled")
      : new CodeIntelError("embedding_failed", `Cannot embed a text: ${result.reason}`, {
        hint: "Searches answer by words meanwhile; `code-intel doctor` looks at the model.",
      });
  };
  let isThere = false;
  return {
    modelId: MODEL_ID,
    concurrency: pool.concurrency,
    // Files of the program do not go away while it runs; those that are missing may come.
    isAvailable: async () => isThere ||= await hasModel(folder),
    embedQuery: (text, rest = {}) => embed("query", text, rest),
    embedPassage: (text, rest = {}) => embed("passage", text, rest),
    hold: () => pool.hold(),
    close: () => pool.close(),
  };
}
