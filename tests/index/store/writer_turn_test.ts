/** The writer's lock between two who want it again and again and one who waits. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { withWriterTurn } from "../../../src/index/store/index_folder.ts";

const LONG_MS = 60_000;

Deno.test("withWriterTurn() lets in who waits before who writes again: writers of one batch after another kept others out", async () => {
  const folder = await Deno.makeTempDir();
  const order: string[] = [];
  const [first, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const builder = withWriterTurn(folder, LONG_MS, async () => {
    begun.resolve();
    await first.promise;
    order.push("first batch");
  });
  await begun.promise;
  const waiting = withWriterTurn(folder, LONG_MS, () => Promise.resolve(order.push("waiting")));
  // Time enough for the one who waits to stand at the lock, as it does for far longer while a batch is written.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const again = Array.from(
    { length: 5 },
    () => withWriterTurn(folder, LONG_MS, () => Promise.resolve(order.push("next batch"))),
  );
  first.resolve();
  await Promise.all([builder, waiting, ...again]);
  deepEqual(order.slice(0, 2), ["first batch", "waiting"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("withWriterTurn() gives back what the action gives or throws, and says busy of a lock that is held", async () => {
  const folder = await Deno.makeTempDir();
  equal(await withWriterTurn(folder, LONG_MS, () => Promise.resolve(5)), 5);
  await rejects(withWriterTurn(folder, LONG_MS, () => Promise.reject(new Error("inner"))), {
    message: "inner",
  });
  await withWriterTurn(folder, LONG_MS, async () => {
    await rejects(
      withWriterTurn(folder, 20, () => Promise.resolve()),
      ({ code, hint }) => code === "busy" && /writing the index/.test(`${hint}`),
    );
  });
  equal(await withWriterTurn(folder, LONG_MS, () => Promise.resolve(6)), 6);
  await Deno.remove(folder, { recursive: true });
});
