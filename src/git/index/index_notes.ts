/**
 * Notes beside a private index that make it possible to look at an unchanged tree with one start of
 * git.
 */
import type { TreePath } from "../../base/paths.ts";
import { readControlText } from "../../base/files/control_file.ts";
import { isOfSystem } from "../../base/operational.ts";
import { checkOwnFile } from "../../base/files/own_folder.ts";

/** An untracked file that is too large for a snapshot. */
export interface LargeFile {
  /** Path from the top of the worktree. */
  readonly path: TreePath;
  /** Size on disk when it was hashed. */
  readonly sizeBytes: number;
  /** Object id that git would give the file's raw bytes. */
  readonly hash: string;
  /** Stat data of the file when it was hashed. */
  readonly signature: string;
}

/** A repository inside the worktree that is no submodule. */
export interface NestedRepository {
  /** Path from the top of the worktree. */
  readonly path: TreePath;
  /** Commit of its HEAD; null when it has none yet and so cannot be part of a tree. */
  readonly commit: string | null;
}

/** The notes; all of them can be computed again. */
export interface IndexNotes {
  /** Tree of the private index that `indexSignature` describes. */
  readonly tree: string;
  readonly indexSignature: string;
  readonly realSignature: string;
  readonly large: readonly LargeFile[];
  readonly nested: readonly NestedRepository[];
  /** Files that could not be read; absent in notes of older versions. */
  readonly unreadable?: readonly string[];
  /** Number of the last known snapshot; 0 when none is known. */
  readonly snapshot: number;
}

/** Size, times and inode of a file as one text; `absent` when the file does not exist. */
export async function toSignature(path: string): Promise<string> {
  const info = await Deno.lstat(path).catch(() => null);
  if (info === null) return "absent";
  return `${info.size}:${info.mtime?.getTime()}:${info.ctime?.getTime()}:${info.ino}`;
}

/** Reads the notes of an index; null when there are none or the index itself is gone. */
export async function loadNotes(indexFile: string): Promise<IndexNotes | null> {
  try {
    const notes = JSON.parse(readControlText(toNotesPath(indexFile), "git") ?? "") as IndexNotes;
    const isWhole = typeof notes.tree === "string" && Array.isArray(notes.large) &&
      Array.isArray(notes.nested) &&
      Number.isInteger(notes.snapshot);
    if (!isWhole || (await toSignature(indexFile)) === "absent") return null;
    return notes;
  } catch {
    return null;
  }
}

/**
 * Writes the notes of an index, without flushing them to the disk, since they can be computed
 * again. For the same reason a disk that takes none is no failure: whatever has to be written says so itself.
 */
export async function saveNotes(indexFile: string, notes: IndexNotes): Promise<void> {
  const path = toNotesPath(indexFile);
  checkOwnFile(path);
  checkOwnFile(`${path}.tmp`);
  try {
    await Deno.writeTextFile(`${path}.tmp`, JSON.stringify(notes));
    await Deno.rename(`${path}.tmp`, path);
  } catch (failure) {
    await Deno.remove(`${path}.tmp`).catch(() => {});
    if (!isOfSystem(failure)) throw failure;
  }
}

function toNotesPath(indexFile: string): string {
  return indexFile.replace(/\.index$/, ".json");
}
