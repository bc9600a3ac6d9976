/**
 * Decides which of the listed files are searched: regular files of the project, looked at just before a program
 * is started with their names. Links, pipes, sockets, devices, and files beyond a linked folder are
 * left out. With them a program would read outside of the project, or wait for ever.
 */
import { join } from "node:path";
import { readControlTextIfUsable } from "../base/files/control_file.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { formatCount } from "../base/text/plain_text.ts";
import type { IgnoreRule } from "../base/text/glob.ts";
import { findRule, readIgnoreRules } from "../base/text/glob.ts";
import { comparePaths } from "./text_query.ts";
import { folderOf } from "../base/repo_path.ts";
import type { FileStamp } from "../base/files/file_stamp.ts";
import {
  isSameStamp,
  lstatIfThere,
  statIfThere,
  toStamp,
  wasOldAt,
} from "../base/files/file_stamp.ts";
import { readRegularFile } from "../base/files/regular_file.ts";
import { decodeText } from "../base/files/source_text.ts";

/** What is walked. */
export interface WalkOptions {
  /** Also what the ignore rules leave out; the stores of version control never are. */
  readonly includeIgnored?: boolean;
  /** Ends the walk soon after so many files. */
  readonly maxFiles?: number;
  /** Ends the walk after so long, but not before the root itself was looked into. */
  readonly maxMs?: number;
  /** Called where one of these bounds ended the walk. */
  readonly onCut?: (cut: WalkCut) => void;
  /** Ends the work when the client cancels. */
  readonly signal?: AbortSignal;
}

/** What a walk that a bound ended had come to. */
export interface WalkCut {
  readonly files: number;
  /** Of a repository, where `files` of its untracked ones were taken: how many it has. */
  readonly untracked?: number;
  /** True where the time was over, false where there were too many files. */
  readonly isLate: boolean;
}

const STORES = new Set([".git", ".hg", ".svn", ".jj"]);
// Without any .gitignore these would drown everything else.
const BUILD_FOLDERS = new Set([
  "node_modules",
  "__pycache__",
  ".venv",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".gradle",
  ".code-intel",
]);

/**
 * Files below `root`, relative to it, with `/`, sorted; folders that cannot be read are left out. Near folders come first,
 * so that a bound leaves out those that lie deep.
 */
export async function walkFiles(root: string, options: WalkOptions = {}): Promise<string[]> {
  const { maxFiles = Infinity, maxMs = Infinity, signal, onCut } = options;
  const endsAt = performance.now() + maxMs;
  const files: string[] = [];
  const folders: Folder[] = [{ path: "", rules: [] }];
  for (let at = 0; at < folders.length; at++) {
    signal?.throwIfAborted();
    const isLate = at > 0 && performance.now() > endsAt;
    if (files.length > maxFiles || isLate) {
      onCut?.({ files: files.length, isLate });
      break;
    }
    const folder = folders[at];
    if (folder !== undefined) await lookInto(root, folder, { files, folders, options });
  }
  return files.sort(comparePaths);
}

interface Folder {
  /** Relative to the root; empty for the root itself. */
  readonly path: string;
  /** Of the folders above. */
  readonly rules: readonly IgnoreRule[];
}

interface Walk {
  readonly files: string[];
  /** Those that are looked into, in this order. */
  readonly folders: Folder[];
  readonly options: WalkOptions;
}

async function lookInto(root: string, folder: Folder, walk: Walk): Promise<void> {
  const entries = await readFolder(join(root, folder.path));
  const { includeIgnored, maxFiles = Infinity } = walk.options;
  const obeys = includeIgnored !== true;
  const hasRules = obeys && entries.some((entry) => entry.name === ".gitignore" && entry.isFile);
  const rules = hasRules ? [...folder.rules, ...readRules(root, folder.path)] : folder.rules;
  for (const entry of entries) {
    const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
    // A link is neither file nor folder here, so no loop and no way out of the project.
    if (!entry.isFile && !entry.isDirectory) continue;
    if (entry.isDirectory && STORES.has(entry.name)) continue;
    if (obeys && entry.isDirectory && BUILD_FOLDERS.has(entry.name)) continue;
    // What a folder holds is not looked at where the folder is left out, so that nothing in it comes in again.
    if (obeys && findRule(path, entry.isDirectory, rules)?.isNegated === false) continue;
    if (entry.isDirectory) walk.folders.push({ path, rules });
    else if (walk.files.length <= maxFiles) walk.files.push(path);
  }
}

/** The sentences by which an answer tells what a walk left out; none where it came to its end. */
export function describeCut(cut: WalkCut | null): readonly string[] {
  if (cut === null) return [];
  const found = formatCount(cut.files, "file");
  if (cut.untracked !== undefined) {
    return [
      `Only ${cut.files} of ${cut.untracked} untracked files were looked at, first those in folders of few. Name what does not matter in a .gitignore.`,
    ];
  }
  return [
    cut.isLate
      ? `Only ${found} could be listed within ${LIMITS.answerPartMs.value} ms; what lies deeper was left out. Ask about a smaller folder.`
      : `Only ${found} were looked at: the folder has more, and no git to say which matter. Name a smaller folder as the project, or what does not matter in a .gitignore.`,
  ];
}

async function readFolder(path: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(path));
  } catch {
    return [];
  }
}

function readRules(root: string, folder: string): readonly IgnoreRule[] {
  const path = join(root, folder, ".gitignore");
  const text = readControlTextIfUsable(path, "manifest", { within: root }) ?? "";
  // Git passes over what is no pattern without a word, too.
  return readIgnoreRules(text, { source: path, folder }).rules;
}

/** The files of a list that may be read. */
export interface RegularFiles {
  /** In the order of the list. */
  readonly files: readonly string[];
  /** How many are no regular files of the project. */
  readonly leftOut: number;
}

/** What is known of a folder, for as long as it looks the same. */
interface FolderFacts {
  /** Null for what is no folder. */
  readonly stamp: FileStamp | null;
  /** Names in it that are neither regular files nor folders; null where the folder cannot be listed. */
  readonly odd: ReadonlySet<string> | null;
  /** Names of the folders in it. */
  readonly folders: readonly string[];
  /** Whether its last change was long enough ago for its times to tell the next one. */
  readonly isSettled: boolean;
}

const NO_FOLDER: FolderFacts = { stamp: null, odd: new Set(), folders: [], isSettled: false };
/** Projects whose folders are remembered: a process serves one, and tests many. */
const MOST_ROOTS = 4;

/** Replacing a file changes the time of its folder, so one look at each folder tells whether all is as it was. */
const REMEMBERED = new Map<string, Map<string, FolderFacts>>();

/**
 * Picks the regular files; those that are gone may be among them. Synchronous: a look takes microseconds, and
 * ten times that where each is waited for.
 *
 * @param root Absolute path of the project; it may be a link itself.
 * @param paths Relative to the root, with `/`.
 */
export function pickRegularFiles(root: string, paths: readonly string[]): RegularFiles {
  const look = new FolderCache(root);
  const files = paths.filter((path) => look.isRegular(path));
  return { files, leftOut: paths.length - files.length };
}

/** The sentence by which an answer tells of them; none where there is nothing to tell. */
export function listLeftOutNotices(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? "1 link or special file was not searched."
      : `${count} links or special files were not searched.`,
  ];
}

/** The text of a file of the project; null where there is none that can be read as text, or it is larger than the bound. */
export function readProjectText(
  root: string,
  path: string,
  maxBytes: number = LIMITS.searchedFileMb.value * BYTES_PER_MB,
): string | null {
  const text = readText(root, path, maxBytes);
  return typeof text === "string" ? text : null;
}

const BYTES_PER_MB = 1024 * 1024;

/** The same for files that are analysed; `too_large` beyond `LIMITS.fileBytes`. */
export function readSmallText(root: string, path: string): string | "too_large" | null {
  const text = readText(root, path, LIMITS.fileBytes.value);
  return typeof text === "string" ? text : text?.why === "too_large" ? "too_large" : null;
}

function readText(root: string, path: string, maxBytes: number) {
  const reading = readRegularFile(join(root, path), { within: root, maxBytes });
  if (reading.kind === "read") return decodeText(reading.bytes) ?? null;
  return reading.kind === "refused" ? reading : null;
}

/** One look at the folders of a project; what it says holds for the moment. */
export class FolderCache {
  readonly #root: string;
  readonly #remembered: Map<string, FolderFacts>;
  /** Facts of plain folders, and null for those that are links or lie beyond one. */
  readonly #folders = new Map<string, FolderFacts | null>();

  /** @param root Absolute path of the project. */
  constructor(root: string) {
    this.#root = root;
    this.#remembered = REMEMBERED.get(root) ?? new Map();
    REMEMBERED.delete(root);
    REMEMBERED.set(root, this.#remembered);
    for (const other of REMEMBERED.keys()) {
      if (REMEMBERED.size > MOST_ROOTS) REMEMBERED.delete(other);
    }
  }

  /** Whether a path names no link, pipe, socket or device, and lies in no linked folder. */
  isRegular(path: string): boolean {
    const slash = path.lastIndexOf("/");
    const facts = this.#factsOf(path.slice(0, Math.max(0, slash)));
    if (facts === null) return false;
    // A name that is not UTF-8 cannot be passed to a program.
    if (facts.odd === null || path.includes("\ufffd")) {
      return lstatIfThere(join(this.#root, path))?.isFile === true;
    }
    return !facts.odd.has(path.slice(slash + 1));
  }

  /** Whether the way to a folder leads through folders of the project alone. */
  isPlainFolder(folder: string): boolean {
    return this.#factsOf(folder) !== null;
  }

  /** Names of the folders in a folder; none where it is none, or lies beyond a link. */
  listFolders(folder: string): readonly string[] {
    return this.#factsOf(folder)?.folders ?? [];
  }

  #factsOf(folder: string): FolderFacts | null {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const isBelowLink = folder !== "" &&
      this.#factsOf(folderOf(folder)) === null;
    const facts = isBelowLink ? null : this.#readFacts(folder);
    this.#folders.set(folder, facts);
    return facts;
  }

  #readFacts(folder: string): FolderFacts | null {
    const info = folder === "" ? statIfThere(this.#root) : lstatIfThere(join(this.#root, folder));
    // What is gone is no link: naming it does no harm.
    if (info === null) return NO_FOLDER;
    if (!info.isDirectory) {
      return info.isFile ? NO_FOLDER : null;
    }
    const stamp = toStamp(info);
    const remembered = this.#remembered.get(folder);
    if (
      remembered?.isSettled === true && remembered.stamp !== null &&
      isSameStamp(remembered.stamp, stamp)
    ) return remembered;
    const isSettled = wasOldAt(stamp, Date.now());
    const facts = { stamp, ...this.#list(folder), isSettled };
    this.#remembered.set(folder, facts);
    return facts;
  }

  #list(folder: string): Pick<FolderFacts, "odd" | "folders"> {
    const odd = new Set<string>();
    const folders: string[] = [];
    try {
      for (const { name, isFile, isDirectory } of Deno.readDirSync(join(this.#root, folder))) {
        if (isDirectory) folders.push(name);
        else if (!isFile) odd.add(name);
      }
      return { odd, folders };
    } catch {
      return { odd: null, folders: [] };
    }
  }
}
