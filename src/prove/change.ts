/** What is to be proven: one tree beside another in one repository, as it would be committed or was. */
import type { PathNames } from "../base/paths.ts";
import type { Repository } from "../git/repository.ts";
import type { Change as TreeChange } from "../git/trees/changes.ts";
import type { Trees } from "../ledger/trees.ts";

/** Where trees are read. */
export interface ChangePlace {
  readonly repo: Repository;
  readonly trees: Trees;
  readonly paths: PathNames;
}

/** A change between two trees. */
export interface Change {
  /** Tree of before the change. */
  readonly base: string;
  /** Tree with the change. */
  readonly tree: string;
  readonly files: readonly TreeChange[];
}
