/**
 * States of the working files by id, whatever keeps them: trees of git, or manifests where there is no
 * git. The ledger compares, combines and puts back such states without knowing which.
 */
import type { TreePath } from "../base/paths.ts";
import type { CarriedTree, Change, LineChanges } from "../git/mod.ts";
import type { ObservedChange } from "./ledger.ts";

/** How a state is written. */
export interface WriteTreeOptions {
  readonly sessionId: string;
  /** Larger files are not kept, in MiB. */
  readonly maxFileMb: number;
  /** A state whose files are looked at even where they are ignored by now; null for none. */
  readonly known: string | null;
}

/** A file that cannot be put back, and why. */
export interface Unrestorable {
  readonly path: TreePath;
  /** No copy of the wanted version; or what lies there now is too large to be kept before. */
  readonly reason: "no_copy" | "too_large";
}

/** Which files of a state are meant. */
export interface TreePaths {
  readonly tree: string;
  /** Relative to the worktree. */
  readonly paths: readonly TreePath[];
}

/** Everything that is done with states. */
export interface Trees {
  readonly kind: "git" | "manifest";
  /** The working files as they are; returns the id. */
  write(options: WriteTreeOptions): Promise<string>;
  /** The same, with the fingerprints of what no state can hold, by path. */
  look(
    options: WriteTreeOptions,
  ): Promise<{ readonly tree: string; readonly odd: Readonly<Record<string, string>> }>;
  /** What differs; a rename is a deletion and an addition. */
  diff(from: string, to: string): Promise<readonly ObservedChange[]>;
  /** `onto` with the given files as they are in `from`. */
  adopt(options: {
    readonly onto: string;
    readonly from: string;
    readonly paths: readonly TreePath[];
  }): Promise<string>;
  /**
   * `onto` with the changes from `from` to `to`; where both changed the same, `onto` stays, and trees of git
   * name the file.
   */
  carry(options: {
    readonly onto: string;
    readonly from: string;
    readonly to: string;
  }): Promise<CarriedTree>;
  /** What changed as a whole, without lines, in the given files or in all; renames as such. */
  changes(from: string, to: string, paths?: readonly TreePath[]): Promise<readonly Change[]>;
  /** Changed lines by present path, of the given files or of all; renames as such. */
  changedLines(
    from: string,
    to: string,
    paths?: readonly TreePath[],
  ): Promise<ReadonlyMap<string, LineChanges>>;
  /** Text of a file in a state; null where it is missing, no text, or not kept. */
  readText(tree: string, path: TreePath): Promise<string | null>;
  /** Keeps the versions that a state has of some files, as far as the disk still has them. */
  keepVersions(options: TreePaths): Promise<void>;
  /** Lets nothing collect these states of a session, by name, until others take their names. */
  keepStates(sessionId: string, states: Readonly<Record<string, string>>): Promise<void>;
  /** Files that {@link putBack} could not put back. */
  findUnrestorable(
    options: TreePaths & { readonly maxFileMb: number },
  ): Promise<readonly Unrestorable[]>;
  /** Puts files back as they are in a state; a file that the state lacks is removed. */
  putBack(options: TreePaths): Promise<void>;
}
