/** Looks at the disk and says how it differs from the ledger. */
import { join } from "node:path";
import type { Repository } from "../git/mod.ts";
import { diffTrees, hashGuardedFiles, readHead, writeWorktreeTree } from "../git/mod.ts";
import type { LedgerState } from "../phase/mod.ts";
import type { ObservedChange, ObservedHead } from "./ledger.ts";

/** What was seen. */
export interface Observation {
  /** The worktree as a tree now. */
  readonly tree: string;
  readonly changes: readonly ObservedChange[];
  readonly head: ObservedHead;
  /** Files that steer git and are not as they were at the start. */
  readonly gitFiles: readonly string[];
  /** Their present hashes, by name. */
  readonly gitHashes: Readonly<Record<string, string>>;
}

/** How an observation is made. */
export interface ObserveOptions {
  readonly sessionId: string;
  readonly maxFileMb: number;
}

/** Compares the worktree, HEAD and the files that steer git with what the ledger says. */
export async function observe(
  repo: Repository,
  ledger: LedgerState,
  options: ObserveOptions,
): Promise<Observation> {
  const [{ tree }, head, hashes] = await Promise.all([
    writeWorktreeTree(repo, options),
    readHead(repo),
    hashGuardedFiles(repo),
  ]);
  const changes = ledger.tree === null || ledger.tree === tree
    ? []
    : await toChanges(repo, ledger.tree, tree);
  return {
    tree,
    changes,
    head: { branch: head.kind === "branch" ? head.branch : null, commit: head.commit },
    gitFiles: compareHashes(ledger.gitFiles, hashes),
    gitHashes: hashes,
  };
}

async function toChanges(
  repo: Repository,
  from: string,
  to: string,
): Promise<readonly ObservedChange[]> {
  const changes = await diffTrees(repo, from, to, { withoutRenames: true });
  return await Promise.all(changes.map(async ({ path, kind }): Promise<ObservedChange> => {
    const info = kind === "deleted"
      ? null
      : await Deno.lstat(join(repo.worktree, path)).catch(() => null);
    // Without renames git never answers "renamed".
    const known = kind === "renamed" ? "modified" : kind;
    return { path, kind: known, sizeBytes: info?.size ?? null };
  }));
}

/** Names whose hash differs, is new, or is gone. */
export function compareHashes(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]).sort();
}
