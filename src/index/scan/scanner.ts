/**
 * Compares the files of a project with what the index remembers of them, without opening any: which are
 * new or may have changed, which are gone, which are left out and why.
 */
import type { FileStamp } from "../../base/files/file_stamp.ts";
import { isSameStamp, toStamp, wasOldAt } from "../../base/files/file_stamp.ts";
import type { FileRecord } from "../store/file_table.ts";
import { isText, languageOfPath } from "../../language/languages.ts";
import { findIgnoring, formatIgnoreNotice, readIgnoreRules } from "../../base/text/glob.ts";
import { folderOf } from "../../base/repo_path.ts";
import { FolderCache } from "../../backends/regular_files.ts";
import { LIMITS } from "../../base/settings/limits.ts";

/** A file as it is on disk. */
export type DiskEntry =
  | { readonly kind: "file"; readonly stamp: FileStamp }
  | { readonly kind: "other"; readonly stamp: FileStamp; readonly reason: string }
  | { readonly kind: "gone" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** A stamp for what was never looked at. */
export const NO_STAMP: FileStamp = { sizeBytes: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 };

/** Why the files of a repository inside of the project are not in its index. */
export const REPOSITORY_REASON =
  "a submodule or a repository of its own; its files are not part of this one";

/** Looks at a path, without following links. Synchronous: thousands of these are one burst. */
export function readEntry(path: string): DiskEntry {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return { kind: "gone" };
    }
    return { kind: "unreadable", reason: describeReadError(error) };
  }
  const stamp = toStamp(info);
  if (info.isFile) return { kind: "file", stamp };
  if (info.isSymlink) return { kind: "other", stamp, reason: toLinkReason(path) };
  const reason = info.isDirectory ? REPOSITORY_REASON : "no regular file";
  return { kind: "other", stamp, reason };
}

/** Why something cannot be read, in words. */
export function describeReadError(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "cannot be read: permission denied";
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

/** Whether a file still looks as it did; one that was never looked at need only be there. */
export function isStill(entry: DiskEntry, stamp: FileStamp): boolean {
  if (stamp === NO_STAMP) return entry.kind !== "gone";
  return (entry.kind === "file" || entry.kind === "other") && isSameStamp(entry.stamp, stamp);
}

/** Whether a record may be trusted: the file looks as it did, and it was old enough when it was hashed. */
export function isSettled(record: FileRecord, stamp: FileStamp): boolean {
  return isSameStamp(record, stamp) && wasOldAt(stamp, record.hashedAtMs);
}

function toLinkReason(path: string): string {
  try {
    Deno.statSync(path);
    return "a symbolic link; what it leads to is indexed where it lies";
  } catch {
    return "a symbolic link that leads nowhere or in a circle";
  }
}

/** Name of the file at the root of a project that names what to leave out. */
export const IGNORE_FILE = ".code-intelignore";

/** How a file that a rule leaves out is told from one that is left out for what it holds. */
export const RULE_REASONS = {
  ignored: IGNORE_FILE,
  excluded: "exclude_patterns",
  outside: "not below source_dirs",
} as const;

/** Outside too, but no answer about code misses it: documents, data, and hidden files such as those that `init` writes. */
const NO_SOURCE = "not below source_dirs, and no source";

/** What the configuration says about files. */
export interface FileRuleInput {
  /** Folders that are indexed; empty for the whole project. */
  readonly sourceDirs: readonly string[];
  /** Globs of files and folders that are not. */
  readonly excludePatterns: readonly string[];
  /** Text of `.code-intelignore`; empty where there is none. */
  readonly ignoreText: string;
}

/** Says why a path is left out, or null when it belongs to the index. */
export type FileRule = (path: string) => string | null;

/** Rules ready to use, with what could not be read of them. */
export interface FileRules {
  readonly leaveOut: FileRule;
  /** Patterns that are none, in words. */
  readonly notices: readonly string[];
}

// The program's own folder holds sessions and prompts, never code of the project.
const OWN_FOLDER = ".code-intel/";

/** Reads the rules. */
export function createFileRules(input: FileRuleInput): FileRules {
  const ignored = readIgnoreRules(input.ignoreText, { source: RULE_REASONS.ignored });
  // Each is a line of its own, so that its number says which one of the list is meant.
  const excluded = readIgnoreRules(input.excludePatterns.join("\n"), {
    source: RULE_REASONS.excluded,
    hasBraces: true,
  });
  const folders = input.sourceDirs.map(normalizeFolder).filter((folder) => folder !== "");
  const leaveOut = (path: string) => {
    if (path.startsWith(OWN_FOLDER)) return "the program's own folder";
    if (folders.length > 0 && !folders.some((one) => path === one || path.startsWith(`${one}/`))) {
      return isSource(path) ? RULE_REASONS.outside : NO_SOURCE;
    }
    return (findIgnoring(path, excluded.rules) ?? findIgnoring(path, ignored.rules))?.source ??
      null;
  };
  return { leaveOut, notices: [...excluded.faults, ...ignored.faults].map(formatIgnoreNotice) };
}

function isSource(path: string): boolean {
  const language = languageOfPath(path);
  return language !== undefined && !isText(language) && !/(?:^|\/)\./.test(path);
}

function normalizeFolder(text: string): string {
  return text.split("/").filter((part) => part !== "" && part !== ".").join("/");
}

/** A file whose bytes have to be looked at. */
export interface Candidate {
  readonly path: string;
  readonly stamp: FileStamp;
}

/** A file that is left out, as it will be remembered. */
export interface SkippedCandidate extends Candidate {
  readonly reason: string;
}

/** What a scan found. */
export interface ScanResult {
  /** New files and those that may have changed. */
  readonly changed: readonly Candidate[];
  /** Left out, and not remembered so yet. */
  readonly skipped: readonly SkippedCandidate[];
  /** Remembered, but no longer listed: not there, ignored, or in a repository of its own. */
  readonly gone: readonly string[];
  /** How many files are as they are remembered. */
  readonly unchanged: number;
}

/** What is compared. */
export interface ScanInput {
  readonly root: string;
  readonly paths: readonly string[];
  readonly records: ReadonlyMap<string, FileRecord>;
  readonly rules: FileRules;
  /** How the variants of up-to-date contents begin. */
  readonly variantPrefix: string;
  /** Files that were hashed before this moment are hashed again; default none. */
  readonly rehashBeforeMs?: number;
}

/** Looks at every file once. Synchronous: 1,000 files take a few milliseconds. */
export function scanFiles(input: ScanInput): ScanResult {
  const { root, paths, records, rules } = input;
  const changed: Candidate[] = [];
  const skipped: SkippedCandidate[] = [];
  const present = new Set<string>();
  const look = new FolderCache(root);
  let unchanged = 0;
  for (const path of paths) {
    const record = records.get(path);
    const left = rules.leaveOut(path) ?? explainBeyondLink(look, path);
    const seen = left === null
      // The listed paths are plain: joining them in parts takes as long as a fifth of the look.
      ? judgeEntry(readEntry(`${root}/${path}`))
      : { stamp: NO_STAMP, reason: left };
    if (seen === null) continue;
    present.add(path);
    const { stamp, reason } = seen;
    if (reason !== null) {
      if (record?.skipped === reason) unchanged++;
      else skipped.push({ path, stamp, reason });
    } else if (record !== undefined && isUpToDate(record, stamp, input)) unchanged++;
    else changed.push({ path, stamp });
  }
  const gone = [...records.keys()].filter((path) => !present.has(path));
  return { changed, skipped, gone, unchanged };
}

/** git goes on to list the files of a folder that gave way to a link; what it leads to may be anything. */
function explainBeyondLink(look: FolderCache, path: string): string | null {
  return look.isPlainFolder(folderOf(path)) ? null : "beyond a symbolic link of a folder";
}

function isUpToDate(record: FileRecord, stamp: FileStamp, input: ScanInput): boolean {
  const { rehashBeforeMs = 0, variantPrefix } = input;
  return record.hashedAtMs >= rehashBeforeMs && isSettled(record, stamp) &&
    record.variant?.startsWith(variantPrefix) !== false;
}

/** A file with the reason to leave it out, if there is one; null when it is gone. */
function judgeEntry(
  entry: DiskEntry,
): { readonly stamp: FileStamp; readonly reason: string | null } | null {
  if (entry.kind === "gone") return null;
  if (entry.kind === "unreadable") return { stamp: NO_STAMP, reason: entry.reason };
  if (entry.kind === "other") return { stamp: entry.stamp, reason: entry.reason };
  const { stamp } = entry;
  const limit = LIMITS.fileBytes.value;
  return { stamp, reason: stamp.sizeBytes > limit ? `larger than ${limit} bytes` : null };
}
