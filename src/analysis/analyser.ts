/**
 * What turns the bytes of a file into what is stored of it, wherever that runs. The index takes any;
 * the program uses {@link AnalysisPool}.
 */
import { decodeText } from "../base/files/text_file.ts";
import type { Analysis, AnalysisOptions } from "./analysis.ts";
import type { StoredContent } from "./content.ts";
import { toStoredContent } from "./content.ts";
import { loadWordTable } from "../word_vectors/mod.ts";

/** One content to be analysed. */
export interface AnalysisJob extends AnalysisOptions {
  readonly bytes: Uint8Array;
}

/** A content ready to be stored, or why there is none. */
export type AnalysisResult =
  | { readonly kind: "analysed"; readonly content: StoredContent }
  | { readonly kind: "failed"; readonly reason: string };

/** How soon a content is analysed. */
export interface AnalyseOptions {
  /** Before all that is not: an answer waits for it. */
  readonly isUrgent?: boolean;
  /** Takes the content out of the queue; one that has begun is finished in vain. */
  readonly signal?: AbortSignal;
}

/** Analyses contents. */
export interface Analyser {
  /** How many contents at once keep it busy. */
  readonly concurrency: number;
  /** Analyses one content; never throws for what is in it. */
  analyse(job: AnalysisJob, options?: AnalyseOptions): Promise<AnalysisResult>;
  /** Ends what was started for it. */
  close(): void;
}

/** A function that analyses a text. */
export type AnalyseText = (text: string, options: AnalysisOptions) => Promise<Analysis>;

/** Analyses one content in this thread. */
export async function runJob(job: AnalysisJob, analyseText: AnalyseText): Promise<AnalysisResult> {
  const text = decodeText(job.bytes);
  if (text === undefined) return { kind: "failed", reason: "binary" };
  const { bytes: _bytes, ...options } = job;
  try {
    const analysis = await analyseText(text, options);
    // Who wants names alone cuts no chunks, and does not search by meaning either.
    const table = options.chunkMaxTokens === 0 ? null : await loadWordTable();
    return { kind: "analysed", content: toStoredContent(text, analysis, table) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "failed", reason: `the analyser failed: ${message.slice(0, 200)}` };
  }
}
