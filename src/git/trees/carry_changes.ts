/** Merges three-way: single files, whole trees, and the changes between two trees applied to a third one. */
import { openOwnFolder } from "../index/own_store.ts";
import type { GitOptions } from "../git.ts";
import { makeGitError, splitNul } from "../git.ts";
import { isAncestorByFiles, readTreeIdFile } from "../store_files.ts";
import type { Repository } from "../repository.ts";
import { readTree } from "../repository.ts";
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import type { Change } from "./changes.ts";
import { buildTreeEntry, diffTrees, listTree } from "./changes.ts";
import type { TreeEdit } from "../index/scratch_index.ts";
import { editTree } from "../index/scratch_index.ts";

/** A computed merge. */
export interface TreeMerge {
  /** Merged tree; files with conflicts hold conflict markers. */
  readonly tree: string;
  /** Paths with conflicts, empty for a clean merge. */
  readonly conflicts: readonly string[];
}

/** What is merged; names of refs become the labels of conflict markers. */
export interface TreeMergeOptions {
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges two commits. Where somebody rewrote the first commit the two have no common history: then
 * every file that differs is a conflict.
 *
 * @throws {CodeIntelError} `git_failed` when one of them is no commit.
 */
export async function mergeTrees(repo: Repository, options: TreeMergeOptions): Promise<TreeMerge> {
  // What the other side has already is not merged: the result is that side.
  if (isAncestorByFiles(repo, options.ours, options.theirs) === true) {
    const tree = readTreeIdFile(repo, options.theirs);
    if (tree !== null) return { tree, conflicts: [] };
  }
  return await runMerge(repo, options);
}

/** Asks git for the merge, whatever the two have in common; objects go where `env` says. */
export async function runMerge(
  repo: Repository,
  { ours, theirs }: TreeMergeOptions,
  { settings = [], env = {} }: Pick<GitOptions, "env"> & {
    readonly settings?: readonly string[];
  } = {},
): Promise<TreeMerge> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"];
  const unrelated = "--allow-unrelated-histories";
  const result = await repo.git.run([...settings, ...args, unrelated, ours, theirs], { env });
  if (result.code !== 0 && result.code !== 1) throw makeGitError(args, result);
  const [tree = "", ...conflicts] = splitNul(result.stdout);
  return { tree, conflicts: [...new Set(conflicts.filter((path) => path !== ""))] };
}

/** A file of a tree without its path; null where the tree has no such file. */
export type Entry = { readonly mode: string; readonly oid: string } | null;

/** The three versions of one file. */
export interface MergeSides {
  /** The version that both sides started from. */
  readonly base: Entry;
  readonly ours: Entry;
  readonly theirs: Entry;
  /**
   * True to take the lines of `ours` where both sides changed the same lines; default: a conflict.
   */
  readonly prefersOurs?: boolean;
}

/** The merged file, or that it cannot be merged without a person. */
export type MergedEntry =
  | {
    readonly kind: "merged";
    readonly entry: Entry;
    /** True where both sides changed the same lines and those of `ours` were taken. */
    readonly isOverlapping?: true;
  }
  | { readonly kind: "conflict" };

/** Whether two entries have the same content and mode. */
export function isSameEntry(one: Entry, other: Entry): boolean {
  if (one === null || other === null) return one === other;
  return one.mode === other.mode && one.oid === other.oid;
}

/** Entries of some paths of a tree; one start of git. */
export async function readEntries(
  repo: Repository,
  tree: string,
  paths: readonly TreePath[],
): Promise<Map<TreePath, Entry>> {
  if (paths.length === 0) return new Map();
  const wanted = new Set(paths);
  const listed = await listTree(repo, tree, paths);
  return new Map(
    listed.filter(({ path }) => wanted.has(path)).map(({ path, mode, oid }) => [path, {
      mode,
      oid,
    }]),
  );
}

/** Merges three versions of a file: directly where one side is unchanged, else line by line. */
export async function mergeEntries(repo: Repository, sides: MergeSides): Promise<MergedEntry> {
  const { base, ours, theirs } = sides;
  if (isSameEntry(ours, theirs) || isSameEntry(base, theirs)) {
    return { kind: "merged", entry: ours };
  }
  if (isSameEntry(base, ours)) return { kind: "merged", entry: theirs };
  if (base === null || ours === null || theirs === null) return { kind: "conflict" };
  if ([base, ours, theirs].some((entry) => !entry.mode.startsWith("100"))) {
    return { kind: "conflict" };
  }
  const mode = base.mode === ours.mode ? theirs.mode : ours.mode;
  if (ours.oid === theirs.oid || base.oid === theirs.oid) {
    return { kind: "merged", entry: { mode, oid: ours.oid } };
  }
  if (base.oid === ours.oid) return { kind: "merged", entry: { mode, oid: theirs.oid } };
  const content = await mergeContents(repo, { base, ours, theirs }, sides.prefersOurs === true);
  if (content === null) return { kind: "conflict" };
  const entry = { mode, oid: content.oid };
  return { kind: "merged", entry, ...content.isOverlapping ? { isOverlapping: true } : {} };
}

type WholeSides = { readonly [side in "base" | "ours" | "theirs"]: NonNullable<Entry> };

/**
 * The merged text, and whether lines of `ours` were preferred; null for conflicts and binary files.
 */
async function mergeContents(
  repo: Repository,
  sides: WholeSides,
  prefersOurs: boolean,
): Promise<{ readonly oid: string; readonly isOverlapping: boolean } | null> {
  const folder = await Deno.makeTempDir({ dir: await openOwnFolder(repo), prefix: "merge-" });
  try {
    const names = ["ours", "base", "theirs"] as const;
    const files = await Promise.all(names.map(async (name) => {
      const path = join(folder, name);
      await Deno.writeFile(path, await repo.git.bytes(["cat-file", "blob", sides[name].oid]));
      return path;
    }));
    const merge = (...favour: readonly string[]) =>
      repo.git.run(["merge-file", "-p", "-q", ...favour, "--", ...files]);
    const plain = await merge();
    // The exit status is the number of conflicts; 255 is an error, which for readable files means
    // "binary".
    const isOverlapping = plain.code !== 0;
    const merged = isOverlapping && prefersOurs ? await merge("--ours") : plain;
    if (merged.code !== 0) return null;
    const args = ["hash-object", "-w", "--stdin"];
    return { oid: await repo.git.line(args, { stdin: merged.stdout }), isOverlapping };
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

/** Which changes are applied to which tree. */
export interface CarryOptions {
  /** Tree to which the changes are applied. */
  readonly onto: string;
  /** Tree or commit before the changes. */
  readonly from: string;
  /** Tree or commit with the changes. */
  readonly to: string;
  /**
   * What happens where both sides changed the same lines: `onto` keeps its lines and takes all
   * other changes, `to` takes the whole file. Where lines cannot be compared, both decide about the
   * whole file.
   */
  readonly onConflict: "onto" | "to";
}

/**
 * A file for which some changes could not be applied, because both sides changed the same lines.
 */
export interface Overlap {
  readonly treePath: TreePath;
  /** Mode and blob of the file before the changes; null where there was no such file. */
  readonly before: string | null;
  /** Mode and blob of the file with the changes. */
  readonly after: string | null;
}

/** A tree with applied changes, and the files for which some could not be applied. */
export interface CarriedTree {
  readonly tree: string;
  readonly overlaps: readonly Overlap[];
}

/** The tree `onto` with the changes from `from` to `to`. */
export async function carryChanges(repo: Repository, options: CarryOptions): Promise<string> {
  return (await carryWithOverlaps(repo, options)).tree;
}

/** Does the same, and tells in which files both sides changed the same lines. */
export async function carryWithOverlaps(
  repo: Repository,
  options: CarryOptions,
): Promise<CarriedTree> {
  // Changes applied to the tree that they began with lead to the tree that they ended with.
  if (options.onto === options.from) {
    return { tree: await readTree(repo, options.to), overlaps: [] };
  }
  const changes = await diffTrees(repo, options.from, options.to, { withoutRenames: true });
  const entries = await readEntries(repo, options.onto, changes.map(({ path }) => path));
  const edits: TreeEdit[] = [];
  const overlaps: Overlap[] = [];
  for (const { path, oldMode, oldOid, newMode, newOid } of changes) {
    const base = buildTreeEntry(oldMode, oldOid);
    const theirs = buildTreeEntry(newMode, newOid);
    const ours = entries.get(path) ?? null;
    const prefersOurs = options.onConflict === "onto";
    const merged = await mergeEntries(repo, { base, ours, theirs, prefersOurs });
    const entry = merged.kind === "merged" ? merged.entry : theirs;
    const isTaken = merged.kind === "merged" || options.onConflict === "to";
    if (isTaken && !isSameEntry(entry, ours)) edits.push({ path, entry });
    if (merged.kind === "conflict" || merged.isOverlapping === true) {
      overlaps.push({ treePath: path, before: formatEntry(base), after: formatEntry(theirs) });
    }
  }
  return { tree: await editTree(repo, options.onto, edits), overlaps };
}

/** Mode and blob of a file as one text; null where there is no such file. */
export function formatEntry(entry: Entry): string | null {
  return entry === null ? null : `${entry.mode} ${entry.oid}`;
}

/**
 * The tree `onto` with the given files as they are in `from`; a file that `from` lacks is removed.
 */
export async function adoptPaths(
  repo: Repository,
  options: { readonly onto: string; readonly from: string; readonly paths: readonly TreePath[] },
): Promise<string> {
  const paths = [...new Set(options.paths)];
  if (paths.length === 0) return options.onto;
  const wanted = new Set(paths);
  const changes = await diffTrees(repo, options.onto, options.from, { withoutRenames: true });
  const edits = changes.filter(({ path }) => wanted.has(path)).map(buildEdit);
  // Where the trees differ only in these files, the result exists already.
  if (edits.length === changes.length) return await readTree(repo, options.from);
  return await editTree(repo, options.onto, edits);
}

function buildEdit({ path, newMode, newOid }: Change): TreeEdit {
  return { path, entry: buildTreeEntry(newMode, newOid) };
}

/** The trees of a session on whose branch somebody else committed. */
export interface AdoptCommittedOptions {
  /** Commit or tree without the user's changes, before the commit. */
  readonly cleanTree: string;
  /** Tree that the session began with, the user's changes included. */
  readonly baselineTree: string;
  /** Tree of the files before the commit, with the changes of the session and of the user. */
  readonly currentTree: string;
  /** The range of the new commits. */
  readonly commits: { readonly from: string; readonly to: string };
}

/**
 * The clean tree after such a commit: in files with changes of the user, what was committed counts
 * as clean. So the session's next commit does not take it out again. Where it cannot be told from
 * the session's part, the whole file counts as it was committed.
 */
export async function adoptCommitted(
  repo: Repository,
  options: AdoptCommittedOptions,
): Promise<string> {
  const { cleanTree, baselineTree, currentTree, commits } = options;
  const flat = { withoutRenames: true };
  const [committed, person] = await Promise.all([
    diffTrees(repo, commits.from, commits.to, flat),
    diffTrees(repo, cleanTree, baselineTree, flat),
  ]);
  const changed = new Set(committed.map(({ path }) => path));
  const paths = person.map(({ path }) => path).filter((path) => changed.has(path));
  if (paths.length === 0) return cleanTree;
  // The difference between the present and the committed files was not committed, so it is not
  // clean.
  const to = await adoptPaths(repo, { onto: currentTree, from: commits.to, paths });
  const carried = await carryChanges(repo, {
    onto: baselineTree,
    from: currentTree,
    to,
    onConflict: "to",
  });
  return await adoptPaths(repo, { onto: cleanTree, from: carried, paths });
}
