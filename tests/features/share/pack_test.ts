/** A pack gives back what it was made of, and anything else is refused before it takes memory. */
import {
  deepStrictEqual as deepEqual,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { UnfitRecord } from "../../../src/analysis/record/record_bytes.ts";
import {
  hashPack,
  makePack,
  openPack,
  readHead,
  readKeys,
} from "../../../src/features/share/pack.ts";

const FACTS = { kind: "analysis-1", maker: "a program, a person", madeAt: 1_700_000_000 };
const RECORDS = Array.from({ length: 300 }, (_, at) => ({
  hash: new Uint8Array(16).fill(at % 256).map((byte, place) => place === 0 ? at >> 8 : byte),
  variant: `1|512|${at % 3 === 0 ? "go" : "typescript"}|`,
  record: new Uint8Array(at % 7 === 0 ? 0 : 200).fill(at % 11),
}));

Deno.test("a pack gives its records and keys back, in their order, and says who made it", async () => {
  const stored = await makePack(RECORDS, FACTS);
  const keys = readKeys(stored.keys);
  const records = await openPack(stored, FACTS.kind);
  deepEqual(keys.map((key, at) => ({ ...key, record: records[at] })), RECORDS);
  const raw = readHead(stored.pack).rawBytes;
  deepEqual(readHead(stored.pack), { ...FACTS, count: 300, rawBytes: raw });
  // The same records make the same pack, so that two machines that make it share one.
  deepEqual(await makePack(RECORDS, FACTS), stored);
  deepEqual(await openPack(await makePack([], FACTS), FACTS.kind), []);
});

Deno.test("a pack with any byte changed or missing is refused, and so are keys", async () => {
  const { keys, pack, id } = await makePack(RECORDS, FACTS);
  for (let at = 0; at < pack.length; at += 1 + Math.floor(pack.length / 60)) {
    const changed = pack.with(at, (pack[at] ?? 0) ^ 0x55);
    await rejects(openPack({ keys, pack: changed, id }, FACTS.kind), UnfitRecord);
    const own = { keys, pack: changed, id: hashPack(keys, changed) };
    // What still fits in form is as many records.
    const opened = await openPack(own, FACTS.kind).catch((error) => error);
    equal(opened instanceof UnfitRecord || opened.length === RECORDS.length, true, `${at}`);
    const cut = pack.subarray(0, at);
    await rejects(openPack({ keys, pack: cut, id: hashPack(keys, cut) }, FACTS.kind), UnfitRecord);
  }
  for (let at = 0; at < keys.length; at += 97) {
    throws(() => readKeys(keys.subarray(0, at)), UnfitRecord);
  }
});
