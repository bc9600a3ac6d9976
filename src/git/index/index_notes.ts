/** What is remembered beside a private index, so that an unchanged tree costs one process start. */
import type { TreePath } from "../../base/paths.ts";
import { parse } from "node:path";
import { readControlText, readControlTextIfUsable } from "../../base/control_file.ts";
import { checkOwnFile } from "../../base/own_folder.ts";
import type { Repository } from "../repository.ts";

/** An untracked file that is too large for a snapshot. */
export interface LargeFile {
  /** Path from the top of the worktree. */
  readonly path: TreePath;
  /** Size on disk when it was hashed. */
  readonly sizeBytes: number;
  /** Object id that git would give the raw bytes. */
  readonly hash: string;
  /** Stat data with which the hash was computed. */
  readonly signature: string;
}

/** A repository inside the worktree that is no submodule. */
export interface NestedRepository {
  /** Path from the top of the worktree. */
  readonly path: TreePath;
  /** Its HEAD, or null when it has no commit yet and cannot be part of a tree. */
  readonly commit: string | null;
}

/** The notes. All of it can be computed anew. */
export interface IndexNotes {
  /** Tree of the private index as `indexSignature` describes it. */
  readonly tree: string;
  readonly indexSignature: string;
  readonly realSignature: string;
  readonly large: readonly LargeFile[];
  readonly nested: readonly NestedRepository[];
  /** Files that could not be read; notes of an older version do not say it. */
  readonly unreadable?: readonly string[];
  /** Number of the last snapshot that is known, 0 when none is. */
  readonly snapshot: number;
  /** The snapshot that keeps `tree` and all in it from being collected; null when none does. */
  readonly kept: KeptBy | null;
}

/** A ref of the program and the commit that it names. */
export interface KeptBy {
  /** Full name of the ref. */
  readonly ref: string;
  readonly commit: string;
}

/** Size, times and inode of a file as one string; `absent` when it does not exist. */
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
    return { ...notes, kept: notes.kept ?? null };
  } catch {
    return null;
  }
}

/** Writes the notes of an index; not flushed, as all of it can be computed anew. */
export async function saveNotes(indexFile: string, notes: IndexNotes): Promise<void> {
  const path = toNotesPath(indexFile);
  checkOwnFile(path);
  checkOwnFile(`${path}.tmp`);
  await Deno.writeTextFile(`${path}.tmp`, JSON.stringify(notes));
  await Deno.rename(`${path}.tmp`, path);
}

/** Whether the ref still names the commit; false too where refs are no files of their own. */
export function isStillKept(
  { commonDir }: Pick<Repository, "commonDir">,
  kept: KeptBy | null,
): boolean {
  if (kept === null) return false;
  // Some tools keep the parts of a git folder elsewhere and link them.
  const options = { within: parse(commonDir).root };
  const text = readControlTextIfUsable(`${commonDir}/${kept.ref}`, "memory", options) ?? "";
  return text.trim() === kept.commit;
}

function toNotesPath(indexFile: string): string {
  return indexFile.replace(/\.index$/, ".json");
}
