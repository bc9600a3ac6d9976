/** What is to be proven: one tree beside another in one repository, as it would be committed or was. */
import type { ProjectPath, TreePath } from "../base/paths.ts";
import type { Repository } from "../git/repository.ts";
import type { Change as TreeChange } from "../git/trees/changes.ts";
import type { Trees } from "../ledger/trees.ts";

/** How paths of the worktree are called in the project; null for one outside of it. */
export interface PathNames {
  toProject(path: TreePath): ProjectPath;
  toWorktree(path: ProjectPath):
    | { readonly kind: "path"; readonly path: TreePath }
    | { readonly kind: "refused" };
}

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
