/** A database in memory with many vectors, as the tests of vectors need it. */
import { DatabaseSync } from "node:sqlite";
import { Connection } from "../../../src/index/store/database.ts";
import { migrateSchema } from "../../../src/index/store/schema.ts";
import { loadExtension } from "../../../src/index/vectors/sqlite_vec.ts";
import { openModel, VectorTable } from "../../../src/index/vectors/vector_table.ts";

/** A vector by chance, the same for the same seed. */
export function toVector(seed: number): Float32Array {
  let state = (seed + 1) * 7_919;
  return Float32Array.from({ length: 384 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648 - 0.5;
  });
}

/** A database with one worktree of one file for each vector. */
export function openFilled(extension: string | null, count: number) {
  const db = new DatabaseSync(":memory:", { allowExtension: extension !== null });
  const hasVectors = loadExtension(db, extension);
  migrateSchema(db);
  const connection = new Connection(db, { hasVectors });
  connection.begin();
  connection.run("INSERT INTO worktrees (id, root, seen_at) VALUES (1, '/w', 0)");
  connection.run("INSERT INTO variants (id, key) VALUES (1, 'v')");
  const model = openModel(connection, "m");
  const table = new VectorTable(connection, { worktree: 1, model });
  for (let at = 1; at <= count; at++) {
    const hash = new TextEncoder().encode(`h${at}`);
    connection.run("INSERT INTO paths (id, path) VALUES (?, ?)", at, `f${at}`);
    connection.run(
      "INSERT INTO blobs (id, hash, variant, size, lines, parser, is_partial, chunk_count, names) " +
        "VALUES (?, ?, 1, 1, 1, 0, 0, 1, x'')",
      at,
      hash,
    );
    connection.run(
      "INSERT INTO files (worktree, path, blob, size, mtime_ms, ctime_ms, inode, hashed_at) " +
        "VALUES (1, ?, ?, 1, 1, 1, 1, 1)",
      at,
      at,
    );
    const vector = table.putVector(hash, toVector(at));
    table.putSpans({ path: `f${at}`, pathId: at, blob: at }, "digest", [
      { startLine: 1, endLine: 9, vector },
    ]);
  }
  connection.commit();
  return { db, connection, table, model, hasVectors };
}
