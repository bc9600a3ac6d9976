/**
 * What turns the bytes of a file into what is stored of it, wherever that runs. The index takes any;
 * the program uses {@link AnalysisPool}.
 */
import { isSameBytes } from "../base/bytes.ts";
import { decodeText } from "../base/files/source_text.ts";
import type { Analysis, AnalysisOptions } from "./analysis.ts";
import type { StoredContent } from "./record/content.ts";
import { buildStoredContent, isFoundInText } from "./record/content.ts";
import { loadWordTable } from "../word_vectors/load_table.ts";
import { languageOfPath } from "../language/languages.ts";
import { decodeContent, encodeContent, isRepeatable } from "./record/content_record.ts";
import { UnfitRecord } from "./record/record_bytes.ts";

/** One content to be analysed. */
export interface AnalysisJob extends AnalysisOptions {
  readonly bytes: Uint8Array;
  /** The record that another machine made of it, from which it is taken instead. */
  readonly record?: Uint8Array;
  /** True analyses it all the same, and compares; so does a record that says what does not stand in the text. */
  readonly isProof?: boolean;
}

/** A content ready to be stored, or why there is none. */
export type AnalysisResult =
  | {
    readonly kind: "analysed";
    readonly content: StoredContent;
    /** Why the record was not used; absent where it was, or there was none. */
    readonly unfit?: string;
  }
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
  const { record, isProof } = job;
  try {
    const table = record === undefined ? null : await loadWordTable();
    if (record === undefined || table === null) {
      return { kind: "analysed", content: await analyse(text, job, analyseText) };
    }
    const taken = takeRecord(text, job.path, { record, dimensions: table.dimensions });
    const stands = typeof taken !== "string" && isFoundInText(taken, text);
    if (stands && isProof !== true) return { kind: "analysed", content: taken };
    const content = await analyse(text, job, analyseText);
    // What this machine gave up proves nothing of another one.
    if (typeof taken !== "string" && !isRepeatable(content)) {
      return { kind: "analysed", content: stands ? taken : content };
    }
    const unfit = typeof taken === "string"
      ? taken
      : isSameBytes(encodeContent(content), record)
      ? null
      : `${job.path} says something else`;
    return { kind: "analysed", content, ...(unfit === null ? {} : { unfit }) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "failed", reason: `the analyser failed: ${message.slice(0, 200)}` };
  }
}

async function analyse(
  text: string,
  job: AnalysisJob,
  analyseText: AnalyseText,
): Promise<StoredContent> {
  const { bytes: _bytes, record: _record, isProof: _isProof, ...options } = job;
  const analysis = await analyseText(text, options);
  // Who wants names alone cuts no chunks, and does not search by meaning either.
  const table = options.chunkMaxTokens === 0 ? null : await loadWordTable();
  return buildStoredContent(text, analysis, table);
}

/** The content of a record, or why it cannot be of this text. */
function takeRecord(
  text: string,
  path: string,
  { record, dimensions }: { readonly record: Uint8Array; readonly dimensions: number },
): StoredContent | string {
  const language = languageOfPath(path)?.name ?? null;
  try {
    return decodeContent(record, { text, language, dimensions });
  } catch (error) {
    if (error instanceof UnfitRecord) return `${path}: ${error.message}`;
    throw error;
  }
}
