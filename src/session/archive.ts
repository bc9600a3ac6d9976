/** The archive of ended sessions: moves their files there, and removes them when they are old. */
import { listOwnFolder, makeOwnFolder, writeOwnFile } from "../base/files/own_folder.ts";
import { join } from "node:path";
import { makeIoError } from "../base/errors.ts";
import { DAY_MS } from "../base/clock.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { withLock } from "../base/processes/lock_file.ts";

/** Names of a session's files; the first group is the session's id. */
export const SESSION_FILE = /^(session_\d{8}_\d{6}_[0-9a-f]{4})\.json(?:\.prev|\.corrupt-\d+)?$/;

/** Ids of all sessions that have any file in the folder of the sessions, not in the archive, sorted. */
export async function listSessionIds(sessionsDir: string): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const entry of await listOwnFolder(sessionsDir)) {
    const id = SESSION_FILE.exec(entry.name)?.[1];
    if (id !== undefined && entry.isFile) ids.add(id);
  }
  return [...ids].sort();
}

/**
 * The ignore file that `init` writes. It does not ignore learned terms, prompts, contract,
 * configuration and itself, which are for the team.
 */
export const GITIGNORE = `# Working files of code-intel; written once, yours to change.
/sessions/
/backup/
/init_backup/
/logs/
/cache/
/manifest.local.json
/index*
/*.db
/*.db-*
*.tmp
`;

/** The same where only sessions ran: without `init` nothing of the program shows in `git status`. */
export const SESSION_GITIGNORE: string = GITIGNORE.replace("\n", "\n/.gitignore\n/agreements/\n");

/** Makes the folder, its sessions folder and the ignore file; an existing ignore file is kept. */
export async function prepareCodeIntelFolder(codeIntelDir: string): Promise<void> {
  const ignorePath = join(codeIntelDir, ".gitignore");
  await makeOwnFolder(join(codeIntelDir, "sessions"));
  try {
    await Deno.lstat(ignorePath);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) {
      throw makeIoError(`make "${codeIntelDir}"`, error);
    }
    await writeOwnFile(ignorePath, SESSION_GITIGNORE);
  }
}

/** How long the archive keeps a file, and the present time. */
export interface PruneArchiveOptions {
  readonly archiveDays: number;
  readonly now: Date;
}

/**
 * Moves the files of a session to `archive/`. The checkpoint goes last, so that a session whose
 * move was interrupted can be archived again. If a lock file is among them, the lock is held
 * meanwhile: a process that waits for it then finds its file gone, instead of making a new one
 * beside the archive.
 *
 * @throws {CodeIntelError} `busy` when a lock is not free in time, `io_failed` when a file cannot be moved.
 */
export async function archiveFiles(sessionsDir: string, id: string): Promise<void> {
  const lock = (await listOf(sessionsDir, id)).find((name) => name.endsWith(".lock"));
  if (lock === undefined) return await moveFiles(sessionsDir, id);
  const options = { timeoutMs: LIMITS.lockWaitMs.value };
  await withLock(join(sessionsDir, lock), options, () => moveFiles(sessionsDir, id));
}

async function moveFiles(sessionsDir: string, id: string): Promise<void> {
  const archiveDir = join(sessionsDir, "archive");
  const names = await listOf(sessionsDir, id);
  if (names.length === 0) return;
  await makeOwnFolder(archiveDir);
  try {
    for (const name of names.toSorted(orderCheckpointLast(id))) {
      const path = join(sessionsDir, name);
      if (name.endsWith(".tmp")) await Deno.remove(path);
      else if (name.endsWith(".json.prev") && names.includes(`${id}.json`)) await Deno.remove(path);
      else await Deno.rename(path, join(archiveDir, name));
    }
  } catch (error) {
    throw makeIoError(`archive session "${id}"`, error);
  }
}

async function listOf(sessionsDir: string, id: string): Promise<readonly string[]> {
  return (await listNames(sessionsDir)).filter((name) => name.startsWith(`${id}.`));
}

function orderCheckpointLast(id: string): (a: string, b: string) => number {
  const checkpoint = `${id}.json`;
  return (a, b) => Number(a === checkpoint) - Number(b === checkpoint) || (a < b ? -1 : 1);
}

/**
 * Removes archived files that were last written before the archive's limit; returns their names.
 */
export async function pruneArchive(
  sessionsDir: string,
  options: PruneArchiveOptions,
): Promise<readonly string[]> {
  const archiveDir = join(sessionsDir, "archive");
  const oldest = options.now.getTime() - options.archiveDays * DAY_MS;
  const removed: string[] = [];
  for (const name of await listNames(archiveDir)) {
    const path = join(archiveDir, name);
    try {
      const { mtime, isFile } = await Deno.lstat(path);
      if (!isFile || mtime === null || mtime.getTime() >= oldest) continue;
      await Deno.remove(path);
      removed.push(name);
    } catch (error) {
      // Another process may prune at the same time.
      if (!(error instanceof Deno.errors.NotFound)) throw makeIoError(`remove "${path}"`, error);
    }
  }
  return removed;
}

/** Name of the newest checkpoint in the archive; null without one. */
export async function findNewestArchived(sessionsDir: string): Promise<string | null> {
  const archiveDir = join(sessionsDir, "archive");
  let newest: { readonly name: string; readonly at: number } | null = null;
  for (const name of await listNames(archiveDir)) {
    if (!name.endsWith(".json")) continue;
    const info = await Deno.lstat(join(archiveDir, name)).catch(() => null);
    const at = info?.mtime?.getTime() ?? 0;
    if (newest === null || at > newest.at) newest = { name, at };
  }
  return newest?.name ?? null;
}

async function listNames(folder: string): Promise<readonly string[]> {
  return (await listOwnFolder(folder)).map(({ name }) => name);
}
