/** The files of a project that lies in no folder of this machine, as a hub keeps them. Pure types. */

/** Gives files by their paths, which are relative to the project, with `/`. */
export interface StoredFiles {
  /** What is at a path; null where there is nothing. */
  find(path: string): Promise<"file" | "folder" | null>;
  /** The bytes of a file; null where there is none, or none that the index knows. */
  read(path: string): Promise<Uint8Array | null>;
  /** Begins to read the files among some paths that may have a line with any of the patterns. */
  search(paths: readonly string[], query: LineQuery): Promise<StoredSearch>;
}

/** The lines that are looked for. */
export interface LineQuery {
  /** Any of them makes a match. */
  readonly patterns: readonly string[];
  /** The patterns are text, not regular expressions. */
  readonly fixed: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

/** Texts that are read for a search, a part at a time, within the bounds of a call. */
export interface StoredSearch {
  /** Longest time that the patterns may take for one part. */
  readonly timeoutMs: number;
  /** The next files, in the order of their paths; none at the end, or where the bounds are reached. */
  next(): readonly PackedText[];
  /** What was not searched and why, in sentences; once there are no more files. */
  toNotices(): readonly string[];
}

/** A file, compressed. */
export interface PackedText {
  readonly path: string;
  /** As gzip. */
  readonly bytes: Uint8Array;
}
