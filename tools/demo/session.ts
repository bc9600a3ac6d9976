/**
 * The session of the demo: what an agent would send, in order, each answer with what it must be (`session.json`). The
 * payloads are literal; the edits reach the disk without the server.
 */
import DEMO from "./session.json" with { type: "json" };
import { join } from "node:path";
import { run } from "../run.ts";
import type { Expected, Journal, Reply } from "./journal.ts";

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

/** What happens next in a session. */
export type Row =
  | (Expected & { readonly call: string; readonly arguments: Reply })
  | (Expected & { readonly submit: string; readonly data: Reply })
  | { readonly edits: readonly Edit[] }
  /** The agent changes a file by a shell, out of sight of the server and of every hook. */
  | { readonly shell: string }
  /** The file has to be as it was at the start. */
  | { readonly unchanged: string }
  /** The server is killed. */
  | { readonly restart: true }
  /** What the last reply says under a name is shown. */
  | { readonly says: string };

const SESSION = DEMO as readonly Row[];

/** What the walk needs beside the journal. */
export interface WalkOptions {
  /** Absolute path of the sample project. */
  readonly root: string;
  /** Kills the server and starts another one; called in the middle of step 13. */
  readonly restart?: () => Promise<void>;
}

/** Walks the session of the demo, from the request to the merged commit. */
export async function walkDemo(journal: Journal, options: WalkOptions): Promise<void> {
  await walkRows(journal, SESSION, options);
}

/** Walks through rows, and stops at the first answer that is not as expected. */
export async function walkRows(
  journal: Journal,
  rows: readonly Row[],
  { root, restart }: WalkOptions,
): Promise<void> {
  const read = (path: string) => Deno.readTextFile(join(root, path));
  const atFirst = new Map<string, string>();
  let reply: Reply = {};
  for (const row of rows) {
    if ("call" in row) reply = await journal.call(row.call, row.arguments, row);
    else if ("submit" in row) reply = await journal.submit(row.submit, row.data, row);
    else if ("restart" in row) await restart?.();
    else if ("says" in row) {
      journal.note(`the server says: ${JSON.stringify(reply[row.says])}`);
    } else if ("edits" in row) {
      for (const edit of row.edits) await applyEdit(root, edit);
      const paths = [...new Set(row.edits.map(({ path }) => path))];
      journal.note(`the agent writes ${paths.join(", ")}`);
    } else if ("shell" in row) {
      const watched = rows.flatMap((one) => "unchanged" in one ? [one.unchanged] : []);
      for (const path of watched) atFirst.set(path, await read(path));
      await run("sh", ["-c", row.shell], { cwd: root });
      for (const path of watched) {
        if (await read(path) === atFirst.get(path)) throw new Error(`${path} was not changed`);
      }
      journal.note(`the agent runs sh -c "${row.shell}"`);
    } else {
      const path = row.unchanged;
      if (await read(path) !== atFirst.get(path)) throw new Error(`${path} is changed`);
      journal.note(`${path} is as it was before`);
    }
  }
}

/** The request of the person. */
export const REQUEST = String(
  SESSION.flatMap((row) => "call" in row ? [row.arguments.query] : [])[0],
);
