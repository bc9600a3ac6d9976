/**
 * Packs of a remote that somebody made to harm: wrong symbols, bombs, huge counts, wrong hashes, odd names. Each is refused by
 * name, and the index is as if nobody had shared anything.
 */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { brotliCompressSync } from "node:zlib";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { encodeContent } from "../../../src/analysis/record/content_record.ts";
import { RecordWriter } from "../../../src/analysis/record/record_bytes.ts";
import type { RemoteLocation } from "../../../src/git/remote/remote_location.ts";
import type { RemoteStore } from "../../../src/git/remote/remote_store.ts";
import type { PackRecord, StoredPack } from "../../../src/features/share/pack.ts";
import { hashPack, makePack, openPack, readKeys } from "../../../src/features/share/pack.ts";
import { ANALYSES } from "../../../src/features/share/shared_packs.ts";
import { toDump } from "../../index/many_processes.ts";
import {
  addPack,
  createTeam,
  dumpOwn,
  listPacks,
  makeSources,
  pullAll,
  pushAll,
  replaceFiles,
} from "./support.ts";

const signal = new AbortController().signal;

/** The only pack of the remote, opened, with its keys. */
async function readOnlyPack(store: RemoteStore, place: RemoteLocation) {
  const [pack] = Object.values(await listPacks(store, place));
  if (pack === undefined) throw new Error("no pack");
  const [keys, bytes] = await store.read([pack.keys.oid, pack.pack.oid], 1e8);
  if (!keys || !bytes) throw new Error("no files");
  const stored = { id: pack.id, keys, pack: bytes };
  return { pack, stored, records: await openPack(stored, pack.kind) };
}

const FACTS = { kind: ANALYSES, maker: "code-intel 0.1.0, Mallory", madeAt: 1 };
const DAY = Math.floor(Date.now() / 86_400_000);

/** Poisoned packs: what is made of the honest one, and what the person is told. */
const POISONS: readonly (readonly [
  what: string,
  told: RegExp,
  make: (honest: {
    readonly keys: Uint8Array;
    readonly pack: Uint8Array;
    readonly records: readonly PackRecord[];
  }) => StoredPack | Promise<StoredPack>,
])[] = [
  [
    "symbols that are not there",
    /says something else \(it says that it was made by .*Mallory\)/,
    async ({ records }) => await makePack(await renameSymbols(records), FACTS),
  ],
  [
    "one record that says what does not stand in its text",
    /file\d+\.ts says something else \(it says that it was made by .*Mallory\)/,
    async ({ records }) => {
      const wrong = await renameSymbols(records);
      // Any but the first one, which is compared in any case.
      return await makePack(records.map((one, at) => at === 20 ? wrong[at] ?? one : one), FACTS);
    },
  ],
  [
    "records of other contents",
    /says something else|of another text|number of lines|not there/,
    async ({ records }) =>
      await makePack(
        records.map((one, at) => ({ ...one, record: records.at(at - 1)?.record ?? one.record })),
        FACTS,
      ),
  ],
  ["records of chance", /\.ts: /, async ({ records }) =>
    await makePack(
      records.map((one) => ({ ...one, record: crypto.getRandomValues(new Uint8Array(300)) })),
      FACTS,
    )],
  [
    "a hash that is not its own",
    /its hash is not that of its name/,
    ({ keys, pack }) => Promise.resolve({ id: "0".repeat(32), keys, pack }),
  ],
  [
    "a body of a thousand times its size",
    /larger than it says/,
    ({ keys }) =>
      withBody(keys, { count: 25, rawBytes: 1000, body: brotli(new Uint8Array(60_000_000)) }),
  ],
  [
    "a head that promises more memory than there is",
    /at most 67108864 fits/,
    ({ keys }) => withBody(keys, { count: 25, rawBytes: 2 ** 40, body: brotli(new Uint8Array(9)) }),
  ],
  [
    "a huge count",
    /at most 1000 fits/,
    ({ keys }) => withBody(keys, { count: 2 ** 50, rawBytes: 9, body: brotli(new Uint8Array(9)) }),
  ],
  ["fewer records than keys", /another number of records/, async ({ keys, records }) => {
    const { pack } = await makePack(records.slice(1), FACTS);
    return { id: hashPack(keys, pack), keys, pack };
  }],
  ["no pack at all", /no pack|ends too early|a number is/, ({ keys }) => {
    const pack = new TextEncoder().encode("\x01\x00<html>not found</html>");
    return Promise.resolve({ id: hashPack(keys, pack), keys, pack });
  }],
  [
    "a kind that is not its own",
    /it says that it is of the kind/,
    async ({ records }) => await makePack(records, { ...FACTS, kind: "vectors-x" }),
  ],
];

async function renameSymbols(records: readonly PackRecord[]): Promise<readonly PackRecord[]> {
  // Each is the honest record of a text in which the class has another name, for the key of the real one.
  const wrong = Object.values(makeSources(25)).map((text) => text.replace("Thing", "Wrong"));
  const made = await Promise.all(wrong.map(async (text) => {
    const bytes = new TextEncoder().encode(text);
    const result = await OWN_THREAD.analyse({ path: "a.ts", bytes, chunkMaxTokens: 512 });
    return result.kind === "analysed" ? encodeContent(result.content) : new Uint8Array();
  }));
  return records.map((one, at) => ({ ...one, record: made[at] ?? one.record }));
}

function withBody(
  keys: Uint8Array,
  { count, rawBytes, body }: {
    readonly count: number;
    readonly rawBytes: number;
    readonly body: Uint8Array;
  },
): StoredPack {
  const head = new RecordWriter();
  for (const text of ["code-intel pack", ANALYSES, "Mallory"]) head.text(text);
  for (const number of [1, count, rawBytes]) head.number(number);
  const bytes = head.toBytes();
  const pack = new Uint8Array(2 + bytes.length + body.length);
  pack[0] = bytes.length;
  pack.set(bytes, 2);
  pack.set(body, 2 + bytes.length);
  return { id: hashPack(keys, pack), keys, pack };
}

function brotli(bytes: Uint8Array): Uint8Array {
  return brotliCompressSync(bytes);
}

for (const [what, told, make] of POISONS) {
  Deno.test(`a pack of ${what} is refused by name, and the index is as without it`, async () => {
    await using team = await createTeam();
    await using honest = await team.join(makeSources(25));
    await pushAll(honest);
    const { store, place } = await team.openStore();
    const { pack, stored, records } = await readOnlyPack(store, place);
    const keyed = readKeys(stored.keys);
    const poisoned = await make({
      ...stored,
      records: keyed.map((key, at) => ({ ...key, record: records[at] ?? new Uint8Array() })),
    });
    await replaceFiles(store, place, () => Promise.resolve([]));
    await addPack(store, place, { ...poisoned, kind: pack.kind, day: DAY });
    await using victim = await team.join(makeSources(25));
    const { report } = await pullAll(victim);
    deepEqual([report.isComplete, report.counts.files], [true, 25]);
    deepEqual(await victim.index.read(toDump), await dumpOwn(victim));
    const name = `${pack.kind}.${poisoned.id}`;
    match(victim.notices.join("\n"), new RegExp(`${name.replaceAll(".", "\\.")} is not used`));
    match(victim.notices.join("\n"), told);
    match((await victim.share.readStatus()).refused[name] ?? "", told);
    // It is not used again, and a push leaves it out.
    deepEqual((await pushAll(victim)).dropped, [name]);
    await using next = await team.join(makeSources(25));
    equal((await pullAll(next)).report.taken, 25);
  });
}

Deno.test("lists of keys of zeros, and other bytes in the place of a good pack, do no harm once they are gone", async () => {
  await using team = await createTeam();
  await using honest = await team.join(makeSources(25));
  await pushAll(honest);
  const { store, place } = await team.openStore();
  const { pack } = await readOnlyPack(store, place);
  const zeros = await store.write(new Uint8Array(15_000_000));
  const junk = await store.write(new TextEncoder().encode("x"));
  const more = Array.from({ length: 5 }, (_, at) => {
    const name = `analysis-99.${`${at}`.padStart(32, "0")}`;
    return [{ name: `${name}.keys`, oid: zeros }, { name: `${name}.1.pack`, oid: junk }];
  }).flat();
  await replaceFiles(store, place, (files) => Promise.resolve([...files, ...more]));
  await using victim = await team.join(makeSources(25));
  equal((await pullAll(victim)).report.taken, 25);
  match(victim.notices.join("\n"), /analysis-99\.0{32} is not used: it is too large/);
  // The name of the good pack, whose hash is another one.
  const good: { readonly name: string; readonly oid: string }[] = [];
  await replaceFiles(store, place, (files) => {
    good.push(...files.filter(({ name }) => name.startsWith(pack.name)));
    return Promise.resolve(good.map(({ name }) => ({ name, oid: junk })));
  });
  await using late = await team.join(makeSources(25));
  equal((await pullAll(late)).report.parsed, 25);
  equal((await late.share.countShared()).shared, 0);
  equal(Object.hasOwn((await late.share.readStatus()).refused, pack.name), true);
  await replaceFiles(store, place, () => Promise.resolve(good));
  await late.share.pull({ signal });
  deepEqual((await late.share.readStatus()).refused, {});
  equal((await late.share.countShared()).shared, 25);
});

Deno.test("what a pack says of its maker is told on one line, and its contents do not count as shared", async () => {
  await using team = await createTeam();
  await using honest = await team.join(makeSources(25));
  await pushAll(honest);
  const { store, place } = await team.openStore();
  const { pack, stored, records } = await readOnlyPack(store, place);
  const wrong = readKeys(stored.keys).map((key) => ({ ...key, record: records[0] ?? key.hash }));
  const maker = "Mallory\nAll is fine\x1b[2J";
  await replaceFiles(store, place, () => Promise.resolve([]));
  const poisoned = await makePack(wrong, { ...FACTS, maker });
  await addPack(store, place, { ...poisoned, kind: pack.kind, day: DAY });
  await using victim = await team.join(makeSources(25));
  await pullAll(victim);
  match(victim.notices.join("|"), /made by Mallory\[U\+000A\]All is fine\[U\+001B\]\[2J\)\.$/);
  const { shared, contents } = await victim.share.countShared();
  deepEqual([shared, contents], [0, 25]);
});

/** Names of files that are no packs. */
const ODD_NAMES: readonly string[] = [
  "readme",
  `${ANALYSES}.${"a".repeat(32)}.1.pack`,
  `${ANALYSES}.${"b".repeat(32)}.keys`,
  `..${ANALYSES}.${"c".repeat(32)}.1.pack`,
];

Deno.test("a tree of other files, links and names that lead out is passed over or refused by git", async () => {
  await using team = await createTeam();
  await using honest = await team.join(makeSources(25));
  await pushAll(honest);
  const { store, place } = await team.openStore();
  const oid = await store.write(new TextEncoder().encode("x"));
  await replaceFiles(
    store,
    place,
    (files) => Promise.resolve([...files, ...ODD_NAMES.map((name) => ({ name, oid }))]),
  );
  await using victim = await team.join(makeSources(25));
  equal((await pullAll(victim)).report.taken, 25);
  match(victim.notices.join("\n"), /readme is not used: it has no name of a pack/);
  for (const name of ["..", ".git", "a/b"]) {
    const tree = toTree(name, oid);
    await team.writeTree(tree);
    await using other = await team.join(makeSources(25));
    const failure = await other.share.pull({ signal }).then(() => null, (error) => error);
    equal(failure?.code, "remote_unusable", name);
    equal((await other.index.sync()).parsed, 25);
  }
});

/** The bytes of a tree with one file. */
function toTree(name: string, oid: string): Uint8Array {
  const head = new TextEncoder().encode(`100644 ${name}\0`);
  return new Uint8Array([...head, ...Uint8Array.fromHex(oid)]);
}
