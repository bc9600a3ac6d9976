/** Vectors in the database: the nearest by signs and in full, with the extension and without it. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Connection } from "../../../src/index/database.ts";
import { migrateSchema } from "../../../src/index/schema.ts";
import { findExtension, loadExtension } from "../../../src/index/vectors/sqlite_vec.ts";
import {
  findModel,
  openModel,
  removeUnusedVectors,
  VectorTable,
} from "../../../src/index/vectors/vector_table.ts";

const MANY = 20_050;

function toVector(seed: number): Float32Array {
  let state = (seed + 1) * 7_919;
  return Float32Array.from({ length: 384 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648 - 0.5;
  });
}

/** A database with one worktree of one file for each vector. */
function openFilled(extension: string | null, count: number) {
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
  return { connection, table, model, hasVectors };
}

Deno.test("findNearest() finds the same file among many, with the extension and without it", async () => {
  const { path: extension } = await findExtension();
  ok(extension !== null, "this machine has a build of sqlite-vec");
  const found = [extension, null].map((path) => {
    const { connection, table, hasVectors } = openFilled(path, MANY);
    equal(hasVectors, path !== null);
    equal(table.count("digest"), MANY);
    const near = table.findNearest("digest", toVector(777), 3);
    connection.close();
    return near;
  });
  equal(found[0]?.[0]?.path, "f777");
  ok((found[0]?.[0]?.cosine ?? 0) > 0.99);
  deepEqual(found[0], found[1]);
});

Deno.test("files without vectors are missing, in order, and those with nothing to embed are not", () => {
  const { connection, table } = openFilled(null, 3);
  deepEqual(table.listMissing("text", 2).map(({ path }) => path), ["f1", "f2"]);
  deepEqual(table.listMissing("text", 9, "f2").map(({ path }) => path), ["f3"]);
  table.putSpans({ path: "f1", pathId: 1, blob: 1 }, "text", []);
  deepEqual(table.listMissing("text", 9).map(({ path }) => path), ["f2", "f3"]);
  deepEqual(table.countFiles("text"), { done: 1, total: 3 });
  equal(table.count("text"), 0);
  connection.close();
});

Deno.test("removeUnusedVectors() takes what no content and no model of ours has", () => {
  const { connection, model } = openFilled(null, 3);
  connection.run("DELETE FROM blobs WHERE id = 2");
  const other = openModel(connection, "older");
  const old = new VectorTable(connection, { worktree: 1, model: other });
  const vector = old.putVector(new Uint8Array([1]), toVector(1));
  old.putSpans({ path: "f1", pathId: 1, blob: 1 }, "digest", [{
    startLine: 1,
    endLine: 1,
    vector,
  }]);
  removeUnusedVectors(connection, model, 100);
  equal(connection.number("SELECT count(*) FROM vectors"), 2);
  equal(connection.number("SELECT count(*) FROM spans"), 2);
  equal(findModel(connection, "unheard of"), 0);
  connection.close();
});
