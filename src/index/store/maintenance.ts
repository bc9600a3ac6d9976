/** Keeps the database small: contents that nobody has any more, worktrees that are gone. */
import type { Connection } from "./database.ts";
import { DAY_MS } from "../../base/clock.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { ContentWriter } from "./content_writer.ts";
import type { IdleLimits } from "./file_table.ts";
import { findIdle, openWorktree, removeUnusedPaths, removeWorktree } from "./file_table.ts";
import type { IndexFile } from "./index_file.ts";

/** The tables that are asked with `bm25`. */
const TABLES: readonly string[] = ["texts", "path_words"];
/** A difference of less than this part of the rows changes no order worth a count of all of them. */
const TOLERATED = 0.01;

/** Counts the totals again where rows have gone; within a transaction of the writer. */
export function correctTextTotals(db: Connection): void {
  for (const table of TABLES) correct(db, table);
}

function correct(db: Connection, table: string): void {
  // A savepoint makes the table write its totals, and forget that it knows them.
  db.exec("SAVEPOINT text_totals");
  const block = db.get(`SELECT block FROM ${table}_data WHERE id = 1`)?.["block"];
  const rows = db.number(`SELECT count(*) FROM ${table}_docsize`);
  const told = block instanceof Uint8Array ? readIntegers(block)[0] ?? 0 : 0;
  if (told - rows > rows * TOLERATED) {
    const words: number[] = [];
    for (const row of db.iterate(`SELECT sz FROM ${table}_docsize`)) {
      readIntegers(row["sz"] as Uint8Array).forEach((count, column) =>
        words[column] = (words[column] ?? 0) + count
      );
    }
    const counted = Uint8Array.from([rows, ...words].flatMap(encodeInteger));
    db.run(`UPDATE ${table}_data SET block = ? WHERE id = 1`, counted);
  }
  db.exec("RELEASE text_totals");
}

/** Integers of at most eight bytes, which is more words than a disk holds. */
function readIntegers(bytes: Uint8Array): number[] {
  const integers: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    integers.push(value);
    value = 0;
  }
  return integers;
}

function encodeInteger(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(rest % 128 + 0x80);
  }
  return bytes;
}

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
    for (const blob of findIdle(db, computeIdleLimits(nowMs), MAX_CONTENTS)) contents.remove(blob);
    if (due.hasIdle || dead.length > 0) {
      removeUnusedPaths(db, MAX_PATHS);
      contents.removeEmptyParts();
    }
    correctTextTotals(db);
  });
}

function computeIdleLimits(nowMs: number): IdleLimits {
  return {
    beforeMs: nowMs - LIMITS.archiveDays.value * DAY_MS,
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
    hasIdle: findIdle(db, computeIdleLimits(nowMs), 1).length > 0,
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
