/** Looks at the disk and tells how it differs from the ledger. */
import type { LargeFile } from "../git/trees/unstored_files.ts";
import type { Repository } from "../git/repository.ts";
import { readHead } from "../git/repository.ts";
import { hashGuardedFiles } from "../git/snapshots/guarded_files.ts";
import type { LedgerState } from "../phase/state.ts";
import type { ObservedChange, ObservedHead } from "./ledger.ts";
import type { Trees, WorktreeSnapshot } from "./trees.ts";
import { compareHashes, listUnstoredChanges } from "./trees.ts";

/** What was found on the disk. */
export interface Observation {
  /** The worktree as a tree now. */
  readonly tree: string;
  readonly changes: readonly ObservedChange[];
  /** Where HEAD is; nowhere for a session without git. */
  readonly head: ObservedHead;
  /** Names of the files that steer git and changed since the start. */
  readonly gitFiles: readonly string[];
  /** Their present hashes, by name. */
  readonly gitHashes: Readonly<Record<string, string>>;
  /** Fingerprints by path of what no tree can hold, as {@link readOdd} gives them. */
  readonly odd: Readonly<Record<string, string>>;
  /** Untracked files that are too large for the tree. */
  readonly large: readonly LargeFile[];
}

/** How an observation is made. */
export interface ObserveOptions {
  /** The repository whose HEAD and steering files are looked at. */
  readonly repo: Repository;
  readonly sessionId: string;
  readonly maxFileMb: number;
  /** A look at the files that stands for a new one; HEAD and the files that steer git are read all the same. */
  readonly looked?: WorktreeSnapshot | null;
}

/** Compares the worktree, HEAD and the files that steer git with what the ledger says. */
export async function observe(
  trees: Trees,
  ledger: LedgerState,
  { repo, looked = null, ...options }: ObserveOptions,
): Promise<Observation> {
  const [{ tree, odd, large }, head, hashes] = await Promise.all([
    looked ?? trees.look(options),
    repo.isPrivate === true ? null : readHead(repo),
    hashGuardedFiles(repo),
  ]);
  const changes = ledger.tree === null ? [] : await trees.diff(ledger.tree, tree);
  const oddChanges = await listUnstoredChanges(repo, { known: ledger.odd, odd, changes });
  return {
    tree,
    changes: [...changes, ...oddChanges],
    odd,
    large,
    head: { branch: head?.kind === "branch" ? head.branch : null, commit: head?.commit ?? null },
    gitFiles: compareHashes(ledger.gitFiles, hashes),
    gitHashes: hashes,
  };
}
