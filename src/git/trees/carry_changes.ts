/** Applies the changes between two trees to a third one, three-way for each file. */
import type { TreePath } from "../../base/paths.ts";
import type { Change } from "./changes.ts";
import { diffTrees, toEntry } from "./changes.ts";
import type { Entry } from "./merge_file.ts";
import { isSameEntry, mergeEntries, readEntries } from "./merge_file.ts";
import type { Repository } from "../repository.ts";
import { readTree } from "../repository.ts";
import type { TreeEdit } from "../index/scratch_index.ts";
import { editTree } from "../index/scratch_index.ts";

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
  return (await carryAndTell(repo, options)).tree;
}

/** Does the same, and tells in which files both sides changed the same lines. */
export async function carryAndTell(repo: Repository, options: CarryOptions): Promise<CarriedTree> {
  // Changes applied to the tree that they began with lead to the tree that they ended with.
  if (options.onto === options.from) {
    return { tree: await readTree(repo, options.to), overlaps: [] };
  }
  const changes = await diffTrees(repo, options.from, options.to, { withoutRenames: true });
  const entries = await readEntries(repo, options.onto, changes.map(({ path }) => path));
  const edits: TreeEdit[] = [];
  const overlaps: Overlap[] = [];
  for (const { path, oldMode, oldOid, newMode, newOid } of changes) {
    const base = toEntry(oldMode, oldOid);
    const theirs = toEntry(newMode, newOid);
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
  const edits = changes.filter(({ path }) => wanted.has(path)).map(toEdit);
  // Where the trees differ only in these files, the result exists already.
  if (edits.length === changes.length) return await readTree(repo, options.from);
  return await editTree(repo, options.onto, edits);
}

function toEdit({ path, newMode, newOid }: Change): TreeEdit {
  return { path, entry: toEntry(newMode, newOid) };
}

/** The trees of a session on whose branch somebody else committed. */
export interface CommittedOptions {
  /** Commit or tree without the person's changes, before the commit. */
  readonly cleanTree: string;
  /** Tree that the session began with, the person's changes included. */
  readonly baselineTree: string;
  /** Tree of the files before the commit, with the changes of the session and of the person. */
  readonly currentTree: string;
  /** The range of the new commits. */
  readonly commits: { readonly from: string; readonly to: string };
}

/**
 * The clean tree after such a commit: in files with changes of the person, what was committed
 * counts as clean, so that the session's next commit does not take it out again. Where it cannot be
 * told from the session's part, the whole file counts as it was committed.
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
