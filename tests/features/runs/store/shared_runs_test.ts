/** Runs that travel: what is given, what of others is taken, and that a record that does not hold here is refused. */
import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { UnfitRecord } from "../../../../src/analysis/record/record_bytes.ts";
import { isAllRecorded, readContents } from "../../../../src/features/runs/store/open_runs.ts";
import type { StoredRun } from "../../../../src/features/runs/store/run_record.ts";
import {
  decodeRun,
  encodeRun,
  packNumbers,
  packRun,
} from "../../../../src/features/runs/store/run_record.ts";
import {
  checkSharedRuns,
  openSharedRuns,
} from "../../../../src/features/runs/store/shared_runs.ts";
import { isWholeExtent } from "../../../../src/index/seen_runs.ts";
import type { RecordedProject, ShortRun } from "./recorded_project.ts";
import { buildRecord, createRecordedProject } from "./recorded_project.ts";

const FILES = {
  "cart.py": "def add(item):\n    return item\n\n\ndef remove(item):\n    return None\n",
  "tax.py": "def rate(land):\n    return 1\n",
  "test_cart.py": "def test_add():\n    pass\n\n\ndef test_both():\n    pass\n",
  "test_tax.py": "def test_rate():\n    pass\n",
};
const ADD = { path: "cart.py", name: "add" };
const REMOVE = { path: "cart.py", name: "remove" };
const RATE = { path: "tax.py", name: "rate" };
const WHOLE: ShortRun = {
  tests: {
    "test_cart.py test_both": ["cart.py add", "cart.py remove"],
    "test_cart.py test_add": ["cart.py add"],
    "test_tax.py test_rate": ["tax.py rate"],
  },
  calls: [["cart.py add", "tax.py rate", 2]],
};
const PACK = { name: "runs-1.a", maker: "code-intel 0.1.0, CI" };

/** What a project gives of its last record. */
async function give(
  { services }: RecordedProject,
  mayGive: (hash: string) => boolean = () => true,
): Promise<Uint8Array[]> {
  const records = openSharedRuns(services.parts);
  const found: Uint8Array[] = [];
  for (const key of await records.list()) {
    const record = await records.read(key, mayGive);
    if (record !== null) found.push(record);
  }
  return found;
}

/** Two machines, of which the first one recorded. */
async function createTwo(run: ShortRun = WHOLE) {
  const [ci, mate] = [await createRecordedProject(FILES), await createRecordedProject(FILES)];
  await ci.record(run);
  const [bytes = new Uint8Array()] = await give(ci);
  const records = openSharedRuns(mate.services.parts);
  return {
    ...{ ci, mate, bytes, records },
    async [Symbol.asyncDispose]() {
      await ci[Symbol.asyncDispose]();
      await mate[Symbol.asyncDispose]();
    },
  };
}

/** Holds a run of the machine against what it took. */
async function check(project: RecordedProject, run: ShortRun, failed: readonly string[] = []) {
  await project.services.index.sync();
  const contents = await project.services.index.read(readContents);
  const own = packRun(buildRecord(contents, run));
  return await checkSharedRuns(project.services.parts, own, new Set(failed));
}

Deno.test("a run that was taken answers as on the machine that made it, once, and is not given on", async () => {
  await using two = await createTwo();
  const { ci, mate, bytes, records } = two;
  equal(await mate.load(), null);
  await records.take(PACK, [bytes]);
  await records.take({ ...PACK, name: "runs-1.b" }, [bytes]);
  const [made, taken] = [await ci.load(), await mate.load()];
  for (const one of [ADD, REMOVE, RATE]) deepEqual(taken?.findTests([one]), made?.findTests([one]));
  deepEqual(taken?.findCallers(RATE), made?.findCallers(RATE));
  // A command that somebody else names is never handed to a shell here.
  const { commands, ...extent } = made?.extent ?? {};
  deepEqual(commands?.map(({ run }) => run), [["python", "-m", "unittest"]]);
  deepEqual(taken?.extent, extent);
  ok(taken !== null && isWholeExtent(taken.extent));
  const now = await mate.services.index.read(readContents);
  const isOwn = async (one: RecordedProject) => await isAllRecorded(one.services.parts, now);
  deepEqual([await isOwn(ci), await isOwn(mate)], [true, false], "a session checks it by a record");
  deepEqual([await records.list(), (await records.readPacks()).size], [[], 2]);
  await mate.repo.write({ "cart.py": `${FILES["cart.py"]}# more\n` });
  equal((await mate.load())?.findTests([ADD]).functions[0]?.isCurrent, false);
});

Deno.test("what others may not know is not in the bytes, and without a test the record is no whole one", async () => {
  await using two = await createTwo();
  const { ci, mate, records } = two;
  const contents = await ci.services.index.read(readContents);
  const secret = [contents.get("tax.py"), contents.get("test_cart.py")];
  const [bytes = new Uint8Array()] = await give(ci, (hash) => !secret.includes(hash));
  const text = new TextDecoder().decode(bytes);
  match(text, /test_rate/);
  equal(/rate\b(?<!test_rate)|tax\.py(?<!test_tax\.py)|test_cart|test_add/.test(text), false, text);
  await records.take(PACK, [bytes]);
  const state = await mate.load();
  deepEqual(state?.findTests([ADD]).functions[0]?.seen, "not recorded");
  equal(state?.extent.recorded, 1);
  deepEqual(await give(ci, () => false), []);
});

Deno.test("only the last whole record is given", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record({ ...WHOLE, more: { commands: 0 } });
  deepEqual(await give(project), []);
});

Deno.test("a time that is to come is now, and a newer record of this machine counts before it", async () => {
  await using two = await createTwo();
  const { mate, bytes, records } = two;
  const late = { ...decodeRun(bytes), at: "2999-01-01T00:00:00.000Z" };
  await records.take(PACK, [encodeRun(late)]);
  const before = new Date().toISOString();
  await mate.record({ tests: { "test_cart.py test_add": ["cart.py remove"] } });
  const state = await mate.load();
  ok((state?.extent.recordedAt ?? "") >= before);
  deepEqual(state?.findTests([REMOVE]).tests.map(({ name }) => name), ["test_add", "test_both"]);
});

function withStretches({ functions }: StoredRun, stretches: Uint8Array): Partial<StoredRun> {
  return { functions: functions.map((one) => ({ ...one, stretches })) };
}

/** What somebody may make of an honest run. */
const POISONS: readonly (readonly [string, (run: StoredRun) => Partial<StoredRun> | Uint8Array])[] =
  [
    ["a file above the project", () => ({ files: new Map([["../x.py", "abcd"]]) })],
    ["an absolute path", () => ({ files: new Map([["/etc/passwd", "abcd"]]) })],
    ["a hash that is none", () => ({ files: new Map([["cart.py", "%"]]) })],
    ["a project outside", () => ({ project: "../other" })],
    ["a commit that is an option", () => ({ head: "--all" })],
    ["a name of a megabyte", ({ tests }) => ({
      tests: tests.map((test) => ({ ...test, name: "x".repeat(1_000_000) })),
    })],
    ["a name that moves the cursor", () => ({ runner: "pytest\x1b[2J" })],
    ["a function in no file", ({ functions }) => ({ files: new Map(), functions })],
    ["tests that are not there", (run) => withStretches(run, packNumbers([0, 9]))],
    ["stretches that fall", (run) => withStretches(run, packNumbers([0, 1, 1, 2]))],
    ["half a stretch", (run) => withStretches(run, packNumbers([1]))],
    ["stretches that are none", (run) => withStretches(run, new Uint8Array([255]))],
    ["a thousand times its size", (run) => {
      return withStretches(run, deflateRawSync(new Uint8Array(9_000_000)));
    }],
    ["a call of nobody", () => ({ calls: [[0, 99, 1]] })],
    ["bytes of chance", () => crypto.getRandomValues(new Uint8Array(500))],
    ["an end too early", (run) => encodeRun(run).subarray(0, -3)],
    ["more than a run", (run) => new Uint8Array([...encodeRun(run), 0])],
    ["too many bytes", () => new Uint8Array(9_000_000)],
  ];

Deno.test("a pack with a run in no form is refused, and nothing of it is kept", async (t) => {
  await using two = await createTwo();
  const { mate, bytes, records } = two;
  const honest = decodeRun(bytes);
  for (const [what, poison] of POISONS) {
    await t.step(what, async () => {
      const made = poison(honest);
      const bad = made instanceof Uint8Array ? made : encodeRun({ ...honest, ...made });
      await rejects(records.take(PACK, [bytes, bad]), UnfitRecord);
      equal(await mate.load(), null);
    });
  }
});

Deno.test("of many runs of others the newest stay, and those of this machine are not pushed out", async () => {
  await using two = await createTwo();
  const { mate, bytes, records } = two;
  await mate.record({ tests: { "test_cart.py own": ["cart.py add"] } });
  const run = decodeRun(bytes);
  const many = Array.from({ length: 30 }, (_, at) =>
    encodeRun({
      ...run,
      batch: `b${at}`,
      at: `2026-01-01T00:00:${`${at}`.padStart(2, "0")}.000Z`,
      tests: run.tests.map((test) => ({ ...test, name: `${test.name}_${at}` })),
    }));
  await records.take(PACK, many);
  const names = (await mate.load())?.findTests([REMOVE, ADD]).tests.map(({ name }) => name) ?? [];
  deepEqual(names.filter((name) => name.startsWith("test_both")).length, 4);
  ok(names.includes("test_both_29") && names.includes("own"));
});

Deno.test("a run of others that says what did not happen here is removed with its pack, and the pack is named", async () => {
  const wrong = {
    ...WHOLE,
    tests: { ...WHOLE.tests, "test_tax.py test_rate": ["cart.py remove"] },
  };
  await using two = await createTwo(wrong);
  const { mate, bytes, records } = two;
  await records.take(PACK, [bytes]);
  deepEqual(await check(mate, { tests: { "test_cart.py test_add": ["cart.py add"] } }), []);
  await mate.repo.write({ "tax.py": `# other\n${FILES["tax.py"]}` });
  const own = { tests: { "test_tax.py test_rate": ["tax.py rate"] } };
  deepEqual(await check(mate, own), [], "another content may run otherwise");
  await mate.repo.write({ "tax.py": FILES["tax.py"] });
  deepEqual(await check(mate, own, ["test_rate"]), [], "a test that fails here stops earlier");
  const [told = ""] = await check(mate, own);
  match(told, /pack runs-1\.a is not used any more: .* test_rate ran remove of cart\.py, .*, CI\)/);
  match((await records.readPacks()).get(PACK.name) ?? "", /test_rate ran remove .*1 of 1 such/);
  equal(await mate.load(), null);
});

Deno.test("what runs once, at import or in the test that comes first, refuses nobody", async () => {
  await using two = await createTwo({ ...WHOLE, loaded: [] });
  const { mate, bytes, records } = two;
  await records.take(PACK, [bytes]);
  const { tests } = WHOLE;
  deepEqual(
    await check(mate, { tests: { "test_tax.py test_rate": [] }, loaded: ["tax.py rate"] }),
    [],
  );
  const other = { ...tests, "test_tax.py test_rate": ["tax.py rate", "cart.py remove"] };
  deepEqual(
    await check(mate, { tests: { ...other, "test_cart.py test_both": ["cart.py add"] } }),
    [],
  );
  deepEqual(await check(mate, WHOLE), []);
  equal((await mate.load())?.extent.recorded, 3);
});
