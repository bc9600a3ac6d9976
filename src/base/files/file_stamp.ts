/**
 * What the disk says of a file without opening it. It also says when that proves that the content
 * is still the one that was read. Everything that remembers what it has read of a file asks here.
 * Touches the disk only to look.
 */
import { existsSync } from "node:fs";

/** What the disk says of a file without opening it. */
export interface FileStamp {
  readonly sizeBytes: number;
  /** Times in milliseconds since 1970, as exact as the system gives them. */
  readonly mtimeMs: number;
  /** Time of the last change of content, name or rights; 0 where the system has none. */
  readonly ctimeMs: number;
  readonly inode: number;
}

// Clocks of file systems tick every few milliseconds; a change within one tick leaves no trace.
const TICK_MS = 20;
// Times of a content in whole seconds come from a file system that keeps no more; the coarsest one keeps every other second.
const COARSE_MTIME_MS = 2_000;
// Times of a last change in whole seconds come from the runtime, which keeps no more of any file system.
const COARSE_CTIME_MS = 1_000;

/** The stamp of what was looked at. */
export function toStamp({ size, mtime, ctime, ino }: Deno.FileInfo): FileStamp {
  return {
    sizeBytes: size,
    mtimeMs: mtime?.getTime() ?? 0,
    ctimeMs: ctime?.getTime() ?? 0,
    inode: ino ?? 0,
  };
}

/** Whether two looks saw the same. */
export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.sizeBytes === b.sizeBytes && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs &&
    a.inode === b.inode;
}

/**
 * Whether all times of the stamp were over at a moment: the one before the file was read, in
 * milliseconds since 1970. A file may change in the same tick of the clock in which it was read. It
 * may then have changed again with the same times. A time of the content that lies ahead was set by
 * somebody (an archive of another clock, `touch`): the next change sets it to now and cannot repeat
 * it. Setting it shows in the time of the last change, which nobody can set.
 */
export function wasOldAt({ mtimeMs, ctimeMs }: FileStamp, atMs: number): boolean {
  const isAhead = ctimeMs !== 0 && mtimeMs > atMs;
  return isOver(ctimeMs, COARSE_CTIME_MS, atMs) &&
    (isAhead || isOver(mtimeMs, COARSE_MTIME_MS, atMs));
}

function isOver(timeMs: number, coarseMs: number, atMs: number): boolean {
  return timeMs + (timeMs % 1_000 === 0 ? coarseMs : 0) + TICK_MS < atMs;
}

/**
 * Looks at a path, through links; null where nothing is or nothing may be looked at. Synchronous, because waiting for another
 * thread takes ten times as long as looking. Where nothing is no error is made, which would take as long as five looks: this
 * is the way to look at files that most projects do not have.
 */
export function statIfThere(path: string): Deno.FileInfo | null {
  if (!existsSync(path)) return null;
  try {
    return Deno.statSync(path);
  } catch {
    return null;
  }
}

/** Looks at a path without following a link in its last place; null where nothing can be looked at. */
export function lstatIfThere(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch {
    return null;
  }
}

/** A text that is another one whenever the file at the path is, links followed; null where nothing can be looked at. */
export function readStampText(path: string): string | null {
  const info = statIfThere(path);
  if (info === null) return null;
  const { sizeBytes, mtimeMs, ctimeMs, inode } = toStamp(info);
  return `${mtimeMs}:${ctimeMs}:${sizeBytes}:${inode}`;
}
