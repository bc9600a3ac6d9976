/**
 * Looks after the program's own files of a project: remains of killed processes and of damage, sessions that a worktree
 * still needs, and folders that are no folders.
 */
import { listIgnoredFolders } from "../git/trees/file_lists.ts";
import { join } from "node:path";
import type { Repository } from "../git/repository.ts";
import { listWorktrees } from "../git/repository.ts";
import { CodeIntelError, makeIoError } from "../base/errors.ts";
import { checkOwnFile, checkOwnFolder, listOwnFolder } from "../base/files/own_folder.ts";

/** Matches `.code-intel`, or its `sessions` folder, which its own ignore file names. */
const SESSIONS_FOLDER = /(?:^|\/)\.code-intel(?:\/sessions)?$/;

/**
 * Those of the ids that have a checkpoint in some project of some worktree; archived sessions do
 * not count.
 */
export async function findNeededSessions(
  repo: Repository,
  sessionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const needed = new Set<string>();
  for (const folder of await listSessionFolders(repo)) {
    for (const id of sessionIds) {
      const found = await Deno.stat(join(folder, `${id}.json`)).catch(() => null);
      if (found !== null) needed.add(id);
    }
  }
  return needed;
}

/** Absolute paths of the session folders of all projects in all worktrees; some need not exist. */
export async function listSessionFolders(repo: Repository): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const worktree of await listWorktrees(repo)) folders.push(...await listIn(worktree));
  return folders;
}

async function listIn(worktree: string): Promise<readonly string[]> {
  // A worktree whose folder is gone has no sessions.
  const exists = await Deno.stat(worktree).then(({ isDirectory }) => isDirectory, () => false);
  if (!exists) return [];
  const ignored = (await listIgnoredFolders(worktree)).filter((path) => SESSIONS_FOLDER.test(path));
  const folders = [".code-intel", ...ignored].map((path) => {
    const folder = join(worktree, path);
    return path.endsWith("/sessions") ? folder : join(folder, "sessions");
  });
  // A project's folder and its sessions may both be ignored.
  return [...new Set(folders)];
}

/** Folders and files of the program; a clone may bring a link in place of any of them. */
const OWN_PARTS = {
  folders: ["sessions", "sessions/archive", "logs", "agreements", "cache", "backup", "index"],
  files: ["logs/decisions.jsonl", "logs/outcomes.jsonl", "manifest.json", ".gitignore"],
} as const;

/** The parts of `.code-intel` that are a link or of the wrong kind, each with its cure. */
export function findRefused(codeIntelDir: string): readonly CodeIntelError[] {
  const found = new Map<string, CodeIntelError>();
  const look = (check: () => void) => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof CodeIntelError)) throw error;
      found.set(error.message, error);
    }
  };
  for (const name of OWN_PARTS.folders) look(() => checkOwnFolder(join(codeIntelDir, name)));
  for (const name of OWN_PARTS.files) look(() => checkOwnFile(join(codeIntelDir, name)));
  return [...found.values()];
}

/** One such file. */
export interface StaleFile {
  /** Path relative to `.code-intel`. */
  readonly path: string;
  /** A write that was not finished, a damaged checkpoint, or records without a checkpoint. */
  readonly kind: "temporary" | "damaged" | "orphaned";
  /** Time of the last write, in milliseconds. */
  readonly writtenAt: number;
}

const FOLDERS = ["", "sessions"];
const CHECKPOINT = /^(session_[0-9a-f_]+)\.json(?:\.prev)?$/;
const RECORDS = /^(session_[0-9a-f_]+)\.records\.jsonl$/;

/** Lists the leftovers, sorted by path; empty where the folder does not exist. */
export async function listStaleFiles(codeIntelDir: string): Promise<readonly StaleFile[]> {
  const found: StaleFile[] = [];
  for (const folder of FOLDERS) {
    const names = await listFiles(join(codeIntelDir, folder));
    const ids = new Set(names.map((name) => CHECKPOINT.exec(name)?.[1]));
    for (const name of names) {
      const kind = classifyFile(name, ids);
      if (kind === undefined) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      const info = await Deno.lstat(join(codeIntelDir, path)).catch(() => null);
      if (info !== null) found.push({ path, kind, writtenAt: info.mtime?.getTime() ?? 0 });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function classifyFile(
  name: string,
  ids: ReadonlySet<string | undefined>,
): StaleFile["kind"] | undefined {
  if (name.endsWith(".tmp")) return "temporary";
  if (/\.json\.corrupt-\d+$/.test(name)) return "damaged";
  const id = RECORDS.exec(name)?.[1];
  return id !== undefined && !ids.has(id) ? "orphaned" : undefined;
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for (const entry of await listOwnFolder(folder)) if (entry.isFile) names.push(entry.name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw makeIoError(`list "${folder}"`, error);
  }
  return names;
}
