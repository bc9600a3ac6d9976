/**
 * A view that asks for many contents at once what the ranking asks for one after the other: each statement is a round to
 * the server. What the ranking lists is what it asks about next.
 */
import type { ContentDefinition, IndexView, Source } from "../index/mod.ts";
import { readDefinitions } from "../index/mod.ts";

/** The view with some of its questions answered by one statement for all contents that were listed last. */
export function withBatches(view: IndexView, { db, dialect, worktree }: Source): IndexView {
  let listed: readonly number[] = [];
  let definitions: ReadonlyMap<number, readonly ContentDefinition[]> | null = null;
  let windows: ReadonlyMap<number, Uint8Array> | null = null;
  let users: ReadonlyMap<number, readonly number[]> | null = null;
  return {
    ...view,
    listContents: (contents) => {
      listed = contents;
      definitions = null;
      windows = null;
      users = null;
      return view.listContents(contents);
    },
    listDefinitions: (content) => {
      if (!listed.includes(content)) return view.listDefinitions(content);
      definitions ??= readDefinitions({ db, dialect }, listed);
      return definitions.get(content) ?? [];
    },
    readWindows: (content) => {
      if (!listed.includes(content)) return view.readWindows(content);
      windows ??= new Map(
        db.all(
          `SELECT blob, windows FROM word_vectors
            WHERE blob IN (SELECT value FROM ${dialect.numbers} AS list)`,
          JSON.stringify(listed),
        ).map((row) => [Number(row["blob"]), row["windows"] as Uint8Array]),
      );
      return windows.get(content) ?? null;
    },
    listUsers: (content) => {
      if (!listed.includes(content)) return view.listUsers(content);
      users ??= readUsers({ db, dialect, worktree }, listed);
      return users.get(content) ?? [];
    },
  };
}

/** As the question about one content, for many: users of names that nothing else of the worktree defines. */
function readUsers(
  { db, dialect, worktree }: Pick<Source, "db" | "dialect" | "worktree">,
  contents: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const rows = db.all(
    `WITH own AS (
        SELECT DISTINCT symbol.blob, symbol.name FROM symbols AS symbol
          JOIN names ON names.id = symbol.name
          WHERE length(names.name) > 2
            AND symbol.blob IN (SELECT value FROM ${dialect.numbers} AS list)
      ), single AS (
        SELECT own.blob, own.name FROM own WHERE NOT EXISTS (
          SELECT 1 FROM symbols AS owner
            JOIN files AS file ON file.blob = owner.blob AND file.worktree = ?
            WHERE owner.name = own.name AND owner.blob <> own.blob)
      )
      SELECT DISTINCT single.blob AS content, mention.blob FROM single
        JOIN occurrences AS mention ON mention.name = single.name AND mention.blob <> single.blob
        JOIN files AS file ON file.blob = mention.blob AND file.worktree = ?
        ORDER BY content, mention.blob`,
    JSON.stringify(contents),
    worktree,
    worktree,
  );
  const users = new Map<number, number[]>();
  for (const row of rows) {
    const content = Number(row["content"]);
    const own = users.get(content);
    if (own === undefined) users.set(content, [Number(row["blob"])]);
    else own.push(Number(row["blob"]));
  }
  return users;
}
