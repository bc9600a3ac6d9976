/**
 * Compares trees: changed files, changed lines, the text of diffs, and the content of single files.
 */
import { join } from "node:path";
import { readRegularText } from "../../base/files/regular_file.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { TreePath } from "../../base/paths.ts";
import type { PathLimit } from "../git.ts";
import { decode, limitTo, splitNul } from "../git.ts";
import { isObjectId, readEntryFile, readObjectFile, readTreeIdFile } from "../store_files.ts";
import type { Repository } from "../repository.ts";

/** What happened to a file between two trees. */
export type ChangeKind = "added" | "modified" | "deleted" | "renamed" | "type";

/** One changed file. */
export interface Change {
  /** Present name; for a deleted file its former name. */
  readonly path: TreePath;
  /** Former name of a renamed file. */
  readonly from?: TreePath;
  /** A rename with edits is `renamed`. */
  readonly kind: ChangeKind;
  /** True when the executable bit (or the type) differs. */
  readonly modeChanged: boolean;
  /** Octal mode; `000000` where the file does not exist. */
  readonly oldMode: string;
  /** Octal mode in the new tree. */
  readonly newMode: string;
  /** Blob id; all zeros where the file does not exist. */
  readonly oldOid: string;
  /** Blob id in the new tree. */
  readonly newOid: string;
  /** Set only with `withLineCounts`. */
  readonly isBinary?: boolean;
  /** Set only with `withLineCounts`; 0 for binary files. */
  readonly addedLines?: number;
  /** Set only with `withLineCounts`; 0 for binary files. */
  readonly removedLines?: number;
}

/** One side of a change as an entry of its tree; null where that tree does not have the file. */
export function buildTreeEntry(
  mode: string,
  oid: string,
): { readonly mode: string; readonly oid: string } | null {
  return mode === NO_MODE ? null : { mode, oid };
}

const NO_MODE = "000000";

/** How trees are compared. */
export interface DiffOptions {
  /** Only changes whose present or former name is one of these; default all. */
  readonly paths?: readonly TreePath[];
  /**
   * True to count lines and recognise binary files, which reads the content of every changed file.
   */
  readonly withLineCounts?: boolean;
  /** True to report a rename as a deletion and an addition. */
  readonly withoutRenames?: boolean;
}

const KINDS: Readonly<Record<string, ChangeKind>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  T: "type",
};

/** Options that make a diff independent of the user's configuration. */
const PLAIN_DIFF = ["--no-ext-diff", "--no-textconv", "--no-color", "--full-index"];

/**
 * Changed files from one tree (or commit) to another, sorted by path. Empty or null tree ids are
 * not allowed.
 */
export async function diffTrees(
  repo: Repository,
  from: string,
  to: string,
  options: DiffOptions = {},
): Promise<Change[]> {
  const sides = { from: resolveTreeId(repo, from), to: resolveTreeId(repo, to) };
  if (sides.from === sides.to) return [];
  const changes = options.withLineCounts === true
    ? await askDiff(repo, sides, ["--numstat", "--find-renames"])
    : await diffNames(repo, sides, options.withoutRenames !== true);
  if (options.paths === undefined) return changes;
  const wanted = new Set(options.paths);
  return changes.filter((change) =>
    wanted.has(change.path) || (change.from !== undefined && wanted.has(change.from))
  );
}

interface Sides {
  readonly from: string;
  readonly to: string;
}

/** The tree of a commit where that can be read without git: then equal trees need no question. */
function resolveTreeId(repo: Repository, treeish: string): string {
  return isObjectId(treeish) ? readTreeIdFile(repo, treeish) ?? treeish : treeish;
}

/** A rename joins a removed and a new file: without both of them there is none to be found. */
async function diffNames(repo: Repository, sides: Sides, withRenames: boolean): Promise<Change[]> {
  const flat = await askDiff(repo, sides, ["--no-renames"]);
  const has = (wanted: ChangeKind) => flat.some(({ kind }) => kind === wanted);
  const mayHaveRenames = withRenames && has("added") && has("deleted");
  return mayHaveRenames ? await askDiff(repo, sides, ["--find-renames"]) : flat;
}

async function askDiff(
  repo: Repository,
  { from, to }: Sides,
  options: readonly string[],
): Promise<Change[]> {
  const format = ["-r", "-z", "--raw", "--no-abbrev", "--ignore-submodules=none", ...options];
  const args = ["diff-tree", ...format, ...PLAIN_DIFF, "--end-of-options", from, to, "--"];
  // Which files are binary, and so have no lines, depends on attribute files; those of the worktree are in its trees.
  const state = options.includes("--numstat") ? readAttributes(repo) : "";
  const isFixed = isObjectId(from) && isObjectId(to);
  const output = await (isFixed ? repo.git.fixed(args, state) : repo.git.bytes(args));
  return parseRawDiff(splitNul(output));
}

/** Reads `--raw -z`, followed by the fields of `--numstat -z` where these were asked for. */
/** The attributes of the repository that no tree has. */
function readAttributes({ commonDir }: Repository): string {
  const bounds = { within: commonDir, maxBytes: LIMITS.stateFileBytes.value };
  return readRegularText(join(commonDir, "info", "attributes"), bounds) ?? "";
}

function parseRawDiff(fields: readonly string[]): Change[] {
  const changes: Change[] = [];
  let at = 0;
  while (fields[at]?.startsWith(":")) {
    const [oldMode = "", newMode = "", oldOid = "", newOid = "", status = ""] = (fields[at] ?? "")
      .slice(1).split(" ");
    const isRename = status.startsWith("R");
    const first = fields[at + 1] ?? "";
    const path = isRename ? fields[at + 2] ?? "" : first;
    at += isRename ? 3 : 2;
    const exists = oldMode !== "000000" && newMode !== "000000";
    changes.push({
      path,
      ...(isRename ? { from: first } : {}),
      kind: KINDS[status[0] ?? ""] ?? "modified",
      modeChanged: exists && oldMode !== newMode,
      oldMode,
      newMode,
      oldOid,
      newOid,
    });
  }
  const counts = parseNumstat(fields.slice(at));
  return changes.map((change) => ({ ...change, ...counts.get(change.path) }));
}

type LineCounts = Required<Pick<Change, "isBinary" | "addedLines" | "removedLines">>;

/** Reads `added TAB removed TAB path`; a rename has an empty path and two more fields. */
function parseNumstat(fields: readonly string[]): Map<string, LineCounts> {
  const counts = new Map<string, LineCounts>();
  let at = 0;
  while (at < fields.length) {
    const found = /^(-|\d+)\t(-|\d+)\t(.*)$/s.exec(fields[at] ?? "");
    if (found === null) break;
    const [, added = "0", removed = "0", name = ""] = found;
    const path = name === "" ? fields[at + 2] ?? "" : name;
    at += name === "" ? 3 : 1;
    const isBinary = added === "-";
    counts.set(path, {
      isBinary,
      addedLines: isBinary ? 0 : Number(added),
      removedLines: isBinary ? 0 : Number(removed),
    });
  }
  return counts;
}

/** What a diff shows. */
export interface DiffTextOptions {
  /** Shows all lines of the changed files around the changes. */
  readonly withWholeFiles?: boolean;
}

/** More lines than a file has that somebody changes by hand. */
const ALL_LINES = 1_000_000;

/** Unified diff of some files, with renames; the caller cuts the text. */
export async function diffText(
  repo: Repository,
  from: string,
  to: string,
  paths: readonly TreePath[],
  { withWholeFiles = false }: DiffTextOptions = {},
): Promise<string> {
  if (paths.length === 0 || from === to) return "";
  const all = await diffTrees(repo, from, to);
  const wanted = new Set(paths);
  const isWanted = ({ path, from: old }: Change) =>
    wanted.has(path) || (old !== undefined && wanted.has(old));
  const limit = limitToChanges(all.filter(isWanted));
  if (limit === null) return "";
  const whole = withWholeFiles ? [`--unified=${ALL_LINES}`] : [];
  const options = [...whole, "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short"];
  const changes = limit.isExact ? all.filter(isWanted) : all;
  const text = await readPatch(repo, { from, to }, options, { paths: limit.args, changes });
  if (limit.isExact) return text;
  return splitByChange(text, all).filter(({ change }) => isWanted(change))
    .flatMap(({ parts }) => parts.map((part) => `${SECTION}${part}`)).join("");
}

/** What git shows in place of lines. */
const HIDDEN = /^Binary files .* differ$/m;
/** Larger files whose lines are not shown are no sources that somebody hides (guessed). */
const MOST_HIDDEN_BYTES = 1_000_000;

/**
 * The patch between two trees, of all files where no path is given. Attributes of the repository hide no lines of texts.
 *
 * @param changes those of which the patch is, in their order.
 */
export async function readPatch(
  repo: Repository,
  { from, to }: Sides,
  options: readonly string[],
  { paths, changes }: { readonly paths: readonly TreePath[]; readonly changes: readonly Change[] },
): Promise<string> {
  const ask = async (own: readonly string[], more: readonly string[]) => {
    const args = ["--literal-pathspecs", "diff-tree", "-r", "-p", "--find-renames", ...more];
    const plain = ["--ignore-submodules=none", ...PLAIN_DIFF, "--end-of-options", from, to, "--"];
    return await repo.git.text([...args, ...plain, ...own]);
  };
  const patch = await ask(paths, options);
  if (!HIDDEN.test(patch)) return patch;
  const split = splitByChange(patch, changes);
  const isHidden = ({ parts }: (typeof split)[number]) => parts.some((part) => HIDDEN.test(part));
  const hidden = await takeSmall(repo, split.filter(isHidden).map(({ change }) => change));
  const limit = limitToChanges(hidden);
  if (limit === null || !limit.isExact) return patch;
  const shown = splitByChange(await ask(limit.args, [...options, "--text"]), hidden);
  return split.flatMap(({ change, parts }) => {
    const own = shown.find((one) => one.change === change)?.parts ?? [];
    return own.length === 0 || own.some((part) => part.includes("\0")) ? parts : own;
  }).map((part) => `${SECTION}${part}`).join("");
}

/** The changes of which neither side is large. */
async function takeSmall(
  repo: Repository,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const stdin = changes.flatMap(({ oldOid, newOid }) => [`${oldOid}\n`, `${newOid}\n`]).join("");
  const told = await repo.git.text(["cat-file", "--batch-check"], { stdin });
  const large = told.split("\n").map((line) => Number(line.split(" ")[2]) > MOST_HIDDEN_BYTES);
  return changes.filter((_, at) => large[2 * at] === false && large[2 * at + 1] === false);
}

const SECTION = "diff --git ";

/**
 * Limits a diff to changes; null where there are none. Both names of a rename are given, because
 * git would otherwise show a new file.
 */
export function limitToChanges(changes: readonly Change[]): PathLimit | null {
  if (changes.length === 0) return null;
  return limitTo(
    changes.flatMap(({ path, from: old }) => old === undefined ? [path] : [old, path]),
  );
}

/**
 * The parts of a patch by change. They come in the order of the raw records, so that no file name
 * has to be read from the patch; a changed type has two parts, for the removed and for the new
 * file.
 */
export function splitByChange(
  patch: string,
  changes: readonly Change[],
): { readonly change: Change; readonly parts: readonly string[] }[] {
  const sections = patch.split(/^diff --git /m).slice(1);
  let at = 0;
  return changes.map((change) => {
    const count = change.kind === "type" ? 2 : 1;
    const parts = sections.slice(at, at + count);
    at += count;
    return { change, parts };
  });
}

/** Bytes of one file of a tree as git stores them; null when the tree has no such file. */
export async function readBlob(
  repo: Repository,
  tree: string,
  path: TreePath,
): Promise<Uint8Array | null> {
  const entry = (await listTree(repo, tree, [path])).find((found) => found.path === path);
  if (entry === undefined || entry.mode === "160000") return null;
  return await readBlobBytes(repo, entry.oid);
}

/** Text of a blob by its id. */
export async function readBlobById(repo: Repository, oid: string): Promise<string> {
  return decode(await readBlobBytes(repo, oid));
}

async function readBlobBytes(repo: Repository, oid: string): Promise<Uint8Array> {
  const stored = readObjectFile(repo, oid);
  return stored?.kind === "blob" ? stored.body : await repo.git.bytes(["cat-file", "blob", oid]);
}

/** Text of one file of a tree; null when the tree has no such file. */
export async function readBlobText(
  repo: Repository,
  tree: string,
  path: TreePath,
): Promise<string | null> {
  const bytes = await readBlob(repo, tree, path);
  return bytes === null ? null : decode(bytes);
}

/** One file of a tree. */
export interface TreeEntry {
  /** Path from the top of the tree. */
  readonly path: TreePath;
  /** Octal mode: 100644, 100755, 120000 (symlink), 160000 (commit of a nested repository). */
  readonly mode: string;
  /** Blob id; for a nested repository its commit. */
  readonly oid: string;
}

/** Files of a tree: all, or the given paths, where a folder stands for everything below it. */
export async function listTree(
  repo: Repository,
  tree: string,
  paths: readonly TreePath[] = [],
): Promise<TreeEntry[]> {
  const stored = listByFiles(repo, tree, paths);
  if (stored !== null) return stored;
  const limit = limitTo(paths);
  const args = [
    "--literal-pathspecs",
    "ls-tree",
    "-r",
    "-z",
    "--full-tree",
    "--end-of-options",
    tree, // Everything after it is a path: ls-tree would take `--` for one.
    ...limit.args,
  ];
  const output = await (isObjectId(tree) ? repo.git.fixed(args) : repo.git.bytes(args));
  const entries = splitNul(output).map((field) => {
    const tab = field.indexOf("\t");
    const [mode = "", , oid = ""] = field.slice(0, tab).split(" ");
    return { path: field.slice(tab + 1), mode, oid };
  });
  return limit.isExact ? entries : entries.filter(({ path }) => limit.covers(path));
}

/** More paths than a person or an agent names are listed by git, which reads each folder once. */
const MOST_READ_PATHS = 20;

/** The named files of a tree from the files of its folders; null where only git can tell. */
function listByFiles(
  repo: Repository,
  treeish: string,
  paths: readonly TreePath[],
): TreeEntry[] | null {
  if (paths.length === 0 || paths.length > MOST_READ_PATHS) return null;
  const tree = readTreeIdFile(repo, treeish);
  const entries: TreeEntry[] = [];
  for (const path of new Set(paths)) {
    const found = tree === null ? null : readEntryFile(repo, tree, path);
    if (found === null) return null;
    if (found !== "absent") entries.push({ path, ...found });
  }
  return entries;
}
