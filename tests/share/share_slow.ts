/**
 * Machines of a team on real repositories: what one analysed is taken by another one, whoever else pushes, pulls, is killed
 * or lies meanwhile.
 */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { encodeContent, OWN_THREAD, RecordWriter } from "../../src/analysis/mod.ts";
import type { RemotePlace, RemoteStore } from "../../src/git/mod.ts";
import type { PackRecord, StoredPack } from "../../src/share/pack.ts";
import { makePack, openPack, toPackId } from "../../src/share/pack.ts";
import { ANALYSES } from "../../src/share/shared_packs.ts";
import { readTree } from "../../src/share/share_tree.ts";
import { toDump } from "../index/many_processes.ts";
import { openTestIndex } from "../index/support.ts";
import { runProgram } from "../support/cli.ts";
import type { Machine } from "./support.ts";
import { createTeam, makeSources, pullAll, pushAll, REF } from "./support.ts";

const signal = new AbortController().signal;

/** What an index says that analysed everything itself. */
async function dumpOwn({ repo }: Machine): Promise<unknown> {
  const folder = join(repo.repo.gitDir, crypto.randomUUID());
  await using plain = openTestIndex(repo.repo, { options: { folder, analyser: OWN_THREAD } });
  await plain.index.sync();
  return await plain.index.read(toDump);
}

Deno.test("a second machine takes what the first one pushed, and a small commit travels alone", async () => {
  await using team = await createTeam();
  await using first = await team.join(makeSources(40));
  await using second = await team.join({ ...makeSources(40), "own.ts": "export const own = 1;\n" });
  const pushed = await pushAll(first);
  deepEqual([pushed.contents, pushed.shared, pushed.added, pushed.packs], [40, 40, 40, 1]);

  const { pulled, report } = await pullAll(second);
  deepEqual([pulled.packs, pulled.isNew, report.taken, report.parsed], [1, true, 40, 1]);
  deepEqual([second.notices, report.counts.files], [[], 41]);
  // A pack is not believed: some of its records are made again and compared.
  ok(second.analyser.analysed.length > 1 || report.taken > 30);
  await using plain = openTestIndex(second.repo.repo, {
    options: { folder: join(second.repo.repo.gitDir, "plain"), analyser: OWN_THREAD },
  });
  await plain.index.sync();
  deepEqual(await second.index.read(toDump), await plain.index.read(toDump));

  // What came from others is not given away again, and nothing new makes no commit.
  const before = await team.readTip();
  const own = await pushAll(second);
  deepEqual([own.added, own.packs, own.shared], [1, 2, 41]);
  ok(own.sentBytes < pushed.sentBytes / 2);
  ok(await team.readTip() !== before);
  const after = await team.readTip();
  equal((await pushAll(second)).added, 0);
  equal(await team.readTip(), after);
  equal((await pullAll(first)).pulled.packs, 2);
  deepEqual(await first.share.countShared(), { shared: 40, contents: 40 });

  const status = await first.share.readStatus();
  deepEqual([status.records, status.packs, status.problem, status.refused], [41, 2, null, {}]);
  // The person's repository has neither a ref nor an object of it.
  equal(await first.repo.git("for-each-ref", "refs/code-intel"), "");
});

Deno.test("any branch takes what fits, of whatever branch it was pushed", async () => {
  await using team = await createTeam();
  await using first = await team.join(makeSources(30));
  await using second = await team.join(makeSources(30, 2));
  await pushAll(first);
  await pushAll(second);
  await using third = await team.join({
    ...makeSources(30),
    ...rename(makeSources(30, 2), "other/"),
  });
  const { report } = await pullAll(third);
  deepEqual([report.taken, report.parsed], [60, 0]);
  deepEqual(await third.index.read(toDump), await dumpOwn(third));
});

function rename(files: Readonly<Record<string, string>>, folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`${folder}${path}`, text]),
  );
}

Deno.test("two pushers and three pullers at once: both pushes land, and every pull is whole", async () => {
  await using team = await createTeam();
  await using zero = await team.join(makeSources(25));
  await pushAll(zero);
  await using one = await team.join(makeSources(25, 1));
  await using two = await team.join(makeSources(25, 2));
  await Promise.all([one.index.sync(), two.index.sync()]);
  const pullers = await Promise.all([0, 1, 2].map(() => team.join(makeSources(25))));
  const [left, right, ...pulled] = await Promise.all([
    one.share.push({ signal }),
    two.share.push({ signal }),
    ...pullers.map((puller) => pullAll(puller)),
  ]);
  deepEqual([left.added, right.added], [25, 25]);
  for (const { report } of pulled) deepEqual([report.taken, report.parsed], [25, 0]);
  await zero.share.pull({ signal });
  equal((await zero.share.readStatus()).records, 75);
  for (const puller of pullers) await puller[Symbol.asyncDispose]();
});

Deno.test("small packs become one, packs that nobody used for a month leave, and a refused one leaves at once", async () => {
  await using team = await createTeam();
  await using machine = await team.join(makeSources(20));
  await pushAll(machine);
  for (let turn = 1; turn <= 16; turn++) {
    await machine.repo.write({ [`src/new${turn}.ts`]: `export const one${turn} = ${turn};\n` });
    await pushAll(machine);
  }
  const merged = await machine.share.readStatus();
  ok(merged.packs < 10, `${merged.packs} packs`);
  equal(merged.records, 36);
  await using other = await team.join({ ...makeSources(20), ...await readNew(machine) });
  equal((await pullAll(other)).report.parsed, 0);

  // A pack of long ago that this project does not use.
  const { store, place } = await team.openStore();
  const old = await makePack([{
    hash: new Uint8Array(16),
    variant: "x",
    record: new Uint8Array(9),
  }], {
    kind: "analysis-1",
    maker: "long ago",
    madeAt: 1,
  });
  await addPack(store, place, { ...old, kind: "analysis-1", day: 1 });
  await machine.share.pull({ signal });
  const [wrong = ""] = Object.keys(await listPacks(store, place)).filter((name) =>
    name.startsWith(ANALYSES)
  );
  await machine.folder.withLock(9_000, () => machine.folder.change({ refused: { [wrong]: "no" } }));
  const { dropped } = await pushAll(machine);
  deepEqual([...dropped].sort(), [`analysis-1.${old.id}`, wrong].sort());
});

async function readNew({ repo }: Machine): Promise<Record<string, string>> {
  const paths = Array.from({ length: 16 }, (_, at) => `src/new${at + 1}.ts`);
  const texts = await Promise.all(paths.map((path) => repo.read(path)));
  return Object.fromEntries(paths.map((path, at) => [path, texts[at] ?? ""]));
}

async function listPacks(store: RemoteStore, place: RemotePlace) {
  await store.fetch(place, REF);
  const tip = await store.readTip(place, REF);
  const { packs } = readTree(await store.list(tip ?? ""));
  return Object.fromEntries(packs.map((pack) => [pack.name, pack]));
}

/** What somebody puts in the place of what is shared. */
interface PoisonedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Moves the ref to a tree of these files, beside those that are there. */
async function replace(
  store: RemoteStore,
  place: RemotePlace,
  change: (files: readonly { readonly name: string; readonly oid: string }[]) => Promise<
    readonly { readonly name: string; readonly oid: string }[]
  >,
): Promise<void> {
  const old = await store.readTip(place, REF);
  const files = old === null ? [] : await store.list(await store.fetch(place, REF));
  const commit = await store.commit(await change(files), { parent: null, message: "poison" });
  equal(await store.push(place, REF, { old, commit }), true);
}

async function addPack(
  store: RemoteStore,
  place: RemotePlace,
  pack: StoredPack & { readonly kind: string; readonly day: number },
): Promise<void> {
  const [keys, body] = [await store.write(pack.keys), await store.write(pack.pack)];
  const name = `${pack.kind}.${pack.id}`;
  await replace(store, place, (files) =>
    Promise.resolve([
      ...files,
      { name: `${name}.keys`, oid: keys },
      { name: `${name}.${pack.day}.pack`, oid: body },
    ]));
}

/** The only pack of the remote, opened, with its keys. */
async function readOnlyPack(store: RemoteStore, place: RemotePlace) {
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
  }) => Promise<StoredPack>,
])[] = [
  [
    "symbols that are not there",
    /says something else \(made by .*Mallory\)/,
    async ({ records }) => await makePack(await renameSymbols(records), FACTS),
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
    async ({ keys }) =>
      withBody(keys, { count: 25, rawBytes: 1000, body: await brotli(new Uint8Array(60_000_000)) }),
  ],
  [
    "a head that promises more memory than there is",
    /at most 67108864 fits/,
    async ({ keys }) =>
      withBody(keys, { count: 25, rawBytes: 2 ** 40, body: await brotli(new Uint8Array(9)) }),
  ],
  [
    "a huge count",
    /at most 1000 fits/,
    async ({ keys }) =>
      withBody(keys, { count: 2 ** 50, rawBytes: 9, body: await brotli(new Uint8Array(9)) }),
  ],
  ["fewer records than keys", /another number of records/, async ({ keys, records }) => {
    const { pack } = await makePack(records.slice(1), FACTS);
    return { id: toPackId(keys, pack), keys, pack };
  }],
  ["no pack at all", /no pack|ends too early|a number is/, ({ keys }) => {
    const pack = new TextEncoder().encode("\x01\x00<html>not found</html>");
    return Promise.resolve({ id: toPackId(keys, pack), keys, pack });
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
  return { id: toPackId(keys, pack), keys, pack };
}

async function brotli(bytes: Uint8Array): Promise<Uint8Array> {
  const { brotliCompressSync } = await import("node:zlib");
  return brotliCompressSync(bytes);
}

for (const [what, told, make] of POISONS) {
  Deno.test(`a pack of ${what} is refused by name, and the index is as without it`, async () => {
    await using team = await createTeam();
    await using honest = await team.join(makeSources(25));
    await pushAll(honest);
    const { store, place } = await team.openStore();
    const { pack, stored, records } = await readOnlyPack(store, place);
    const keyed = (await import("../../src/share/pack.ts")).readKeys(stored.keys);
    const poisoned = await make({
      ...stored,
      records: keyed.map((key, at) => ({ ...key, record: records[at] ?? new Uint8Array() })),
    });
    await replace(store, place, () => Promise.resolve([]));
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

Deno.test("a bundle file in a shared folder does as a remote does, and two pushers to it both land", async () => {
  await using team = await createTeam();
  const remote = `${team.remote}.bundle`;
  await using one = await team.join(makeSources(25, 1), { remote, isPersonal: true });
  await using two = await team.join(makeSources(25, 2), { remote, isPersonal: true });
  // One name for both projects, as two clones have it.
  for (const { repo } of [one, two]) await repo.git("remote", "add", "origin", "/nowhere/app.git");
  await Promise.all([one.index.sync(), two.index.sync()]);
  const pushes = await Promise.all([one.share.push({ signal }), two.share.push({ signal })]);
  deepEqual(pushes.map(({ added }) => added), [25, 25]);
  const files = { ...makeSources(25, 1), ...rename(makeSources(25, 2), "other/") };
  await using third = await team.join(files, { remote, isPersonal: true });
  await third.repo.git("remote", "add", "origin", "ssh://host/team/app");
  const { report } = await pullAll(third);
  deepEqual([report.taken, report.parsed], [50, 0]);
});

Deno.test("a remote that lets nobody push says so, and keeps what it has", async () => {
  await using team = await createTeam();
  await using machine = await team.join(makeSources(25));
  await pushAll(machine);
  const before = await team.readTip();
  const hook = join(team.remote, "hooks/pre-receive");
  await Deno.mkdir(join(team.remote, "hooks"), { recursive: true });
  await Deno.writeTextFile(hook, "#!/bin/sh\necho this branch is protected\nexit 1\n");
  await Deno.chmod(hook, 0o755);
  await machine.repo.write({ "src/new.ts": "export const one = 1;\n" });
  const failure = await pushAll(machine).then(() => null, (error) => error);
  equal(failure?.code, "remote_unusable");
  match(failure?.message ?? "", /this branch is protected|hook declined/);
  match(failure?.hint ?? "", /right to push below refs\/code-intel\//);
  equal(await team.readTip(), before);
});

Deno.test("a project that names its remote takes what it shares at its first index, and being offline is no error", async () => {
  await using team = await createTeam();
  await using first = await team.join(makeSources(30));
  await pushAll(first);
  const config = { ".code-intel/config.json": JSON.stringify({ share_remote: "team" }) };
  await using second = await team.join({ ...makeSources(30), ...config });
  const run = async (...words: string[]) => {
    const { code, stdout } = await runProgram([...words, "--json"], {
      cwd: second.repo.dir,
      env: { CODE_INTEL_STATE_DIR: `${second.repo.dir}/.git/home`, GIT_CONFIG_GLOBAL: "/dev/null" },
    });
    equal(code, 0, stdout);
    return JSON.parse(stdout);
  };
  equal((await run("index")).taken, 30);
  await Deno.rename(team.remote, `${team.remote}.away`);
  await second.folder.withLock(9_000, () => second.folder.change({ triedAtMs: 0 }));
  await second.repo.write(makeSources(30, 3));
  equal((await run("index")).parsed, 30);
  match((await run("share", "status")).problem, /does not appear to be a git repository/);
  const rows: { id: string; status: string; detail: string }[] = (await run("doctor")).checks;
  deepEqual(rows.filter(({ id }) => id === "share").map(({ status }) => status), ["ok", "warn"]);
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
  await replace(
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
