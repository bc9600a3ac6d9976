/**
 * Finds the git folder of a project by its files alone, before git is started. The folder may hold
 * files that make git hang.
 */
import { dirname, join, parse, resolve } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import { readRegularText } from "../base/files/regular_file.ts";

/** Where a repository's files are. Whether git can open it is not checked. */
export interface GitFolder {
  /** The folder that holds `.git`. */
  readonly worktree: string;
  /** Git folder of the worktree: HEAD and index. */
  readonly gitDir: string;
  /** Git folder that all worktrees share: settings and refs. */
  readonly commonDir: string;
}

/** A folder with none of these is no repository. */
const SIGNS = ["HEAD", "config", "objects", "refs/heads"];

/**
 * The nearest `.git`, from a folder upwards, that looks like a repository; null where there is
 * none. The search ends where git's ends: at another file system, and at the folders of
 * `GIT_CEILING_DIRECTORIES`.
 */
export function findGitFolder(dir: string): GitFolder | null {
  for (const folder of listFoldersUp(dir)) {
    const found = findGitFolderAt(folder);
    if (found !== null) return found;
  }
  return null;
}

/** A folder and those above it, as far as git looks for a repository. */
export function* listFoldersUp(dir: string): Generator<string> {
  const ceilings = (Deno.env.get("GIT_CEILING_DIRECTORIES") ?? "")
    .split(Deno.build.os === "windows" ? ";" : ":").filter((path) => path !== "");
  const device = readDevice(dir);
  for (let folder = dir;; folder = dirname(folder)) {
    yield folder;
    const above = dirname(folder);
    if (above === folder || ceilings.includes(above) || readDevice(above) !== device) return;
  }
}

/** What the `.git` of a folder leads to; null where it has none that counts. */
export function findGitFolderAt(worktree: string): GitFolder | null {
  const entry = join(worktree, ".git");
  const info = stat(entry);
  if (info === "absent") return null;
  if (info === "unknown") return { worktree, gitDir: entry, commonDir: entry };
  if (info.isDirectory) {
    const isMeant = SIGNS.some((name) => isThere(join(entry, name)));
    return isMeant ? { worktree, gitDir: entry, commonDir: findCommonDir(entry) } : null;
  }
  const named = info.isFile ? /^gitdir: ([^\r\n]*)/.exec(read(entry))?.[1] : undefined;
  const gitDir = named === undefined ? entry : resolve(worktree, named);
  return { worktree, gitDir, commonDir: findCommonDir(gitDir) };
}

/** A second worktree names the folder that all worktrees share. */
function findCommonDir(gitDir: string): string {
  const named = read(join(gitDir, "commondir")).trimEnd();
  return named === "" ? gitDir : resolve(gitDir, named);
}

function read(path: string): string {
  const bounds = { within: parse(path).root, maxBytes: LIMITS.refFileBytes.value };
  return readRegularText(path, bounds) ?? "";
}

/** Whether something is at a path, or may be. */
export function isThere(path: string): boolean {
  return stat(path) !== "absent";
}

/** What is at a path, links followed; `unknown` where the account may not look. */
function stat(path: string): Deno.FileInfo | "absent" | "unknown" {
  try {
    return Deno.statSync(path);
  } catch (error) {
    const isAbsent = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    return isAbsent ? "absent" : "unknown";
  }
}

function readDevice(folder: string): number | null {
  const info = stat(folder);
  return typeof info === "string" ? null : info.dev;
}
