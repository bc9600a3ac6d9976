/** Tells the session's changes from the user's, and makes the tree that a session commits of its own alone. */
import type { TreePath } from "../../base/paths.ts";
import type { Change } from "./changes.ts";
import { diffTrees } from "./changes.ts";
import type { Entry, Overlap } from "./carry_changes.ts";
import {
  formatEntry,
  isSameEntry,
  mergeEntries,
  mergeTrees,
  readEntries,
} from "./carry_changes.ts";
import type { Repository } from "../repository.ts";
import { readTree } from "../repository.ts";
import { readEntryFile } from "../store_files.ts";
import type { TreeEdit } from "../index/scratch_index.ts";
import { editTree } from "../index/scratch_index.ts";

/** The trees that are compared. */
export interface CompareSessionOptions {
  /** Tree that the session began with, with what was attributed to others since. */
  readonly baselineTree: string;
  /** Tree of the present working tree. */
  readonly currentTree: string;
  /**
   * Commit or tree without any change of the user: HEAD at the start of the session, or after a
   * merged base the `cleanTree` of that merge.
   */
  readonly headCommit: string;
  /**
   * Files in which the user changed lines of the session, with their versions before: the part of
   * the user that the baseline lacks.
   */
  readonly overlaps?: readonly Pick<Overlap, "treePath" | "before">[];
  /** As in the options of {@link diffTrees}, for the session's changes. */
  readonly withLineCounts?: boolean;
}

/** Who changed what. */
export interface SessionComparison {
  /** The session's changes, from the baseline to now; renames are recognised. */
  readonly session: readonly Change[];
  /**
   * Files that had uncommitted changes of the user when the session began, or that they changed
   * since.
   */
  readonly person: readonly TreePath[];
  /** Paths that both changed. */
  readonly both: readonly TreePath[];
  /** Those of `both` in which the user's text stands on lines of the session. */
  readonly overlapping: readonly TreePath[];
}

/** Compares the three states of a session. */
export async function compareSession(
  repo: Repository,
  options: CompareSessionOptions,
): Promise<SessionComparison> {
  const [session, person] = await Promise.all([
    diffTrees(repo, options.baselineTree, options.currentTree, {
      withLineCounts: options.withLineCounts === true,
    }),
    diffTrees(repo, options.headCommit, options.baselineTree),
  ]);
  const overlaps = await findOpenOverlaps(repo, options.currentTree, options.overlaps ?? []);
  const theirs = new Set([...person.flatMap(listNames), ...overlaps]);
  const listBoth = (names: ReadonlySet<TreePath>) =>
    session.filter((change) => listNames(change).some((name) => names.has(name)))
      .map((change) => change.path);
  return {
    session,
    person: [...new Set([...person.map(({ path }) => path), ...overlaps])],
    both: listBoth(theirs),
    overlapping: listBoth(new Set(overlaps)),
  };
}

/**
 * Files with changes of the user on lines of the session, without those that are again as they
 * were before.
 */
export async function findOpenOverlaps(
  repo: Repository,
  currentTree: string,
  overlaps: readonly Pick<Overlap, "treePath" | "before">[],
): Promise<readonly TreePath[]> {
  const entries = await readEntries(repo, currentTree, overlaps.map(({ treePath }) => treePath));
  return overlaps
    .filter(({ treePath, before }) => formatEntry(entries.get(treePath) ?? null) !== before)
    .map(({ treePath }) => treePath);
}

/** What goes into the commit. */
export interface CommitTreeOptions {
  /** The tip on which the commit is made. */
  readonly headCommit: string;
  /** Tree that the session began with. */
  readonly baselineTree: string;
  /** Tree of the working tree that was reviewed. */
  readonly currentTree: string;
  /**
   * Commit or tree without any change of the user. Default `headCommit`, which is HEAD at the
   * start; after a merged base, the `cleanTree` of that merge. Needed once the session has a
   * commit.
   */
  readonly cleanTree?: string;
  /** Second parent after a merged base: what the base brought is part of the tree. */
  readonly mergeParent?: string | null;
  /** Reviewed paths to commit; for a rename the present name is enough. */
  readonly paths: readonly TreePath[];
  /** Paths whose changes by the user are committed too. */
  readonly includePerson?: readonly TreePath[];
  /**
   * Files in which the user changed lines of the session, so that the baseline lacks their text
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
  /** Paths where the agent's changes cannot be told from the user's; the tree leaves them out. */
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
  const touched = new Set(kept.flatMap(listNames));
  const resolved = merge.conflicts.filter((path) => !touched.has(path));
  const trees = await loadVersions(repo, { ...options, cleanTree }, [...touched, ...resolved]);
  const { currentTree, includePerson: include = [], overlaps = [] } = options;
  const overlapping = await findOpenOverlaps(repo, currentTree, overlaps);
  const edits: TreeEdit[] = [];
  const inseparable: TreePath[] = [];
  for (const change of [...kept, ...resolved.map((path) => ({ path }))]) {
    const edit = await computeEdits(repo, { change, trees, include, overlapping });
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

/** Each edit reads the folders above its file; more are built again. */
const MOST_STORED_EDITS = 100;

/**
 * Whether each edited file of a tree, and with it each folder above, can be read from git's own
 * files: no ref keeps the tree. Garbage collection may have removed a part of it, and a commit
 * without that part would be broken.
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

/** What one change does to the tree; null when it is not known from the user's changes. */
async function computeEdits(repo: Repository, options: EditOptions): Promise<TreeEdit[] | null> {
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
  // Removing the user's part from the present file leaves the agent's part. As a merge: from the
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
  const inSession = new Set(session.flatMap(listNames));
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
    // A file that is still as committed was attributed to somebody else, and stays.
    .filter(({ path, newOid, newMode }) => {
      const now = current.get(path) ?? null;
      return now === null ? newMode !== "000000" : now.oid !== newOid || now.mode !== newMode;
    })
    .map(({ path }) => ({ path, entry: clean.get(path) ?? null }));
}

function listNames(change: Pick<Change, "path" | "from">): TreePath[] {
  return change.from === undefined ? [change.path] : [change.from, change.path];
}
