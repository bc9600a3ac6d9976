/** Keeps the database small: contents that nobody has any more, worktrees that are gone. */
import { DAY_MS } from "../../base/clock.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { ContentWriter } from "./content_writer.ts";
import type { Connection } from "./database.ts";
import { findIdle, openWorktree, removeUnusedPaths, removeWorktree } from "./file_table.ts";
import type { IdleLimits } from "./file_table.ts";
import type { IndexFile } from "./index_file.ts";
import { correctTextTotals } from "./text_totals.ts";

// Each synchronisation takes a little away, so that none takes long.
const MAX_CONTENTS = 200;
const MAX_PATHS = 200;
// A folder may be away for a moment: a disk that is not mounted.
const GONE_FOR_MS = 7 * DAY_MS;
// An older program may still work beside this one for a moment.
const OUTDATED_MS = 60 * 60 * 1000;
const SEEN_EVERY_MS = 60 * 60 * 1000;

/** What is looked after. */
export interface MaintenanceOptions {
  readonly root: string;
  readonly nowMs: number;
  /** Longest wait for other writers; without the lock the next synchronisation does it. */
  readonly timeoutMs: number;
}

/** Notes that the worktree is in use, and removes what is due. Writes nothing when nothing is. */
export async function maintain(file: IndexFile, options: MaintenanceOptions): Promise<void> {
  const { root, nowMs } = options;
  const due = await file.read((db) => findDue(db, options));
  if (!due.isSeenLate && !due.hasIdle && due.others.length === 0) return;
  const dead = await findDead(due.others);
  if (!due.isSeenLate && !due.hasIdle && dead.length === 0) return;
  await file.write(options.timeoutMs, (db) => {
    const id = openWorktree(db, root, nowMs);
    db.run("UPDATE worktrees SET seen_at = ?, synced_at = ? WHERE id = ?", nowMs, nowMs, id);
    for (const worktree of dead) removeWorktree(db, worktree, nowMs);
    const contents = new ContentWriter(db);
    for (const blob of findIdle(db, toIdleLimits(nowMs), MAX_CONTENTS)) contents.remove(blob);
    if (due.hasIdle || dead.length > 0) {
      removeUnusedPaths(db, MAX_PATHS);
      contents.removeEmptyParts();
    }
    correctTextTotals(db);
  });
}

function toIdleLimits(nowMs: number): IdleLimits {
  return {
    beforeMs: nowMs - LIMITS.idleContentDays.value * DAY_MS,
    outdatedBeforeMs: nowMs - OUTDATED_MS,
  };
}

interface OtherWorktree {
  readonly id: number;
  readonly root: string;
}

function findDue(db: Connection, { root, nowMs }: MaintenanceOptions) {
  const own = db.get("SELECT seen_at, synced_at FROM worktrees WHERE root = ?", root);
  return {
    isSeenLate: own === undefined || own["synced_at"] === null ||
      Number(own["seen_at"]) < nowMs - SEEN_EVERY_MS,
    hasIdle: findIdle(db, toIdleLimits(nowMs), 1).length > 0,
    others: db.all(
      "SELECT id, root FROM worktrees WHERE root <> ? AND seen_at < ?",
      root,
      nowMs - GONE_FOR_MS,
    ).map((row): OtherWorktree => ({ id: Number(row["id"]), root: String(row["root"]) })),
  };
}

async function findDead(others: readonly OtherWorktree[]): Promise<number[]> {
  const dead: number[] = [];
  for (const { id, root } of others) {
    const found = await Deno.lstat(root).catch((error) => error);
    if (found instanceof Deno.errors.NotFound) dead.push(id);
  }
  return dead;
}
