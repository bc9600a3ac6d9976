/** What an agent writes: plain edits of files, as an editor makes them. */
import { join } from "node:path";

/** A replacement of a text that stands exactly once in a file; `find` empty: the file is new. */
export interface Edit {
  readonly path: string;
  readonly find: string;
  readonly put: string;
}

/** Writes an edit to the disk, as an editor would: no tool of the server is involved. */
export async function applyEdit(root: string, edit: Edit): Promise<void> {
  const path = join(root, edit.path);
  if (edit.find === "") return await Deno.writeTextFile(path, edit.put);
  const before = await Deno.readTextFile(path);
  if (before.split(edit.find).length !== 2) throw new Error(`${edit.path} lacks the text to edit`);
  await Deno.writeTextFile(path, before.replace(edit.find, () => edit.put));
}
