/** What a special chunker is: units of their own for files that a framework gives a meaning. Types only. */
import type { CodeSymbol } from "../analysis.ts";
import type { ChunkUnit } from "./chunker.ts";

/** A text with what is known of it. */
export interface SpecialText {
  /** Path in the project. */
  readonly path: string;
  /** Name of its language. */
  readonly language: string;
  readonly lines: readonly string[];
  readonly symbols: readonly CodeSymbol[];
}

/** Finds the units of one kind of file; none where the text is no such file. */
export type SpecialChunker = (text: SpecialText) => readonly ChunkUnit[];
