/** What the live explorer's parts share: the project, its list of files, and the programs found. */
import type { StoredFiles } from "../base/files/source_text.ts";
import type { Logger } from "../base/logger.ts";
import type { Backends } from "./detect.ts";
import type { TextQuery, TextResult, TextScope } from "./text_query.ts";
import { listFilesByScan, scanStored, scanText } from "./text_scan.ts";
import { listFilesWithRipgrep, searchWithRipgrep } from "./ripgrep.ts";

/** Lists the files of the project, relative to its root: git's list, ignored files left out. */
export type ListFiles = (options: ListFilesOptions) => Promise<readonly string[]>;

/** How files are listed. */
export interface ListFilesOptions {
  /** Ends the work when the client cancels. */
  readonly signal?: AbortSignal;
}

/** What the live explorer is made of. */
export interface TextSearchContext {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** The files of the project, ignored ones left out. */
  readonly listFiles: ListFiles;
  /** The files themselves, where no folder has them: then nothing is looked for on the disk. */
  readonly stored?: StoredFiles;
  /** The programs that are there. */
  readonly backends: Backends;
  /** Where notices go. */
  readonly logger: Logger;
  /** True in a process that ends with its answer: it prepares nothing for the next one. */
  readonly isBrief?: boolean;
}

/** Searches text with ripgrep, or with the built-in scanner where it is missing. */
export async function runText(
  context: TextSearchContext,
  query: TextQuery,
  scope: Omit<TextScope, "root">,
): Promise<{ readonly result: TextResult; readonly source: "rg" | "scan" }> {
  const { stored } = context;
  if (stored !== undefined) {
    return { result: await scanStored(query, scope, stored), source: "scan" };
  }
  const rg = await context.backends.rg();
  const full = { ...scope, root: context.projectRoot };
  if (rg.available && rg.path !== undefined) {
    return { result: await searchWithRipgrep(rg.path, query, full), source: "rg" };
  }
  return { result: await scanText(query, full), source: "scan" };
}

/** How files that hold a name are looked for. */
export interface HoldingOptions {
  readonly files: readonly string[];
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  /** When the search ends, as of `performance.now()`; default when all files were searched. */
  readonly endsAt?: number;
  readonly signal?: AbortSignal;
}

/** What a search for a plain text found. */
export interface FilesWithText {
  readonly files: readonly string[];
  readonly source: "rg" | "scan";
  /** How many files were not searched when the time was over. */
  readonly late: number;
}

/** So many files are searched before the clock is looked at (guessed: a quarter of a second). */
const PART_FILES = 10_000;

/** The files that hold a plain text. */
export async function listFilesWithText(
  context: TextSearchContext,
  text: string,
  options: HoldingOptions,
): Promise<FilesWithText> {
  const query: TextQuery = {
    patterns: [text],
    fixed: true,
    caseSensitive: !options.ignoreCase,
    wholeWord: options.wholeWord,
    contextLines: 0,
  };
  const { files, endsAt = Infinity, signal } = options;
  const end = signal === undefined ? {} : { signal };
  const { available, path } = await context.backends.rg();
  const rg = available ? path : undefined;
  const found: string[] = [];
  let at = 0;
  for (; at < files.length && performance.now() < endsAt; at += PART_FILES) {
    const part = files.slice(at, at + PART_FILES);
    const scope = { root: context.projectRoot, files: part, offset: 0, maxResults: 0, ...end };
    found.push(
      ...rg === undefined
        ? await listFilesByScan(query, scope)
        : await listFilesWithRipgrep(rg, query, scope),
    );
  }
  const source = rg === undefined ? "scan" : "rg";
  return { files: found, source, late: Math.max(0, files.length - at) };
}
