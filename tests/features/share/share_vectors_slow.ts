/** Vectors of the real model travel too, and one of another text convicts its pack. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { createEmbedder } from "../../../src/embedding/embedder.ts";
import { makePack } from "../../../src/features/share/pack.ts";
import type { Machine } from "./support.ts";
import { createTeam, makeSources, pullAll, pushAll, REF } from "./support.ts";

/** Makes all digests; how many of them the model made here. */
async function makeVectors({ index }: Machine): Promise<number> {
  const meaning = await index.meaning();
  await meaning?.finish("digest");
  return (await meaning?.listVectors() ?? []).filter(({ isOwn }) => isOwn).length;
}

async function readVectors({ index }: Machine): Promise<ReadonlyMap<string, string>> {
  const vectors = await (await index.meaning())?.listVectors() ?? [];
  return new Map(vectors.map(({ hash, bytes }) => [hash.toHex(), bytes.toHex()]));
}

Deno.test("vectors of one machine are those of the next, which makes a few of them to compare", async () => {
  using embedder = toDisposable();
  await using team = await createTeam();
  const files = makeSources(24);
  await using first = await team.join(files, embedder);
  await first.index.sync();
  equal(await makeVectors(first), 24);
  equal((await pushAll(first)).added, 48);
  await using second = await team.join(files, embedder);
  await pullAll(second);
  const own = await makeVectors(second);
  equal(own >= 1 && own < 24, true, `${own} made`);
  deepEqual(await readVectors(second), await readVectors(first));
  // What came from others is not given away again.
  equal((await pushAll(second)).added, 0);
  // Neither the record nor the vector of what is not committed travels.
  await first.repo.write({ "src/draft.ts": makeSources(1, 7)["src/part0/file0.ts"] ?? "" });
  await first.index.sync();
  equal(await makeVectors(first), 25);
  deepEqual((({ added, uncommitted }) => [added, uncommitted])(await pushAll(first)), [0, 1]);
  await first.repo.remove("src/draft.ts");
  await first.index.sync();

  // The vector of one text under the hash of another one.
  const { store, place } = await team.openStore();
  const listed = await (await first.index.meaning())?.listVectors() ?? [];
  const records = listed.map(({ hash }, at) => ({
    hash,
    variant: embedder.embedder.modelId,
    record: (listed.at(at - 1)?.bytes ?? new Uint8Array()).map((byte, place) =>
      place % 3 === 0 ? 0 : byte
    ),
  }));
  const kind = "vectors-mallory";
  const pack = await makePack(records, { kind, maker: "Mallory", madeAt: 1 });
  const oids = [await store.write(pack.keys), await store.write(pack.pack)];
  const commit = await store.commit([
    { name: `${kind}.${pack.id}.keys`, oid: oids[0] ?? "" },
    { name: `${kind}.${pack.id}.99999.pack`, oid: oids[1] ?? "" },
  ], { parent: null, message: "poison" });
  equal(await store.push(place, REF, { old: await team.readTip(), commit }), true);
  await using victim = await team.join(files, embedder);
  await pullAll(victim);
  await makeVectors(victim);
  await makeVectors(victim);
  match(
    victim.notices.join("\n"),
    /vectors-mallory\.\w+ is not used: a vector is that of another text \(it says that it was made by Mallory\)/,
  );
  deepEqual(await readVectors(victim), await readVectors(first));
});

function toDisposable() {
  const embedder = createEmbedder();
  return { embedder, [Symbol.dispose]: () => embedder.close() };
}
