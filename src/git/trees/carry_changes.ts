/** Applies what changed between two trees to a third one, three-way per file. */
import type { TreePath } from "../../base/paths.ts";
import type { Change } from "./changes.ts";
import { diffTrees } from "./changes.ts";
import type { Entry } from "./merge_file.ts";
import { isSameEntry, mergeEntries, readEntries } from "./merge_file.ts";
import type { Repository } from "../repository.ts";
import { readTree } from "../repository.ts";
import type { TreeEdit } from "../index/scratch_index.ts";
import { editTree } from "../index/scratch_index.ts";

/** What is applied where. */
export interface CarryOptions {
  /** Tree that gets the changes. */
  readonly onto: string;
  /** Tree or commit before the changes. */
  readonly from: string;
  /** Tree or commit with the changes. */
  readonly to: string;
  /**
   * What a file gets where both sides changed the same lines: `onto` keeps those lines and takes all other
   * changes, `to` takes the whole file. Where lines cannot be told apart, both are about the whole file.
   */
  readonly onConflict: "onto" | "to";
}

/** A file of which not every change could be laid onto a tree, because both sides changed the same lines. */
export interface Overlap {
  readonly treePath: TreePath;
  /** Mode and blob before the changes; null where there was no such file. */
  readonly before: string | null;
  /** The same with the changes. */
  readonly after: string | null;
}

/** A tree with changes of others, and the files of which it lacks some. */
export interface CarriedTree {
  readonly tree: string;
  readonly overlaps: readonly Overlap[];
}

/** The tree `onto` with the changes from `from` to `to`. */
export async function carryChanges(repo: Repository, options: CarryOptions): Promise<string> {
  return (await carryAndTell(repo, options)).tree;
}

/** The same, telling which files both sides changed in the same lines. */
export async function carryAndTell(repo: Repository, options: CarryOptions): Promise<CarriedTree> {
  // Onto where the changes began, they lead to where they ended.
  if (options.onto === options.from) {
    return { tree: await readTree(repo, options.to), overlaps: [] };
  }
  const changes = await diffTrees(repo, options.from, options.to, { withoutRenames: true });
  const entries = await readEntries(repo, options.onto, changes.map(({ path }) => path));
  const edits: TreeEdit[] = [];
  const overlaps: Overlap[] = [];
  for (const { path, oldMode, oldOid, newMode, newOid } of changes) {
    const base = oldMode === "000000" ? null : { mode: oldMode, oid: oldOid };
    const theirs = newMode === "000000" ? null : { mode: newMode, oid: newOid };
    const ours = entries.get(path) ?? null;
    const prefersOurs = options.onConflict === "onto";
    const merged = await mergeEntries(repo, { base, ours, theirs, prefersOurs });
    const entry = merged.kind === "merged" ? merged.entry : theirs;
    const isTaken = merged.kind === "merged" || options.onConflict === "to";
    if (isTaken && !isSameEntry(entry, ours)) edits.push({ path, entry });
    if (merged.kind === "conflict" || merged.isOverlapping === true) {
      overlaps.push({ treePath: path, before: toEntryName(base), after: toEntryName(theirs) });
    }
  }
  return { tree: await editTree(repo, options.onto, edits), overlaps };
}

/** Mode and blob of a file as one text; null where there is no such file. */
export function toEntryName(entry: Entry): string | null {
  return entry === null ? null : `${entry.mode} ${entry.oid}`;
}

/** The tree `onto` with the given files as they are in `from`; a file that `from` lacks is removed. */
export async function adoptPaths(
  repo: Repository,
  options: { readonly onto: string; readonly from: string; readonly paths: readonly TreePath[] },
): Promise<string> {
  const paths = [...new Set(options.paths)];
  if (paths.length === 0) return options.onto;
  const wanted = new Set(paths);
  const changes = await diffTrees(repo, options.onto, options.from, { withoutRenames: true });
  const edits = changes.filter(({ path }) => wanted.has(path)).map(toEdit);
  // Where the two differ in nothing else, the tree is there already.
  if (edits.length === changes.length) return await readTree(repo, options.from);
  return await editTree(repo, options.onto, edits);
}

function toEdit({ path, newMode, newOid }: Change): TreeEdit {
  return { path, entry: newMode === "000000" ? null : { mode: newMode, oid: newOid } };
}

/** The trees of a session when somebody else committed on its branch. */
export interface CommittedOptions {
  /** Commit or tree without the person's changes, as of now. */
  readonly cleanTree: string;
  /** Tree that the session began with, the person's changes included. */
  readonly baselineTree: string;
  /** Tree of the files before the commit, with the changes of both. */
  readonly currentTree: string;
  /** The commits that came. */
  readonly commits: { readonly from: string; readonly to: string };
}

/**
 * The clean tree from then on: of files with changes of the person's, what was committed of these is
 * clean, so that the session's next commit does not take it back out. Where that cannot be told from
 * the session's part, the file counts as it was committed.
 */
export async function adoptCommitted(repo: Repository, options: CommittedOptions): Promise<string> {
  const { cleanTree, baselineTree, currentTree, commits } = options;
  const flat = { withoutRenames: true };
  const [committed, person] = await Promise.all([
    diffTrees(repo, commits.from, commits.to, flat),
    diffTrees(repo, cleanTree, baselineTree, flat),
  ]);
  const changed = new Set(committed.map(({ path }) => path));
  const paths = person.map(({ path }) => path).filter((path) => changed.has(path));
  if (paths.length === 0) return cleanTree;
  // From the present files to the committed ones is what was left out: so much is not clean.
  const to = await adoptPaths(repo, { onto: currentTree, from: commits.to, paths });
  const carried = await carryChanges(repo, {
    onto: baselineTree,
    from: currentTree,
    to,
    onConflict: "to",
  });
  return await adoptPaths(repo, { onto: cleanTree, from: carried, paths });
}
