/**
 * The files of a folder where git does not say: obeys `.gitignore` files, never follows links, and
 * passes over the stores of version control.
 */
import { join } from "node:path";
import { readControlTextIfUsable } from "../base/files/control_file.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { toCountText } from "../base/text/plain_text.ts";
import type { IgnoreRule } from "../base/text/glob.ts";
import { findRule, readIgnoreRules } from "../base/text/glob.ts";
import { comparePaths } from "./text_query.ts";

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
export function toCutNotices(cut: WalkCut | null): readonly string[] {
  if (cut === null) return [];
  const found = toCountText(cut.files, "file");
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
