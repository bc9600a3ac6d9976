/** Brings a database of the present form back to the one that had the places of names in one table. */
import { DatabaseSync } from "node:sqlite";

/**
 * Makes form 7 of a database that nobody has open.
 *
 * @param moved added to the numbers of all contents, so that they lie in several parts.
 */
export function bringToFormSeven(path: string, moved = 0): void {
  using db = new DatabaseSync(path);
  db.exec(`
    CREATE TABLE before (name INTEGER NOT NULL, blob INTEGER NOT NULL, places BLOB NOT NULL,
      PRIMARY KEY (name, blob)) WITHOUT ROWID;
    INSERT INTO before SELECT name, blob, places FROM occurrence_rows;
    DROP TABLE word_counts; DROP VIEW occurrences; DROP TABLE occurrence_rows; DROP TABLE occurrence_parts;
    ALTER TABLE before RENAME TO occurrences;
    PRAGMA user_version = 7;
  `);
  if (moved === 0) return;
  for (const table of ["occurrences", "symbols", "imports", "types", "files"]) {
    db.exec(`UPDATE ${table} SET blob = blob + ${moved}`);
  }
  for (const table of ["blobs", "chunks", "next_blob"]) {
    db.exec(`UPDATE ${table} SET id = id + ${moved}`);
  }
}
