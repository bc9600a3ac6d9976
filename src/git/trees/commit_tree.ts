/** Builds the tree of the session's commit: the reviewed files, without the person's changes. */
import type { TreePath } from "../../base/paths.ts";
import type { Change } from "./changes.ts";
import { diffTrees } from "./changes.ts";
import type { Overlap } from "./carry_changes.ts";
import type { Entry } from "./merge_file.ts";
import { isSameEntry, mergeEntries, readEntries } from "./merge_file.ts";
import { mergeTrees } from "./merge_trees.ts";
import { findStandingOverlaps } from "./session_changes.ts";
import { readEntryFile } from "../object_file.ts";
import type { Repository } from "../repository.ts";
import { readTree } from "../repository.ts";
import type { TreeEdit } from "../index/scratch_index.ts";
import { editTree } from "../index/scratch_index.ts";

/** What goes into the commit. */
export interface CommitTreeOptions {
  /** The tip on which the commit is made. */
  readonly headCommit: string;
  /** Tree that the session began with. */
  readonly baselineTree: string;
  /** Tree of the working tree that was reviewed. */
  readonly currentTree: string;
  /**
   * Commit or tree without any change of the person. Default `headCommit`, which is HEAD at the
   * start; after a merged base, the `cleanTree` of that merge. Needed once the session has a
   * commit.
   */
  readonly cleanTree?: string;
  /** Second parent after a merged base: what the base brought is part of the tree. */
  readonly mergeParent?: string | null;
  /** Reviewed paths to commit; for a rename the present name is enough. */
  readonly paths: readonly TreePath[];
  /** Paths whose changes by the person are committed too. */
  readonly includePerson?: readonly TreePath[];
  /**
   * Files in which the person changed lines of the session, so that the baseline lacks their text
   * there.
   */
  readonly overlaps?: readonly Pick<Overlap, "treePath" | "before">[];
  /** A tree that may be the result, such as one that was built for a checkout; it may be gone meanwhile. */
  readonly likely?: string;
}

/** The tree, and the files that it leaves out. */
export interface CommitTree {
  /** Object id of the tree. */
  readonly tree: string;
  /** Paths where the agent's changes cannot be told from the person's; the tree leaves them out. */
  readonly inseparable: readonly TreePath[];
  /** Paths that an earlier commit of the session changed and that are as at the start again. */
  readonly reverted: readonly TreePath[];
  /** True when there is nothing to commit. */
  readonly isEmpty: boolean;
}

/** Builds the tree of a commit without touching index, HEAD or files. */
export async function buildCommitTree(
  repo: Repository,
  options: CommitTreeOptions,
): Promise<CommitTree> {
  const [headTree, cleanTree, session] = await Promise.all([
    readTree(repo, options.headCommit),
    readTree(repo, options.cleanTree ?? options.headCommit),
    diffTrees(repo, options.baselineTree, options.currentTree),
  ]);
  const merge = options.mergeParent
    ? await mergeTrees(repo, { ours: options.headCommit, theirs: options.mergeParent })
    : { tree: headTree, conflicts: [] };
  const kept = session.filter(({ path, from }) =>
    options.paths.includes(path) || (from !== undefined && options.paths.includes(from))
  );
  const touched = new Set(kept.flatMap(toNames));
  const resolved = merge.conflicts.filter((path) => !touched.has(path));
  const trees = await loadVersions(repo, { ...options, cleanTree }, [...touched, ...resolved]);
  const { currentTree, includePerson: include = [], overlaps = [] } = options;
  const overlapping = await findStandingOverlaps(repo, currentTree, overlaps);
  const edits: TreeEdit[] = [];
  const inseparable: TreePath[] = [];
  for (const change of [...kept, ...resolved.map((path) => ({ path }))]) {
    const edit = await toEdits(repo, { change, trees, include, overlapping });
    if (edit === null) inseparable.push(change.path);
    else edits.push(...edit);
  }
  const reverted = await findReverted(repo, { headTree, cleanTree, options, session });
  edits.push(...reverted);
  const { likely } = options;
  const stored = likely !== undefined && isStored(repo, likely, edits) ? [likely] : [];
  const tree = await editTree(repo, merge.tree, edits, [...stored, currentTree]);
  return {
    tree,
    inseparable,
    reverted: reverted.map(({ path }) => path),
    isEmpty: tree === headTree && !options.mergeParent,
  };
}

/** Each edit reads the folders above its file; more are built anew. */
const MOST_STORED_EDITS = 100;

/**
 * Whether each edited file of a tree, and with it each folder above, can be read from git's own files: no ref keeps the
 * tree, so that garbage collection may have taken a part of it, and a commit without that part would be broken.
 */
function isStored(repo: Repository, tree: string, edits: readonly TreeEdit[]): boolean {
  return edits.length <= MOST_STORED_EDITS && edits.every(({ path, entry }) => {
    const found = readEntryFile(repo, tree, path);
    return entry === null
      ? found === "absent"
      : found !== null && found !== "absent" && isSameEntry(found, entry);
  });
}

interface Versions {
  readonly baseline: ReadonlyMap<string, Entry>;
  readonly current: ReadonlyMap<string, Entry>;
  readonly clean: ReadonlyMap<string, Entry>;
}

async function loadVersions(
  repo: Repository,
  trees: {
    readonly baselineTree: string;
    readonly currentTree: string;
    readonly cleanTree: string;
  },
  paths: readonly TreePath[],
): Promise<Versions> {
  const [baseline, current, clean] = await Promise.all([
    readEntries(repo, trees.baselineTree, paths),
    readEntries(repo, trees.currentTree, paths),
    readEntries(repo, trees.cleanTree, paths),
  ]);
  return { baseline, current, clean };
}

interface EditOptions {
  readonly change: Pick<Change, "path" | "from">;
  readonly trees: Versions;
  readonly include: readonly TreePath[];
  readonly overlapping: readonly TreePath[];
}

/** What one change does to the tree; null when it cannot be told from the person's changes. */
async function toEdits(repo: Repository, options: EditOptions): Promise<TreeEdit[] | null> {
  const { change: { path, from }, trees } = options;
  const source = from ?? path;
  const current = trees.current.get(path) ?? null;
  const baseline = trees.baseline.get(source) ?? null;
  const clean = trees.clean.get(source) ?? null;
  const removal: TreeEdit[] = from === undefined ? [] : [{ path: from, entry: null }];
  const isIncluded = options.include.includes(path) || options.include.includes(source);
  const isOverlapping = [path, source].some((name) => options.overlapping.includes(name));
  if (isOverlapping && !isIncluded) return null;
  const isClean = isSameEntry(baseline, clean);
  if (isClean || isIncluded) return [...removal, { path, entry: current }];
  if (baseline === null || clean === null || current === null) return null;
  // Removing the person's part from the present file leaves the agent's part. As a merge: from the
  // baseline, one side went on to the present file and the other back to the clean one.
  const merged = await mergeEntries(repo, { base: baseline, ours: current, theirs: clean });
  return merged.kind === "conflict" ? null : [...removal, { path, entry: merged.entry }];
}

interface RevertedOptions {
  readonly headTree: string;
  readonly cleanTree: string;
  readonly options: CommitTreeOptions;
  readonly session: readonly Change[];
}

/** Files that the session committed and then reverted; the commit reverts them too. */
async function findReverted(repo: Repository, input: RevertedOptions): Promise<TreeEdit[]> {
  const { headTree, cleanTree, options, session } = input;
  if (headTree === cleanTree || options.mergeParent) return [];
  const inSession = new Set(session.flatMap(toNames));
  const flat = { withoutRenames: true };
  const committed = (await diffTrees(repo, cleanTree, headTree, flat))
    .filter(({ path }) => !inSession.has(path));
  if (committed.length === 0) return [];
  const paths = committed.map(({ path }) => path);
  const [current, clean] = await Promise.all([
    readEntries(repo, options.currentTree, paths),
    readEntries(repo, cleanTree, paths),
  ]);
  return committed
    // A file that is still as committed was booked to somebody else, and stays.
    .filter(({ path, newOid, newMode }) => {
      const now = current.get(path) ?? null;
      return now === null ? newMode !== "000000" : now.oid !== newOid || now.mode !== newMode;
    })
    .map(({ path }) => ({ path, entry: clean.get(path) ?? null }));
}

function toNames(change: Pick<Change, "path" | "from">): TreePath[] {
  return change.from === undefined ? [change.path] : [change.from, change.path];
}
