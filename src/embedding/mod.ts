/**
 * Meaning as vectors: the embedding model, offline, in threads of its own.
 *
 * @module
 */
export { createEmbedder } from "./embedder.ts";
export type {
  Embedder,
  EmbedderOptions,
  EmbeddingJob,
  EmbeddingResult,
  EmbedOptions,
} from "./embedder.ts";
export { createEncoder } from "./encoder.ts";
export type { Encoder, TextRole } from "./encoder.ts";
export { findModelFault, MODEL_FILES, MODEL_ID } from "./model_files.ts";
export { DIMENSIONS } from "./token_table.ts";
