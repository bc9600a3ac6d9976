/** The memory of the model: taken at the first text, given back when there has been none for a while. */
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { CodeIntelError } from "../../src/base/errors.ts";
import { createEmbedder } from "../../src/embedding/embedder.ts";
import { readReferences, toCosine } from "./references.ts";

Deno.test("an embedder gives the reference vectors, an answer's text before those that nobody waits for", async () => {
  const embedder = createEmbedder({ maxWorkers: 1 });
  try {
    equal(await embedder.isAvailable(), true);
    const references = (await readReferences()).slice(0, 6);
    const order: string[] = [];
    const background = references.map(async ({ kind, text, vector }, index) => {
      const own = kind === "query"
        ? await embedder.embedQuery(text)
        : await embedder.embedPassage(text);
      ok(toCosine(own, vector) >= 0.985, text);
      order.push(`b${index}`);
    });
    const urgent = embedder.embedQuery("login", { isUrgent: true }).then(() =>
      order.push("urgent")
    );
    await Promise.all([...background, urgent]);
    deepEqual(order.slice(0, 2), ["b0", "urgent"], "only the text under way was before it");
  } finally {
    embedder.close();
  }
});

Deno.test("hold() keeps background texts waiting, and urgent ones go on", async () => {
  const embedder = createEmbedder({ maxWorkers: 1 });
  try {
    const order: string[] = [];
    let background: Promise<unknown>;
    {
      using _held = embedder.hold();
      background = embedder.embedPassage("a").then(() => order.push("background"));
      await embedder.embedQuery("b", { isUrgent: true });
      order.push("urgent");
    }
    await background;
    deepEqual(order, ["urgent", "background"]);
  } finally {
    embedder.close();
  }
});

Deno.test("R58: a cancelled text and a missing model are told apart, and neither ends the embedder", async () => {
  const folder = await Deno.makeTempDir();
  const embedder = createEmbedder({ maxWorkers: 1, modelFolder: pathToFileURL(`${folder}/`) });
  try {
    equal(await embedder.isAvailable(), false);
    await rejects(
      embedder.embedQuery("a"),
      (error) =>
        error instanceof CodeIntelError && error.code === "embedding_failed" &&
        /cannot be read/.test(error.message),
    );
    await rejects(
      embedder.embedQuery("a", { signal: AbortSignal.abort() }),
      (error) => error instanceof CodeIntelError && error.code === "cancelled",
    );
  } finally {
    embedder.close();
    await Deno.remove(folder, { recursive: true });
  }
});

const MEGABYTE = 2 ** 20;
const rssMb = () => Deno.memoryUsage().rss / MEGABYTE;

Deno.test("an embedder without work gives the memory of the model back, and takes it again when asked", async () => {
  const embedder = createEmbedder({ maxWorkers: 1, idleMs: 300 });
  try {
    const beforeMb = rssMb();
    await embedder.embedQuery("login");
    const loadedMb = rssMb();
    // Beside other tests of the process some of it takes the place of what they gave back.
    ok(loadedMb > beforeMb + 50, `${beforeMb} MB became ${loadedMb}: the model is somewhere else`);
    // A process that never gives it back fails by the time limit of the run.
    while (rssMb() > (beforeMb + loadedMb) / 2) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    ok((await embedder.embedQuery("login")).length === 384);
  } finally {
    embedder.close();
  }
});
