/**
 * The notes of this program: texts beside commits, under a ref of their own. They change neither a commit nor the
 * person's own notes, and every worktree of the repository has the same ones.
 */
import { isObjectId, listRefFiles } from "../ref_file.ts";
import { splitNul } from "../git.ts";
import type { Repository } from "../repository.ts";

/** The ref under which the notes are kept, for `git fetch` and `git push`. */
export const NOTES_REF = "refs/notes/code-intel";

/** A note as git lists it. */
export interface NoteEntry {
  /** Blob of the text. */
  readonly oid: string;
  readonly sizeBytes: number;
}

/** The notes of one moment. */
export interface NoteList {
  /** Commit of the notes; null where there are none. */
  readonly tip: string | null;
  /** The notes by the commit that they are about; null for one that has several, which git itself never writes. */
  readonly entries: ReadonlyMap<string, NoteEntry | null>;
}

/** Lists the notes. */
export async function listNotes(repo: Repository): Promise<NoteList> {
  const tip = await readTip(repo);
  const entries = new Map<string, NoteEntry | null>();
  if (tip === null) return { tip, entries };
  const output = await repo.git.bytes(["ls-tree", "-r", "-l", "-z", "--full-tree", tip]);
  for (const row of splitNul(output)) {
    const match = /^\d{6} blob ([0-9a-f]+) +(\d+)\t([0-9a-f/]+)$/.exec(row);
    // git spreads many notes over folders that are named by the first digits.
    const object = match?.[3]?.replaceAll("/", "") ?? "";
    const [, oid = "", size] = match ?? [];
    if (!isObjectId(object)) continue;
    entries.set(object, entries.has(object) ? null : { oid, sizeBytes: Number(size) });
  }
  return { tip, entries };
}

async function readTip(repo: Repository): Promise<string | null> {
  const stored = listRefFiles(repo, NOTES_REF);
  if (stored !== null) return stored.get(NOTES_REF) ?? null;
  return await repo.git.lineOrNull(["rev-parse", "--verify", "--quiet", NOTES_REF]);
}
