/**
 * The two kinds of paths that a session works with, so that the compiler tells them apart. A
 * project may be a folder of a larger repository. Then the same file is `src/a.ts` to the agent and
 * `app/src/a.ts` to git. A path of one kind in the place of the other names another file, or none.
 * Both have `/` and neither `.` nor `..` parts, except that a file beside the project is `../x` to
 * the project.
 *
 * A plain string fits both: literals and what is read from JSON need no ceremony. What has been given a kind is
 * converted by `ProjectPaths` of the workflow alone.
 */

/** A path seen from the top of the worktree, as git and the ledger know it. */
export type TreePath = PathOf<"tree">;

/** A path seen from the project, as the agent and the user give and read it. */
export type ProjectPath = PathOf<"project">;

/** Text with the name of the folder that it is relative to. */
export type PathOf<Kind extends string> = string & { readonly __path?: Kind };

/** How paths of the worktree are called in the project; null for one outside of it. */
export interface PathNames {
  toProject(path: TreePath): ProjectPath;
  toWorktree(path: ProjectPath):
    | { readonly kind: "path"; readonly path: TreePath }
    | { readonly kind: "refused" };
}
