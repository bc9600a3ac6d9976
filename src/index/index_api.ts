/** What the index offers to the rest of the program. Pure types. */
import type { ListFiles } from "./scan/file_list.ts";
import type { Analyser } from "../analysis/analyser.ts";
import type { Embedder } from "../embedding/embedder.ts";
import type { VectorIndex } from "./vectors/meaning_api.ts";
import type { HeldContent } from "./read/record_queries.ts";
import type { IndexCounts, IndexView, SharedContents, SkippedFile } from "./read/view.ts";

/** What the index is built for. */
export interface CodeIndexOptions {
  /** Absolute path of the project; all paths are relative to it. */
  readonly projectRoot: string;
  /** Folder of the database: `<git-common-dir>/code-intel`, without git `.code-intel`. */
  readonly folder: string;
  /** Where it lies when nothing can be written to `folder`. Default: in memory. */
  readonly fallbackFolder?: string;
  /** The files of the project and the repositories within it: git's list, untracked ones included, ignored ones not. */
  readonly listFiles: ListFiles;
  /** Absolute paths of files beside the project on which that list depends: git's index, `info/exclude`. */
  readonly listDependsOn?: readonly string[];
  /** Reads the settings; asked before every scan, so it should be cheap. */
  readonly loadSettings: () => Promise<IndexSettings>;
  /** Called with one sentence that a user should know: a file set aside, a place that cannot be written. */
  readonly onNotice?: (notice: string) => void;
  /** Called instead when the index was set aside and is built again, which whoever asks it should know; default `onNotice`. */
  readonly onSetAside?: (notice: string) => void;
  /** What makes vectors; without it the index knows words alone. */
  readonly embedder?: Embedder;
  /** Digests that are made after one activity; default `LIMITS.vectorsAtOnce`. */
  readonly vectorsAtOnce?: number;
  /** What analyses contents; default workers of this program. */
  readonly analyser?: Analyser;
  /** Contents that other machines analysed; default none. */
  readonly shared?: SharedContents;
  /** The present moment in milliseconds since 1970; default the machine's clock. */
  readonly nowMs?: () => number;
  /** Called once with the files that are being read where an answer keeps somebody waiting for them. */
  readonly onWait?: (paths: readonly string[]) => void;
  /** With more files than this a watch says what has to be looked at; default 3,000. */
  readonly watchedFrom?: number;
}

/**
 * Which questions the embedding model takes part in: all in words, those in a language that no table puts into
 * English, or none.
 */
export type MeaningUse = "all" | "foreign" | "none";

/** What the configuration says about the index. */
export interface IndexSettings {
  readonly sourceDirs: readonly string[];
  readonly excludePatterns: readonly string[];
  readonly chunkMaxTokens: number;
  /** Most whole texts of chunks that get a vector. */
  readonly maxChunks: number;
  /** Which questions the embedding model takes part in. */
  readonly meaningOf: MeaningUse;
  /** Age at which a file is hashed again by `sync`, though nothing points to a change. */
  readonly syncTtlHours: number;
}

/** How far a synchronisation is. */
export interface SyncProgress {
  readonly done: number;
  readonly total: number;
  readonly filesPerSecond: number;
  readonly secondsLeft: number;
  /** The process that does it, where it is another one. */
  readonly process?: number;
}

/** Who is building the index, and how far it is. */
export interface Builder {
  /** Number of the process. */
  readonly process: number;
  readonly done: number;
  /** Files that it has to do. */
  readonly total: number;
}

/** How the index is brought up to date. */
export interface SyncOptions {
  /** Ends it after what is under way; what is done stays. */
  readonly signal?: AbortSignal;
  /** Called after every batch. */
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Hashes every file again, whatever its times say. */
  readonly force?: boolean;
  /** Throws the whole database away first, of all worktrees. */
  readonly rebuild?: boolean;
  /** Ends it after this time; the rest stays pending. */
  readonly budgetMs?: number;
  /** Answers after this time with how far it is; the work goes on behind the answer. */
  readonly waitMs?: number;
}

/** What a synchronisation did. */
export interface SyncReport {
  /** False when the signal, the budget or restless files left something over. */
  readonly isComplete: boolean;
  /** Files whose bytes were read. */
  readonly read: number;
  /** Contents that were analysed, because no worktree had them before. */
  readonly parsed: number;
  /** Contents that other machines had analysed. */
  readonly taken: number;
  /** Files that are gone. */
  readonly removed: number;
  /** Files that are still to be done. */
  readonly pending: readonly string[];
  readonly durationMs: number;
  readonly counts: IndexCounts;
  /** What a person should know: patterns that are none. */
  readonly notices: readonly string[];
  /** Who goes on with it, where the answer did not wait for the end. */
  readonly builder?: Builder;
}

/** How fresh an answer is. */
export interface Freshness {
  /** Files in the index. */
  readonly files: number;
  /** Changed files that the index does not know yet, sorted; at most `LIMITS.pendingPaths`. */
  readonly pending: readonly string[];
  /** How many changed files it does not know yet. */
  readonly pendingTotal: number;
  readonly chunks: number;
  /** Vectors of digests, each of which stands for 150 lines. */
  readonly embedded: number;
  /** `hybrid`: every file has its vectors. */
  readonly ready: "lexical" | "hybrid";
  /** Files whose vectors are still to be made. */
  readonly vectorsLeft: number;
  /** When the files were last looked at, ISO 8601. */
  readonly checkedAt: string;
  /** The state of the index that this is said of, for {@link CodeIndex.findChanged}. */
  readonly revision: number;
  /** Who is building much of it just now. */
  readonly builder?: Builder;
}

/** How long an answer may wait. */
export interface FreshOptions {
  /** Longest wait for changed files to be read, default `LIMITS.freshnessMs`, of a brief process `LIMITS.answerMs`. */
  readonly budgetMs?: number;
  /** Begins nothing that the answer cannot wait for: the process ends with it. */
  readonly isBrief?: boolean;
  /** Whether the answer may be about a changed file: these are read first, and waited for up to `LIMITS.answerPartMs`. */
  readonly isAbout?: (path: string) => boolean;
  /** Default `LIMITS.answerPartMs`. */
  readonly askedMs?: number;
}

/** The files of the project as the last look found them. */
export interface ListedFiles {
  /** Their paths; the same array while the list is the same. */
  readonly files: readonly string[];
  /** Another number whenever a file that the index holds is another one; null where the last look found one that differs. */
  readonly version: number | null;
  /** Whether the index holds a file, so that the version speaks for it too. */
  holds(path: string): boolean;
}

/** What is known of the index itself. */
export interface IndexStatus {
  /** Absolute path of the database, or `:memory:`. */
  readonly path: string;
  /** Bytes of its files; 0 in memory. */
  readonly sizeBytes: number;
  readonly counts: IndexCounts;
  readonly skipped: readonly SkippedFile[];
  /** When a whole synchronisation of this worktree last ended, in milliseconds since 1970. */
  readonly syncedAtMs: number | null;
  /** Whether this process is building it now. */
  readonly isSyncing: boolean;
  /** Files with vectors of digests, of all files; null without a model. */
  readonly vectors: {
    readonly done: number;
    readonly total: number;
    /** Whether all questions in words are to have them. */
    readonly isForAll: boolean;
  } | null;
  /** The process that is making vectors now; null where none is, or it is not known. */
  readonly embeddingProcess: number | null;
}

/** How far files are read for one question. */
export interface TemporaryIndexOptions {
  /** Ends the work when the client cancels. */
  readonly signal?: AbortSignal;
  /** Files that are not begun by then are not read; as `performance.now()` counts. */
  readonly endsAt: number;
}

/** What can be asked over one state: the index, or files that were read for a question. */
export type ReadIndex = Pick<CodeIndex, "read">;

/** Files that were read for one question. Each is analysed as for the index; no file is kept beyond the question. */
export interface TemporaryIndex extends ReadIndex, Disposable {
  /** How they were read: `tree-sitter`, `regex`. */
  readonly parsers: ReadonlySet<string>;
  /** Files beyond `LIMITS.fileBytes`, which were not read. */
  readonly tooLarge: number;
  /** Files that were not read within the time. */
  readonly late: number;
  /** Those of the files that look other than when they were read. */
  findChanged(paths: readonly string[]): readonly string[];
  /**
   * Reads regular files of the project, each once; what is gone, binary or too large is passed over.
   *
   * @throws the reason of the signal.
   */
  add(paths: readonly string[], options: TemporaryIndexOptions): Promise<void>;
  /** Reads a text as the file `path` would be, or in `language`. */
  addText(
    text: string,
    as: { readonly path: string; readonly language?: string },
  ): Promise<void>;
}

/**
 * The code index of one worktree. Nothing is opened or started before the first call. All calls may come
 * at once and from many processes; none of them fails because another one writes.
 */
export interface CodeIndex {
  /**
   * Brings the whole index up to date.
   *
   * @throws {CodeIntelError} `io_failed`, `disk_full`; `busy` when other processes never let it write.
   */
  sync(options?: SyncOptions): Promise<SyncReport>;
  /**
   * Call it before every answer: finds changed files and reads them again when that is cheap; what is
   * not done within the budget goes on in the background and is named as pending. Nothing more is said of a content that
   * a pending file had before.
   */
  ensureFresh(options?: FreshOptions): Promise<Freshness>;
  /**
   * Those of the files that have another content than the index had at a revision: what was said of their lines no
   * longer holds. Files that it does not hold are passed over.
   */
  findChanged(paths: readonly string[], revision: number): Promise<readonly string[]>;
  /**
   * Asks questions over one state of the index. The function must not await.
   *
   * @throws {CodeIntelError} `io_failed`.
   */
  read<T>(query: (view: IndexView) => T): Promise<T>;
  /** The files of the project, whatever of them is in the index. */
  listFiles(options?: { readonly signal?: AbortSignal }): Promise<readonly string[]>;
  /** The same as the last look found them, for questions that follow {@link CodeIndex.ensureFresh}; null before the first look. */
  looked(): Promise<ListedFiles | null>;
  /**
   * Looks at files as they are now, whatever the index has of them; nothing of it goes into the index.
   *
   * @param options `isBrief`: starts no threads, for a few contents or a process that ends with its answer.
   */
  peek(options?: { readonly isBrief?: boolean }): Promise<TemporaryIndex>;
  /** The contents of the worktree's files, in the order of their paths, for other machines. */
  listContents(): Promise<readonly HeldContent[]>;
  /** The records of some contents by their numbers; null for one that is gone. */
  readRecords(blobs: readonly number[]): Promise<readonly (Uint8Array | null)[]>;
  /**
   * Vectors of the worktree; null where the settings or a missing model leave words alone.
   *
   * @param of for which questions; default those in another language, which is all that `all` has and more.
   */
  meaning(of?: Exclude<MeaningUse, "none">): Promise<VectorIndex | null>;
  /** Lets nothing begin behind the answers until it is disposed of; free where nothing could begin. */
  hold(): Disposable;
  /** Gives back memory that only makes the next questions a little faster: for a server that nobody asks. */
  rest(): void;
  /** What `doctor` and `status` show. */
  status(): Promise<IndexStatus>;
  /** Ends background work after the batch under way, and closes the database. */
  close(): Promise<void>;
}
