/**
 * Paths as the agent gives them (relative to the project) and as git knows them (relative to the
 * worktree). The two differ where the project is a folder of a larger repository.
 */
import type { ProjectPath, TreePath } from "../../base/paths.ts";
import { basename, dirname, join, relative, resolve } from "node:path";
import { makeIoError } from "../../base/errors.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { resolveLinkAbove } from "../../base/files/project_folder.ts";
import { parentOf, parseRepoPath } from "../../base/repo_path.ts";
import type { WriteTarget } from "../../ledger/write_guard.ts";
import type { PathFact } from "../../phase/facts.ts";

/** A path inside the worktree, or why the given path is none. */
export type ResolvedPath =
  | { readonly kind: "path"; readonly path: TreePath }
  | { readonly kind: "refused"; readonly problem: Problem };

/** Converts paths between project and worktree, and looks at them on the disk. */
export class ProjectPaths {
  readonly #projectRoot: string;
  readonly #worktree: string;
  readonly #prefix: string;

  /**
   * Makes the converter of two absolute folders; the project is inside the worktree or is the
   * worktree.
   */
  constructor(projectRoot: string, worktree: string) {
    this.#projectRoot = projectRoot;
    this.#worktree = worktree;
    this.#prefix = relative(worktree, projectRoot).replaceAll("\\", "/");
  }

  /** The project's own folder, relative to the worktree; `.` where it is the worktree. */
  get projectFolder(): string {
    return this.#prefix === "" ? "." : this.#prefix;
  }

  /** The path relative to the worktree for a path that the agent gave. */
  toWorktree(input: ProjectPath, at?: string): ResolvedPath {
    const isAbsolute = input.startsWith("/") || /^[A-Za-z]:[\\/]/.test(input);
    const isWhole = isAbsolute || this.#prefix === "" || input.trim() === "";
    const text = isWhole ? input : `${this.#prefix}/${input}`;
    return parseRepoPath(this.#worktree, resolveLinkAbove(this.#worktree, text), at);
  }

  /**
   * The path relative to the project for a path of the worktree; `../` where it is beside the
   * project.
   */
  toProject(path: TreePath): ProjectPath {
    if (this.#prefix === "") return path as string;
    const shown = relative(this.#projectRoot, join(this.#worktree, path)).replaceAll("\\", "/");
    return shown === "" ? "." : shown;
  }

  /** Absolute path of a path of the worktree. */
  toAbsolute(path: TreePath): string {
    return join(this.#worktree, path);
  }

  /** What is on the disk at a path that the agent gave. */
  async toFact(input: string): Promise<PathFact> {
    const target = await this.toTarget(input);
    if (target.kind === "refused") {
      return target.problem.code === "path_outside" ? "outside" : "missing";
    }
    return target.target.kind;
  }

  /**
   * Follows symbolic links of a path, or of its nearest existing ancestor.
   *
   * @throws {CodeIntelError} `io_failed` for faults other than a missing file.
   */
  async toTarget(
    input: string,
    at?: string,
  ): Promise<
    | { readonly kind: "target"; readonly target: WriteTarget }
    | Extract<ResolvedPath, { readonly kind: "refused" }>
  > {
    const parsed = this.toWorktree(input, at);
    if (parsed.kind === "refused") return parsed;
    const worktree = await Deno.realPath(this.#worktree);
    const found = await followLinks(resolve(this.#worktree, parsed.path));
    const where = at === undefined ? {} : { at };
    if (found === null) {
      return {
        kind: "refused",
        problem: makeProblem("path_invalid", `${JSON.stringify(input)} can be no file`, {
          hint: "A name is too long, a link turns in a circle, or a file is named as a folder.",
          ...where,
        }),
      };
    }
    const inside = relative(worktree, found.path).replaceAll("\\", "/");
    if (inside.startsWith("../") || inside === ".." || inside.startsWith("/")) {
      return {
        kind: "refused",
        problem: {
          code: "path_outside",
          message: `"${input}" leads out of the project`,
          hint: "Name a file inside the project, relative to its root.",
          ...where,
        },
      };
    }
    const path = inside === "" ? "." : inside;
    const above = relative(worktree, found.nearestFolder).replaceAll("\\", "/");
    const nearestFolder = found.kind !== "missing" ? parentOf(path) : above === "" ? "." : above;
    return {
      kind: "target",
      target: {
        given: input,
        path,
        kind: found.kind,
        nearestFolder,
        shownFolder: this.toProject(nearestFolder),
      },
    };
  }
}

interface FollowedPath {
  readonly path: string;
  readonly kind: WriteTarget["kind"];
  readonly nearestFolder: string;
}

const MAX_LINKS = 40;

/**
 * The real path; for a path that does not exist, the real path of its nearest ancestor with the
 * rest. A link to nothing stands for what a write through it would create. Null for a path that
 * cannot be written.
 */
async function followLinks(absolute: string): Promise<FollowedPath | null> {
  const rest: string[] = [];
  let links = 0;
  for (let at = absolute;;) {
    const found = await look(at);
    if (found === null) return null;
    if (found.kind === "missing") {
      const target = await Deno.readLink(at).catch(() => null);
      if (target === null) rest.push(basename(at));
      else if (++links > MAX_LINKS) return null;
      at = target === null ? dirname(at) : resolve(await Deno.realPath(dirname(at)), target);
      continue;
    }
    const { path, kind } = found;
    if (rest.length === 0) return { path, kind, nearestFolder: dirname(path) };
    if (kind === "file") return null;
    return { path: join(path, ...rest.reverse()), kind: "missing", nearestFolder: path };
  }
}

/** Whether a folder is a repository inside another one, which git keeps as one entry: the commit that it is at. */
export async function isSubmodule(path: string): Promise<boolean> {
  const entry = await Deno.lstat(join(path, ".git")).catch(() => null);
  return entry?.isFile === true;
}

type Look =
  | { readonly kind: "file" | "folder"; readonly path: string }
  | { readonly kind: "missing" };

/** What is at a path, links followed; null where the system can have nothing. */
async function look(absolute: string): Promise<Look | null> {
  try {
    const path = await Deno.realPath(absolute);
    const isFolder = (await Deno.stat(path)).isDirectory && !(await isSubmodule(path));
    return { kind: isFolder ? "folder" : "file", path };
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory) {
      return { kind: "missing" };
    }
    const isUnusable = cause instanceof Deno.errors.FilesystemLoop ||
      (cause as { readonly code?: unknown }).code === "ENAMETOOLONG";
    if (isUnusable) return null;
    throw makeIoError(`look at "${absolute}"`, cause);
  }
}
