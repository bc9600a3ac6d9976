/**
 * Lists what earlier sessions left behind, and removes it; unfinished work only when that is asked
 * for.
 */
import { formatCount } from "../base/text/plain_text.ts";
import { join } from "node:path";
import { DAY_MS } from "../base/clock.ts";
import { makeIoError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { listOwnFolder } from "../base/files/own_folder.ts";
import type { Problem } from "../base/problem.ts";
import type { SessionStore } from "../session/store_api.ts";
import type { StaleFile } from "./leftovers.ts";
import { listStaleFiles } from "./leftovers.ts";

/** One thing that can be removed. */
export interface CleanItem {
  readonly kind: "session" | "branch" | "archived" | "leftover" | "snapshots";
  /** Id of the session, name of the branch, or path relative to `.code-intel`. */
  readonly name: string;
  /** Why it can be removed. */
  readonly reason: string;
}

/** A task branch that no session needs. */
export interface StaleBranch {
  readonly name: string;
  /** Commits of the branch that its base lacks; null when that is unknown. */
  readonly commitCount: number | null;
}

/** Which snapshots are old. */
export interface OldSnapshots {
  readonly before: Date;
  /** Sessions whose snapshots are kept whatever their age. */
  readonly keepSessions: readonly string[];
}

/** What cleaning works with. */
export interface CleanDeps {
  /** Absolute path of the project's `.code-intel` folder. */
  readonly codeIntelDir: string;
  readonly store: SessionStore;
  readonly now: Date;
  /** Task branches that no unfinished session owns; none without git. */
  readonly listStaleBranches: () => Promise<readonly StaleBranch[]>;
  /** Deletes the stale branches; a ref keeps each tip first. */
  readonly deleteStaleBranches: () => Promise<{
    readonly deleted: readonly string[];
    readonly problems: readonly Problem[];
  }>;
  /** Removes the snapshots of sessions that ended before a time; returns the ids. */
  readonly pruneSnapshots: (options: OldSnapshots) => Promise<readonly string[]>;
  /** The ids that `pruneSnapshots` would return; default none. */
  readonly listOldSnapshots?: (options: OldSnapshots) => Promise<readonly string[]>;
  /**
   * Saves that an unfinished session ended now. So its snapshots are kept for their days from now
   * on, however long the session lay unused.
   */
  readonly saveEnd?: (sessionId: string) => Promise<void>;
  /** Notes the outcome of a session before it is archived. */
  readonly noteEnd?: (sessionId: string) => Promise<void>;
  /** Days that the configuration keeps snapshots; default `LIMITS.snapshotDays`. */
  readonly loadSnapshotDays?: () => Promise<number>;
}

/** How much is removed. */
export interface CleanOptions {
  /** `all` removes unfinished sessions too; the caller has asked the user. */
  readonly scope: "finished" | "all";
  readonly archiveDays?: number;
  readonly snapshotDays?: number;
}

/** What was removed and what could not be. */
export interface CleanResult {
  readonly removed: readonly CleanItem[];
  /** Sessions whose snapshots were removed. */
  readonly prunedSnapshots: readonly string[];
  readonly problems: readonly Problem[];
}

/** Younger temporary files may belong to a write that is not finished. */
const TEMPORARY_DAYS = 1;

/** Lists what {@link applyClean} would remove; changes nothing. */
export async function planClean(
  deps: CleanDeps,
  options: CleanOptions,
): Promise<readonly CleanItem[]> {
  const sessions = await planSessions(deps, options);
  const branches = (await deps.listStaleBranches()).map(({ name, commitCount }): CleanItem => ({
    kind: "branch",
    name,
    reason: commitCount === null
      ? "no session needs it; its tip is kept by a ref"
      : `no session needs it; its ${
        formatCount(commitCount, "commit is", "commits are")
      } kept by a ref`,
  }));
  return [
    ...sessions,
    ...branches,
    ...await planFiles(deps, options),
    ...await planSnapshots(deps, options),
  ];
}

async function planSnapshots(
  deps: CleanDeps,
  options: CleanOptions,
): Promise<readonly CleanItem[]> {
  if (deps.listOldSnapshots === undefined) return [];
  const { days, ...old } = await findOldSnapshots(deps, options);
  return (await deps.listOldSnapshots(old)).map((name): CleanItem => ({
    kind: "snapshots",
    name,
    reason: `older than ${formatCount(days, "day")}`,
  }));
}

async function findOldSnapshots(
  deps: CleanDeps,
  options: CleanOptions,
): Promise<OldSnapshots & { readonly days: number }> {
  const days = options.snapshotDays ?? await deps.loadSnapshotDays?.() ??
    LIMITS.snapshotDays.value;
  return {
    days,
    before: new Date(deps.now.getTime() - days * DAY_MS),
    keepSessions: (await deps.store.loadAll()).map(({ id }) => id),
  };
}

async function planSessions(deps: CleanDeps, { scope }: CleanOptions): Promise<CleanItem[]> {
  const items: CleanItem[] = [];
  for (const outcome of await deps.store.loadAll()) {
    const status = outcome.kind === "loaded" ? outcome.checkpoint.state.status : outcome.kind;
    // A file that cannot be read or trusted may hold unfinished work.
    if (status !== "ended" && scope !== "all") continue;
    if (outcome.kind === "newer") continue;
    const branch = outcome.kind === "loaded" ? outcome.checkpoint.state.workspace.taskBranch : null;
    const also = branch === null ? "" : `; then no session needs its branch ${branch}`;
    items.push({ kind: "session", name: outcome.id, reason: `${status}, to be archived${also}` });
  }
  return items;
}

async function planFiles(deps: CleanDeps, options: CleanOptions): Promise<readonly CleanItem[]> {
  const archiveDays = options.archiveDays ?? LIMITS.archiveDays.value;
  const items: CleanItem[] = [];
  for (const { path, writtenAt } of await listArchived(deps.codeIntelDir)) {
    if (!isOlder(writtenAt, archiveDays, deps.now)) continue;
    items.push({
      kind: "archived",
      name: path,
      reason: `older than ${formatCount(archiveDays, "day")}`,
    });
  }
  const ages: Readonly<Record<StaleFile["kind"], number>> = {
    temporary: TEMPORARY_DAYS,
    damaged: archiveDays,
    orphaned: archiveDays,
  };
  for (const { path, kind, writtenAt } of await listStaleFiles(deps.codeIntelDir)) {
    if (!isOlder(writtenAt, ages[kind], deps.now)) continue;
    items.push({
      kind: "leftover",
      name: path,
      reason: `${kind}, older than ${formatCount(ages[kind], "day")}`,
    });
  }
  return items;
}

function isOlder(writtenAt: number, ageDays: number, now: Date): boolean {
  return writtenAt < now.getTime() - ageDays * DAY_MS;
}

async function listArchived(
  codeIntelDir: string,
): Promise<readonly { readonly path: string; readonly writtenAt: number }[]> {
  const found: { path: string; writtenAt: number }[] = [];
  const folder = join(codeIntelDir, "sessions", "archive");
  try {
    for (const { name, isFile } of await listOwnFolder(folder)) {
      const info = await Deno.lstat(join(folder, name)).catch(() => null);
      if (!isFile || info === null) continue;
      found.push({ path: `sessions/archive/${name}`, writtenAt: info.mtime?.getTime() ?? 0 });
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw makeIoError(`list "${folder}"`, error);
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Removes what {@link planClean} lists now; sessions go first, so that their branches are stale by
 * then.
 */
export async function applyClean(deps: CleanDeps, options: CleanOptions): Promise<CleanResult> {
  const removed: CleanItem[] = [];
  const problems: Problem[] = [];
  // Files are listed before sessions are archived, so that a session archived now stays in the
  // archive for its days.
  const files = await planFiles(deps, options);
  for (const item of await planSessions(deps, options)) {
    if (options.scope === "all") await deps.saveEnd?.(item.name);
    await deps.noteEnd?.(item.name);
    await deps.store.archive(item.name);
    removed.push(item);
  }
  const branches = await deps.deleteStaleBranches();
  problems.push(...branches.problems);
  for (const name of branches.deleted) {
    removed.push({ kind: "branch", name, reason: "no session needs it; kept by a ref" });
  }
  for (const item of files) {
    const path = join(deps.codeIntelDir, item.name);
    await Deno.remove(path).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw makeIoError(`remove "${path}"`, error);
    });
    removed.push(item);
  }
  const { days: _days, ...old } = await findOldSnapshots(deps, options);
  const prunedSnapshots = await deps.pruneSnapshots(old);
  return { removed, prunedSnapshots, problems };
}
