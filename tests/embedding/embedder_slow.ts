/** The memory of the model: taken at the first text, given back when there has been none for a while. */
import { ok } from "node:assert/strict";
import { createEmbedder } from "../../src/embedding/embedder.ts";

const MEGABYTE = 2 ** 20;
const rssMb = () => Deno.memoryUsage().rss / MEGABYTE;

Deno.test("an embedder without work gives the memory of the model back, and takes it again when asked", async () => {
  const embedder = createEmbedder({ maxWorkers: 1, idleMs: 300 });
  try {
    const beforeMb = rssMb();
    await embedder.embedQuery("login");
    const loadedMb = rssMb();
    ok(loadedMb > beforeMb + 100, `${beforeMb} MB became ${loadedMb}: the model is somewhere else`);
    // A process that never gives it back fails by the time limit of the run.
    while (rssMb() > (beforeMb + loadedMb) / 2) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    ok((await embedder.embedQuery("login")).length === 384);
  } finally {
    embedder.close();
  }
});
