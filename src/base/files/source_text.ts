/** Reads a file of the project as text. */
import { readSource } from "./regular_file.ts";

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

/** Bytes of a file as text: which files are binary, and how encodings are read. Pure. */

const UTF8 = new TextDecoder("utf-8");
const LATIN = new TextDecoder("windows-1252");

/**
 * The text of a file, or undefined when it is binary. Without a byte order mark it is UTF-8; where that
 * gives not one letter beyond ASCII, but errors, it is Windows-1252. Single damaged bytes become U+FFFD.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  // Binary is what ripgrep calls binary: a NUL anywhere.
  if (bytes.includes(0)) return undefined;
  const text = UTF8.decode(bytes);
  return /\ufffd/.test(text) && !/[^\0-\x7f\ufffd]/.test(text) ? LATIN.decode(bytes) : text;
}

/**
 * The text of a file; undefined where it is binary, gone, too large or not to be read.
 *
 * @param root absolute path of the project.
 * @param path from there.
 */
export async function readSourceText(root: string, path: string): Promise<string | undefined> {
  const reading = await readSource(root, path);
  return reading.kind === "read" ? decodeText(reading.bytes) : undefined;
}

/** Where the files of a project are. */
export interface SourceRoot {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** The files themselves, where no folder has them. */
  readonly stored?: StoredFiles | undefined;
}

/** The same of a project whose files may be stored elsewhere than in a folder. */
export async function readProjectSource(
  { projectRoot, stored }: SourceRoot,
  path: string,
): Promise<string | undefined> {
  if (stored === undefined) return await readSourceText(projectRoot, path);
  const bytes = await stored.read(path);
  return bytes === null ? undefined : decodeText(bytes);
}
