/**
 * What the disk says of a file without opening it, and whether that is enough to know that the content
 * is the one that was hashed. Touches the disk only to look.
 */
import type { FileStamp } from "../../base/files/file_stamp.ts";
import { isSameStamp, toStamp, wasOldAt } from "../../base/files/file_stamp.ts";
import type { FileRecord } from "../store/file_table.ts";

/** A file as it is on disk. */
export type DiskEntry =
  | { readonly kind: "file"; readonly stamp: FileStamp }
  | { readonly kind: "other"; readonly stamp: FileStamp; readonly reason: string }
  | { readonly kind: "gone" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** A stamp for what was never looked at. */
export const NO_STAMP: FileStamp = { sizeBytes: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 };

/** Why the files of a repository inside of the project are not in its index. */
export const REPOSITORY_REASON =
  "a submodule or a repository of its own; its files are not part of this one";

/** Looks at a path, without following links. Synchronous: thousands of these are one burst. */
export function lookAt(path: string): DiskEntry {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return { kind: "gone" };
    }
    return { kind: "unreadable", reason: toReason(error) };
  }
  const stamp = toStamp(info);
  if (info.isFile) return { kind: "file", stamp };
  if (info.isSymlink) return { kind: "other", stamp, reason: toLinkReason(path) };
  const reason = info.isDirectory ? REPOSITORY_REASON : "no regular file";
  return { kind: "other", stamp, reason };
}

/** Why something cannot be read, in words. */
export function toReason(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "cannot be read: permission denied";
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

/** Whether a file still looks as it did; one that was never looked at need only be there. */
export function isStill(entry: DiskEntry, stamp: FileStamp): boolean {
  if (stamp === NO_STAMP) return entry.kind !== "gone";
  return (entry.kind === "file" || entry.kind === "other") && isSameStamp(entry.stamp, stamp);
}

/** Whether a record may be trusted: the file looks as it did, and it was old enough when it was hashed. */
export function isSettled(record: FileRecord, stamp: FileStamp): boolean {
  return isSameStamp(record, stamp) && wasOldAt(stamp, record.hashedAtMs);
}

function toLinkReason(path: string): string {
  try {
    Deno.statSync(path);
    return "a symbolic link; what it leads to is indexed where it lies";
  } catch {
    return "a symbolic link that leads nowhere or in a circle";
  }
}
