/**
 * Machines of a team on real repositories: what one analysed is taken by another one, whoever else pushes, pulls, is killed
 * or lies meanwhile.
 */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { makePack, readHead } from "../../../src/features/share/pack.ts";
import { ANALYSES } from "../../../src/features/share/shared_packs.ts";
import { toDump } from "../../index/many_processes.ts";
import { openTestIndex } from "../../index/support.ts";
import { runProgram } from "../../support/server/cli.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import type { Machine, Team } from "./support.ts";
import {
  addPack,
  createTeam,
  dumpOwn,
  listPacks,
  makeSources,
  pullAll,
  pushAll,
} from "./support.ts";

const signal = new AbortController().signal;

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

Deno.test("two pushers and five pullers at once: both pushes land, and every pull is whole", async () => {
  await using team = await createTeam();
  await using zero = await team.join(makeSources(25));
  await pushAll(zero);
  await using one = await team.join(makeSources(25, 1));
  await using two = await team.join(makeSources(25, 2));
  await Promise.all([one.index.sync(), two.index.sync()]);
  const pullers = await Promise.all([0, 1, 2, 3, 4].map(() => team.join(makeSources(25))));
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
    await machine.repo.commit("New", {
      [`src/new${turn}.ts`]: `export const one${turn} = ${turn};\n`,
    });
    await pushAll(machine);
  }
  const merged = await machine.share.readStatus();
  ok(merged.packs < 10, `${merged.packs} packs`);
  equal(merged.records, 36);
  // What was put together is not told as what its maker analysed: packs name their makers by their own word.
  const maker = /^code-intel .*, of packs in that name$/;
  equal((await listMakers(team)).filter((one) => maker.test(one)).length, 1);
  await using other = await team.join({ ...makeSources(20), ...await readNew(machine) });
  equal((await pullAll(other)).report.parsed, 0);

  // Nobody signs what another one made: packs of others stay as they are, however many there are.
  const { store, place } = await team.openStore();
  const others: string[] = [];
  for (let at = 0; at < 16; at++) {
    const hash = new Uint8Array(16).fill(at + 1);
    const facts = { kind: ANALYSES, maker: "somebody else", madeAt: 1 };
    const made = await makePack([{ hash, variant: "x", record: hash }], facts);
    await addPack(store, place, {
      ...made,
      kind: ANALYSES,
      day: Math.floor(Date.now() / 86_400_000),
    });
    others.push(`${ANALYSES}.${made.id}`);
  }
  await machine.repo.write({ "src/last.ts": "export const last = 1;\n" });
  await pushAll(machine);
  const after = await listPacks(store, place);
  deepEqual(others.filter((name) => after[name] === undefined), []);

  // A pack of long ago that this project does not use.
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
    name.startsWith(ANALYSES) && !others.includes(name)
  );
  await machine.folder.withLock(9_000, () => machine.folder.change({ refused: { [wrong]: "no" } }));
  const { dropped } = await pushAll(machine);
  deepEqual([...dropped].sort(), [`analysis-1.${old.id}`, wrong].sort());
});

async function listMakers(team: Team): Promise<readonly string[]> {
  const { store, place } = await team.openStore();
  const packs = Object.values(await listPacks(store, place));
  const sizeBytes = packs.reduce((sum, { pack }) => sum + pack.sizeBytes, 0);
  const read = await store.read(packs.map(({ pack }) => pack.oid), sizeBytes);
  return read.map((bytes) => readHead(bytes ?? new Uint8Array()).maker);
}

async function readNew({ repo }: Machine): Promise<Record<string, string>> {
  const paths = Array.from({ length: 16 }, (_, at) => `src/new${at + 1}.ts`);
  const texts = await Promise.all(paths.map((path) => repo.read(path)));
  return Object.fromEntries(paths.map((path, at) => [path, texts[at] ?? ""]));
}

Deno.test("repositories whose ids are SHA-256 share as others do, and a project may name one of either kind", async () => {
  const objectFormat = "sha256";
  await using team = await createTeam(objectFormat);
  await using one = await team.join(makeSources(25), { objectFormat });
  equal((await pushAll(one)).added, 25);
  await using two = await team.join(makeSources(25), { objectFormat });
  equal((await pullAll(two)).report.taken, 25);
  // The store of this one begins with the other hash.
  await using three = await team.join(makeSources(25));
  equal((await pullAll(three)).report.taken, 25);
});

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
  await machine.repo.commit("New", { "src/new.ts": "export const one = 1;\n" });
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
  const missed = await runProgram(["share", "pull", `${team.remote}.nowhere`], {
    cwd: second.repo.dir,
    env: { CODE_INTEL_STATE_DIR: `${second.repo.dir}/.git/home`, GIT_CONFIG_GLOBAL: "/dev/null" },
  });
  equal(missed.code, 2);
  equal((await run("share", "status")).remote, "team", "what is there came from the other remote");
  const rows: { id: string; status: string; detail: string }[] = (await run("doctor")).checks;
  deepEqual(rows.filter(({ id }) => id === "share").map(({ status }) => status), ["ok", "warn"]);
});

Deno.test("packs of another version of the analyser are told apart from those that can be used", async () => {
  await using team = await createTeam();
  await using first = await team.join(makeSources(30));
  await pushAll(first);
  const own = await first.share.readStatus();
  deepEqual([own.packs, own.records, own.others], [1, 30, []]);
  const { store, place } = await team.openStore();
  const key = { hash: new Uint8Array(16).fill(7), variant: "1|512|TypeScript|" };
  for (const at of [1, 2]) {
    const record = { ...key, record: new Uint8Array(at) };
    const pack = await makePack([record], { kind: "analysis-1", maker: "x", madeAt: 1 });
    await addPack(store, place, {
      ...pack,
      kind: "analysis-1",
      day: Math.floor(Date.now() / 864e5),
    });
  }
  const config = { ".code-intel/config.json": JSON.stringify({ share_remote: "team" }) };
  await using second = await team.join({ ...makeSources(30), ...config });
  const run = async (...words: string[]) => {
    const { code, stdout } = await runProgram(words, {
      cwd: second.repo.dir,
      env: { CODE_INTEL_STATE_DIR: `${second.repo.dir}/.git/home`, GIT_CONFIG_GLOBAL: "/dev/null" },
    });
    equal(code, 0, stdout);
    return stdout;
  };
  match(await run("share", "pull"), /^3 packs, .*; fetched\nOf these 2 packs by other versions/);
  const status = await run("share", "status");
  match(status, /^1 pack with 30 analyses, /m);
  match(status, /another version of code-intel made it: analysis-1, 2 packs of 0\.00 MB/);
  match(await run("doctor"), /30 analyses in 1 pack, .*, and 2 packs by other versions/);
});

Deno.test("share status and doctor say what is wrong with the remote of the configuration, and ask no remote for it", async () => {
  await using team = await createTeam();
  await using machine = await team.join(makeSources(2));
  const { repo } = machine;
  await repo.git("remote", "add", "away", join(repo.dir, "../../nowhere.git"));
  await repo.git("remote", "add", "odd", "ext::touch asked");
  // Whoever connected there would be told so at once, and not wait for a network.
  await repo.git("remote", "add", "far", "http://127.0.0.1:9/x.git");
  const rows = [
    ["nowhere", "", /may only name a remote of the repository, .*none of that name/, /git remote/],
    [team.remote, "", /may only name a remote/, /CODE_INTEL_SHARE_REMOTE/],
    ["https://example.invalid/x.git", "", /may only name a remote/, /CODE_INTEL_SHARE_REMOTE/],
    ["--upload-pack=x", "", /may only name a remote/, /git remote/],
    ["away", "", /"away": there is no folder \S+nowhere\.git/, /git remote set-url away URL/],
    ["odd", "", /"odd": code-intel does not connect by "ext"/, /https/],
    ["team", "nowhere", /"nowhere": it is neither a remote/, /Correct CODE_INTEL_SHARE_REMOTE/],
    ["team", "/nowhere/x.git", /there is no folder \/nowhere/, /git init --bare/],
    ["team", "/nowhere/x.bundle", /there is no folder \/nowhere/, /CODE_INTEL_SHARE_REMOTE/],
    ["team", "", null, null],
    ["far", "", null, null],
  ] as const;
  for (const [remote, personal, message, hint] of rows) {
    await repo.write({ ".code-intel/config.json": JSON.stringify({ share_remote: remote }) });
    const env = {
      CODE_INTEL_STATE_DIR: `${repo.dir}/.git/home`,
      CODE_INTEL_SHARE_REMOTE: personal,
      GIT_CONFIG_GLOBAL: "/dev/null",
    };
    const run = async (...words: string[]) =>
      JSON.parse((await runHosted([...words, "--json"], { cwd: repo.dir, env })).stdout);
    const { fault, problem } = await run("share", "status");
    const checks: { id: string; status: string; detail: string; hint: string }[] =
      (await run("doctor")).checks;
    const told = checks.filter(({ id, status }) => id === "share" && status === "warn");
    equal(problem, undefined, "no remote was asked");
    if (message === null) {
      deepEqual([fault, told], [undefined, []], remote);
      continue;
    }
    match(fault?.message ?? "", message, remote);
    match(fault.hint, hint, remote);
    deepEqual(told.map(({ detail }) => detail), [fault.message]);
  }
  equal(await repo.exists("asked"), false);
});
