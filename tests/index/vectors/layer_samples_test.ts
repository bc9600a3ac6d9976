/** When a layer is counted, and when its sample is read again. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LayerSamples } from "../../../src/index/vectors/layer_samples.ts";
import type { VectorTable } from "../../../src/index/vectors/vector_table.ts";

Deno.test("read() reads a sample again when its layer has grown by half, and counts a large one seldom", async () => {
  let [nowMs, size] = [0, 0];
  const asked: string[] = [];
  // The table is the one door to the database; its own test has the real one.
  const table = {
    count: (layer: string) => {
      asked.push(`count ${layer}`);
      return size;
    },
    sample: (layer: string, count: number) => {
      asked.push(`sample ${layer}`);
      return Array.from({ length: Math.min(size, count) }, () => Int8Array.of(1));
    },
  } as unknown as VectorTable;
  const samples = new LayerSamples(() => nowMs);
  const read = async (layer: "digest" | "text" = "digest") => {
    asked.length = 0;
    const found = await samples.read(layer, (ask) => Promise.resolve(ask(table)));
    return found.length;
  };
  equal(await read(), 0);
  size = 40;
  equal(await read(), 40);
  size = 50;
  equal(await read(), 40, "alike");
  deepEqual(asked, ["count digest"]);
  size = 300;
  equal(await read(), 256);
  size = 600;
  equal(await read(), 256);
  deepEqual(asked, [], "counted just now");
  nowMs = 2_000;
  await read();
  deepEqual(asked, ["count digest", "sample digest"]);
  await read("text");
  deepEqual(asked, ["count text", "sample text"], "each layer has its own");
});
