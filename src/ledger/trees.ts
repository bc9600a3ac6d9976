/**
 * States of the working files by id, whatever stores them: trees of git, or manifests without git.
 * The ledger compares, combines and puts back such states without knowing which they are.
 */
import type { TreePath } from "../base/paths.ts";
import type { LargeFile } from "../git/index/index_notes.ts";
import type { CarriedTree } from "../git/trees/carry_changes.ts";
import type { LineChanges } from "../git/trees/changed_lines.ts";
import type { Change } from "../git/trees/changes.ts";
import type { ObservedChange } from "./ledger.ts";

/** How a state is written. */
export interface WriteTreeOptions {
  readonly sessionId: string;
  /** Larger files are not stored, in MiB. */
  readonly maxFileMb: number;
  /** A state whose files are looked at even where they are ignored now; null for none. */
  readonly known: string | null;
}

/** A file that cannot be put back, and the reason. */
export interface Unrestorable {
  readonly path: TreePath;
  /** There is no copy of the wanted version, or the present file is too large for a copy of it. */
  readonly reason: "no_copy" | "too_large";
}

/** Which files of a state are meant. */
export interface TreePaths {
  readonly tree: string;
  /** Relative to the worktree. */
  readonly paths: readonly TreePath[];
}

/** A state of the working files, and what it cannot hold. */
export interface Looked {
  readonly tree: string;
  /** Fingerprints by path of what no state can hold. */
  readonly odd: Readonly<Record<string, string>>;
  /** Untracked files that are too large for a state. */
  readonly large: readonly LargeFile[];
}

/** What can be done with states. */
export interface Trees {
  readonly kind: "git" | "manifest";
  /** Writes the working files as a state; returns its id. */
  write(options: WriteTreeOptions): Promise<string>;
  /** Like `write`, with what no state can hold. */
  look(options: WriteTreeOptions): Promise<Looked>;
  /** The differences of two states; a rename is a deletion and an addition. */
  diff(from: string, to: string): Promise<readonly ObservedChange[]>;
  /** `onto` with the given files as they are in `from`. */
  adopt(options: {
    readonly onto: string;
    readonly from: string;
    readonly paths: readonly TreePath[];
  }): Promise<string>;
  /**
   * `onto` with the changes from `from` to `to`. Where both changed the same lines, those of `onto`
   * stay, and trees of git report the file as an overlap.
   */
  carry(options: {
    readonly onto: string;
    readonly from: string;
    readonly to: string;
  }): Promise<CarriedTree>;
  /** The changed files without lines, of the given paths or of all; renames are recognised. */
  changes(from: string, to: string, paths?: readonly TreePath[]): Promise<readonly Change[]>;
  /** Changed lines by present path, of the given files or of all; renames are recognised. */
  changedLines(
    from: string,
    to: string,
    paths?: readonly TreePath[],
  ): Promise<ReadonlyMap<string, LineChanges>>;
  /** Text of a file in a state; null where the file is missing, no text, or not stored. */
  readText(tree: string, path: TreePath): Promise<string | null>;
  /** Stores the versions of some files that a state names, as far as the disk still has them. */
  keepVersions(options: TreePaths): Promise<void>;
  /**
   * Protects these states of a session from garbage collection, by name, until other states get the
   * names.
   */
  keepStates(sessionId: string, states: Readonly<Record<string, string>>): Promise<void>;
  /** The files that {@link putBack} could not put back. */
  findUnrestorable(
    options: TreePaths & { readonly maxFileMb: number },
  ): Promise<readonly Unrestorable[]>;
  /** Makes files as they are in a state; a file that the state lacks is removed. */
  putBack(options: TreePaths): Promise<void>;
}
