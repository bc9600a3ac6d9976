/** Vectors in the database: the nearest by signs and in full, with the extension and without it. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Layer } from "../../../src/index/vectors/vector_table.ts";
import {
  findModel,
  LayerSamples,
  openModel,
  removeUnusedVectors,
  VectorTable,
} from "../../../src/index/vectors/vector_table.ts";
import { openFilled, toVector } from "./filled_table.ts";
import { Connection } from "../../../src/index/store/database.ts";
import { findExtension } from "../../../src/index/vectors/sqlite_vec.ts";

Deno.test("read() reads a sample again when its layer has grown by half, and counts a large one seldom", async () => {
  let nowMs = 0;
  const asked: string[] = [];
  /** The real table, noting what it is asked. */
  class NotingTable extends VectorTable {
    override count(layer: Layer) {
      asked.push(`count ${layer}`);
      return super.count(layer);
    }
    override sample(layer: Layer, count: number) {
      asked.push(`sample ${layer}`);
      return super.sample(layer, count);
    }
  }
  const samples = new LayerSamples(() => nowMs);
  const read = async (size: number, layer: Layer = "digest") => {
    asked.length = 0;
    const { connection, model } = openFilled(null, size);
    const table = new NotingTable(connection, { worktree: 1, model });
    const found = await samples.read(layer, (ask) => Promise.resolve(ask(table)));
    connection.close();
    return found.length;
  };
  equal(await read(0), 0);
  equal(await read(40), 40);
  equal(await read(50), 40, "alike");
  deepEqual(asked, ["count digest"]);
  equal(await read(300), 256);
  equal(await read(600), 256);
  deepEqual(asked, [], "counted just now");
  nowMs = 2_000;
  await read(600);
  deepEqual(asked.slice(0, 2), ["count digest", "sample digest"]);
  await read(10, "text");
  deepEqual(asked.slice(0, 2), ["count text", "sample text"], "each layer has its own");
});

/** More than the limit above which signs choose, which is set low here. */
const COUNT = 400;
const MANY = 300;

Deno.test("findNearest() finds the same file among many, with the extension and without it", async () => {
  const { path: extension } = await findExtension();
  ok(extension !== null, "this machine has a build of sqlite-vec");
  const { db, connection, table: whole, model, hasVectors } = openFilled(extension, COUNT);
  equal(hasVectors, true);
  const bare = new Connection(db, { hasVectors: false });
  const many = [connection, bare].map((each) =>
    new VectorTable(each, { worktree: 1, model, many: MANY })
  );
  const found = [...many, whole].map((each) => {
    equal(each.count("digest"), COUNT);
    return each.findNearest("digest", toVector(77), 3);
  });
  connection.close();
  equal(found[0]?.[0]?.path, "f77");
  ok((found[0]?.[0]?.cosine ?? 0) > 0.99);
  deepEqual(found[0], found[1]);
  deepEqual(found[2]?.[0], found[0]?.[0]);
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
