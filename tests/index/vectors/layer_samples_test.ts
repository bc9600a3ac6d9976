/** When a layer is counted, and when its sample is read again. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Layer } from "../../../src/index/vectors/vector_table.ts";
import { LayerSamples, VectorTable } from "../../../src/index/vectors/vector_table.ts";
import { openFilled } from "./filled_table.ts";

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
