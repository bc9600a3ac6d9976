/**
 * What FTS5 knows of a whole table: its rows, and the words of each column, by which `bm25` says how rare a word is and
 * how long a text. A table without content (`contentless_delete=1`) adds what comes to these totals and takes nothing of
 * what goes from them, so that in an index that lives common words would count as rare ones. They are counted anew here.
 *
 * The form of the record (`id` 1 of the shadow table `_data`: variable-length integers, the highest bits first) and that
 * of `_docsize` are those of SQLite's file `ext/fts5/fts5_index.c` and `fts5_storage.c`.
 */
import type { Connection } from "./database.ts";

/** The tables that are asked with `bm25`. */
const TABLES: readonly string[] = ["texts", "path_words"];
/** A difference of less than this part of the rows changes no order worth a count of all of them. */
const TOLERATED = 0.01;

/** Counts the totals anew where rows have gone; within a transaction of the writer. */
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
    const counted = Uint8Array.from([rows, ...words].flatMap(toInteger));
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

function toInteger(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(rest % 128 + 0x80);
  }
  return bytes;
}
