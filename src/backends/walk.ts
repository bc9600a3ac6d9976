/**
 * The files of a folder where git does not say: obeys `.gitignore` files, never follows links, and
 * passes over the stores of version control.
 */
import { join } from "node:path";
import { readControlTextIfUsable } from "../base/files/control_file.ts";
import type { IgnoreRule } from "../base/text/ignore_rules.ts";
import { findRule, readIgnoreRules } from "../base/text/ignore_rules.ts";
import { comparePaths } from "./text_query.ts";

/** What is walked. */
export interface WalkOptions {
  /** Also what the ignore rules leave out; the stores of version control never are. */
  readonly includeIgnored?: boolean;
  /** Also symbolic links, as what they are; default only files. */
  readonly includeLinks?: boolean;
  /** Names of folders that are entered although they are passed over by default. */
  readonly enter?: readonly string[];
  /** Ends the walk soon after so many files. */
  readonly maxFiles?: number;
  /** Ends the work when the client cancels. */
  readonly signal?: AbortSignal;
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

/** Files below `root`, relative to it, with `/`, sorted; folders that cannot be read are left out. */
export async function walkFiles(root: string, options: WalkOptions = {}): Promise<string[]> {
  const files: string[] = [];
  await walk(root, "", { files, rules: [], options });
  return files.sort(comparePaths);
}

interface Walk {
  readonly files: string[];
  readonly rules: readonly IgnoreRule[];
  readonly options: WalkOptions;
}

async function walk(root: string, folder: string, state: Walk): Promise<void> {
  state.options.signal?.throwIfAborted();
  const entries = await readFolder(join(root, folder));
  const { includeIgnored, includeLinks = false, enter = [], maxFiles = Infinity } = state.options;
  const obeys = includeIgnored !== true;
  const hasRules = obeys && entries.some((entry) => entry.name === ".gitignore" && entry.isFile);
  const rules = hasRules ? [...state.rules, ...readRules(root, folder)] : state.rules;
  for (const entry of entries) {
    if (state.files.length > maxFiles) return;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    // A link is neither file nor folder here, so no loop and no way out of the project.
    const isLink = includeLinks && entry.isSymlink;
    if (!entry.isFile && !entry.isDirectory && !isLink) continue;
    if (entry.isDirectory && STORES.has(entry.name)) continue;
    const isPassed = BUILD_FOLDERS.has(entry.name) && !enter.includes(entry.name);
    if (obeys && entry.isDirectory && isPassed) continue;
    // What a folder holds is not looked at where the folder is left out, so that nothing in it comes in again.
    if (obeys && findRule(path, entry.isDirectory, rules)?.isNegated === false) continue;
    if (!entry.isDirectory) state.files.push(path);
    else await walk(root, path, { ...state, rules });
  }
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
