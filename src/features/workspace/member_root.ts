/** Which folders may be members: repositories beside the project, and neither the machine nor what lies around the project. */
import { join, sep } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { lookAt } from "../../index/scan/file_stamp.ts";
import { isGitStore } from "../../place/git_store.ts";
import { isManifest } from "../../resolve/packages/package_facts.ts";

/** What a root is compared with. */
export interface MemberRootOptions {
  readonly projectRoot: string;
  /** The person's home folder; null where none is known. */
  readonly home: string | null;
  /** Folders in which the index of the repository at a root may lie. */
  readonly toFolders: (root: string) => readonly string[];
}

/**
 * Refuses what is no repository, and what would bring the index of far more than a repository.
 *
 * @param root absolute path without links.
 * @throws {CodeIntelError} `io_failed`.
 */
export function checkMemberRoot(root: string, options: MemberRootOptions): void {
  const refusal = findRefusal(root, options);
  if (refusal !== null) throw toRefusal(root, refusal.why, refusal.hint);
}

/**
 * Why a member that was taken may not be asked and indexed any more, as a half sentence about its folder; null where it
 * may. What lies in its place now would empty its index.
 *
 * @param root absolute path of a folder that is there.
 */
export function findLoss(root: string, options: MemberRootOptions): string | null {
  if (toReal(root) !== root) return "a link leads from there to another folder";
  // The index that is kept for others says nothing of a folder that has nothing any more.
  const toFolders = listNames(root).length === 0 ? () => [] : options.toFolders;
  return findRefusal(root, { ...options, toFolders })?.why ?? null;
}

interface Refusal {
  readonly why: string;
  readonly hint: string;
}

function findRefusal(root: string, options: MemberRootOptions): Refusal | null {
  const { projectRoot, home, toFolders } = options;
  if (holds(root, projectRoot)) {
    return { why: "the project itself lies in it", hint: "Name repositories beside the project." };
  }
  if (home !== null && (root === toReal(home) || holds(root, toReal(home)))) {
    return { why: "your home folder is no repository", hint: "Name a repository in it." };
  }
  const isThere = (path: string) => lookAt(path).kind !== "gone";
  if (isGitStore(root)) {
    const own = JSON.stringify(root);
    return {
      why: "it is a bare repository, which has no files to read",
      hint:
        `Name a clone that has its files: \`git clone ${own} FOLDER\`, then \`code-intel workspace add FOLDER\`.`,
    };
  }
  const isRepository = isThere(join(root, ".git")) || isThere(join(root, ".code-intel")) ||
    toFolders(root).some((folder) => isThere(join(folder, "index.db"))) ||
    listNames(root).some(isManifest);
  if (isRepository) return null;
  return {
    why: "it has neither a git repository nor a manifest of a package",
    hint: `Name a repository, or make one of it first: git init ${JSON.stringify(root)}`,
  };
}

/**
 * Refuses a folder of the project, which is asked anyway; the project itself stands for the repositories inside of it.
 *
 * @throws {CodeIntelError} `io_failed`.
 */
export function checkProjectRoot(dir: string, projectRoot: string): void {
  if (toReal(dir) === projectRoot) return;
  throw toRefusal(
    dir,
    "it is a folder of the project itself, which is asked anyway",
    "Name repositories beside the project, or none for those inside of it: `code-intel workspace add`.",
  );
}

function holds(root: string, inner: string): boolean {
  return inner.startsWith(root.endsWith(sep) ? root : `${root}${sep}`) && inner !== root;
}

function toReal(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

function listNames(root: string): readonly string[] {
  try {
    return Array.from(Deno.readDirSync(root), ({ name }) => name);
  } catch {
    return [];
  }
}

function toRefusal(root: string, why: string, hint: string): CodeIntelError {
  return new CodeIntelError("io_failed", `Cannot add "${root}" to the workspace: ${why}`, { hint });
}
