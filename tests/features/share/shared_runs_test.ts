/** Records of runs beside the analyses: who gives and takes them, and what becomes of packs that are wrong or old. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { UnfitRecord } from "../../../src/analysis/record/record_bytes.ts";
import { RUNS } from "../../../src/features/share/shared_packs.ts";
import { hashContent } from "../../../src/index/scan/file_reader.ts";
import type { SharedRecords } from "../../../src/index/seen_runs.ts";
import { createTeam, listPacks, makeSources, pullAll, pushAll } from "./support.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Records by hand: those of a machine, what it takes, and what it says of packs. */
function createRecords(own: string[]) {
  const taken: string[] = [];
  const packs = new Map<string, string>();
  let given = 0;
  const records: SharedRecords = {
    list: () =>
      Promise.resolve(own.map((text) => ({ hash: hashContent(encode(text)), variant: "run" }))),
    read: ({ hash }, mayGive) => {
      given = contents.filter((one) => mayGive(one)).length;
      const text = own.find((one) => hashContent(encode(one)).toHex() === hash.toHex());
      return Promise.resolve(text === undefined ? null : encode(text));
    },
    readPacks: () => Promise.resolve(packs),
    take: ({ name, maker }, all) => {
      const texts = all.map((one) => new TextDecoder().decode(one));
      if (texts.includes("bad")) return Promise.reject(new UnfitRecord("a name is too long"));
      packs.set(name, "");
      taken.push(...texts, maker.replace(/^.*, /, ""));
      return Promise.resolve();
    },
  };
  const contents: string[] = [];
  return { own, records, taken, packs, contents, countGiven: () => given };
}

Deno.test("a push gives records that are missing, a pull hands each pack over once, and who records none is not concerned", async () => {
  await using team = await createTeam();
  const [ci, mate] = [createRecords(["one"]), createRecords([])];
  await using pusher = await team.join(makeSources(3), { records: ci.records });
  await pusher.index.sync();
  await pusher.repo.write({ "src/new.ts": "export const secret = 1;\n" });
  await pusher.index.sync();
  ci.contents.push(
    ...(await pusher.index.read((view) => view.listFiles())).map(({ hash }) => hash),
  );
  equal((await pushAll(pusher)).added, 4);
  deepEqual([ci.contents.length, ci.countGiven()], [4, 3], "what is not committed stays here");
  deepEqual([(await pushAll(pusher)).added, ci.taken], [0, []]);
  await using puller = await team.join(makeSources(3), { records: mate.records });
  await pullAll(puller);
  await pullAll(puller);
  deepEqual([mate.taken.length, mate.taken[0]], [2, "one"]);
  const { records, runs, vectors } = await puller.share.readStatus();
  deepEqual([records, runs, vectors], [3, 1, 0]);
  await using plain = await team.join(makeSources(3));
  await pullAll(plain);
  deepEqual([(await plain.share.countShared()).shared, plain.notices], [3, []]);
});

Deno.test("a pack of records in no form, and one that was found wrong, are refused by name, and the next push leaves them out", async () => {
  await using team = await createTeam();
  await using honest = await team.join(makeSources(3), { records: createRecords(["bad"]).records });
  await pushAll(honest);
  const mate = createRecords(["good"]);
  await using puller = await team.join(makeSources(3), { records: mate.records });
  await pullAll(puller);
  match(
    puller.notices.join(),
    /runs-\d+\.\w{32} is not used: a name is too long \(it says .* made by/,
  );
  deepEqual([mate.taken, (await pushAll(puller)).dropped.length], [[], 1]);
  const next = createRecords([]);
  await using other = await team.join(makeSources(3), { records: next.records });
  await pullAll(other);
  const [name = ""] = next.packs.keys();
  equal(next.taken[0], "good");
  next.packs.set(name, "it says that a test ran what it did not");
  await pullAll(other);
  match((await other.share.readStatus()).refused[name] ?? "", /^it says that a test ran/);
  deepEqual((await pushAll(other)).dropped, [name]);
});

Deno.test("of many packs of records the newest stay, and no analysis leaves with the others", async () => {
  await using team = await createTeam();
  const { own, records } = createRecords([]);
  await using machine = await team.join(makeSources(3), { records });
  const { store, place } = await team.openStore();
  const count = async (kind: string) =>
    Object.values(await listPacks(store, place)).filter((one) => one.kind === kind).length;
  const most = 16;
  for (let at = 0; at < most; at++) {
    own[0] = `${at}`;
    await pushAll(machine);
  }
  equal(await count(RUNS), most);
  own[0] = "last";
  deepEqual((await pushAll(machine)).dropped, []);
  equal(await count(RUNS), 5);
  equal((await machine.share.countShared()).shared, 3);
});
