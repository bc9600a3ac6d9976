/** Paths as the agent gives them, turned into paths of the project or refused. Pure. */
import type { Problem } from "./problem.ts";
import { makeProblem } from "./problem.ts";

/** A path relative to the project root, with `/` separators, without `.` or `..` parts. */
export type RepoPath = string & { readonly __repoPath: unique symbol };

/** A path, or the reason why it is none. */
export type RepoPathResult =
  | { readonly kind: "path"; readonly path: RepoPath }
  | { readonly kind: "refused"; readonly problem: Problem };

const MAX_PATH_CHARS = 4096;

/**
 * Reads `input` as a path of the project at `root` (absolute). Absolute input is accepted when it lies
 * inside. Symbolic links are not followed here: the caller that touches the disk does that.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { parseRepoPath } from "./repo_path.ts";
 * const inside = parseRepoPath("/work/app", "/work/app/src/../a.ts");
 * equal(inside.kind === "path" && inside.path, "a.ts");
 * equal(parseRepoPath("/work/app", "../x").kind, "refused");
 * ```
 */
export function parseRepoPath(root: string, input: string, at?: string): RepoPathResult {
  const refuse = (code: string, message: string, hint: string): RepoPathResult => ({
    kind: "refused",
    problem: makeProblem(code, message, { hint, ...(at === undefined ? {} : { at }) }),
  });
  const shown = JSON.stringify(input.length > 120 ? `${input.slice(0, 120)}…` : input);
  if (input.trim() === "") {
    return refuse("path_invalid", "The path is empty", "Give a path relative to the project.");
  }
  if (input.length > MAX_PATH_CHARS || input.includes("\0")) {
    return refuse(
      "path_invalid",
      `The path ${shown} is longer than ${MAX_PATH_CHARS} characters or holds a NUL`,
      "Give a path relative to the project.",
    );
  }
  const relative = findRelative(root, input);
  const parts: string[] = [];
  for (const part of relative?.split("/") ?? [".."]) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) {
      return refuse(
        "path_outside",
        `The path ${shown} lies outside the project`,
        "Name a file inside the project, relative to its root.",
      );
    }
  }
  return { kind: "path", path: (parts.length === 0 ? "." : parts.join("/")) as RepoPath };
}

function findRelative(root: string, input: string): string | undefined {
  const windows = /^[A-Za-z]:[\\/]/.test(root);
  const path = windows ? input.replaceAll("\\", "/") : input;
  const base = windows ? root.replaceAll("\\", "/") : root;
  const isAbsolute = path.startsWith("/") || (windows && /^[A-Za-z]:\//.test(path));
  if (!isAbsolute) return path;
  if (path === base) return ".";
  const prefix = base.endsWith("/") ? base : `${base}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** The folder of a project path, `.` for the root. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash);
}

/** Whether a path with `/` separators is one of the folders or lies below one. */
export function isInFolders(path: string, folders: ReadonlySet<string>): boolean {
  for (let at = path; folders.size > 0; at = parentOf(at)) {
    if (folders.has(at)) return true;
    if (at === ".") return false;
  }
  return false;
}

/** The folder of a path with `/` separators, without a slash at its end; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
