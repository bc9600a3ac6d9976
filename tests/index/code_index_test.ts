/** The index over real repositories: what it reads, what it analyses, and what it answers. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createTempRepo } from "../support/temp_repo.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { openRepository } from "../../src/git/repository.ts";
import type { IndexView } from "../../src/index/read/view.ts";
import { makeFiles, openTestIndex, SETTINGS } from "./support.ts";

Deno.test("R47: sync() indexes every file once, and answers from it", async () => {
  await using repo = await createTempRepo({ files: makeFiles(30) });
  await using test = openTestIndex(repo.repo);
  const report = await test.index.sync();
  ok(report.isComplete);
  deepEqual([report.read, report.parsed, report.counts.files], [30, 30, 30]);
  equal(report.counts.symbols, 60);
  const found = await test.index.read((view) => view.findSymbols({ name: "run7" }));
  equal(found.total, 1);
  const [hit] = found.hits;
  deepEqual([hit?.path, hit?.line, hit?.qualifiedName, hit?.language], [
    "src/part7/file7.ts",
    3,
    "Thing7.run7",
    "TypeScript",
  ]);
  equal((await test.index.ensureFresh()).pendingTotal, 0);
});

Deno.test("sync() reads as much for one changed file of 20 as of 200", async () => {
  for (const count of [20, 200]) {
    await using repo = await createTempRepo({ files: makeFiles(count) });
    await using test = openTestIndex(repo.repo);
    await test.index.sync();
    test.wait(2_000);
    // What was hashed in the second in which it was written is hashed once more.
    await test.index.sync();
    const quiet = await test.index.sync();
    deepEqual([quiet.read, quiet.parsed], [0, 0], "nothing changed");
    await repo.write({ "src/part3/file3.ts": "function changed() {}\n" });
    const one = await test.index.sync();
    deepEqual([one.read, one.parsed, one.removed], [1, 1, 0], `${count} files`);
  }
});

Deno.test("a branch switch analyses unseen contents alone, and going back none", async () => {
  await using repo = await createTempRepo({ files: makeFiles(20) });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  await repo.git("switch", "-q", "-c", "other");
  await repo.commit("Other", { "src/part1/file1.ts": "function other() {}\n" });
  await repo.remove("src/part2/file2.ts");
  await repo.git("commit", "-qam", "Remove");
  equal((await test.index.sync()).parsed, 1);
  await repo.git("switch", "-q", "main");
  const back = await test.index.sync();
  deepEqual([back.parsed, back.counts.files], [0, 20]);
  equal((await test.index.read((view) => view.findSymbols({ name: "other" }))).total, 0);
});

Deno.test("R21, R41: what is on disk but no longer a file of the project leaves the index", async () => {
  const rows: readonly (readonly [
    name: string,
    act: (repo: TempRepo) => Promise<unknown>,
  ])[] = [
    ["ignored", (repo) => repo.write({ ".gitignore": "gen/\n" })],
    ["taken out of git and ignored", async (repo) => {
      await repo.git("add", "gen/b.ts");
      await repo.git("commit", "-qm", "With it");
      await repo.write({ ".gitignore": "gen/\n" });
      await repo.git("rm", "-q", "--cached", "gen/b.ts");
    }],
    ["a repository of its own", (repo) => repo.git("init", "-q", "gen")],
    ["behind a link", async (repo) => {
      await Deno.rename(`${repo.dir}/gen`, `${repo.repo.gitDir}/gen`);
      await Deno.symlink(`${repo.repo.gitDir}/gen`, `${repo.dir}/gen`);
    }],
  ];
  for (const [name, act] of rows) {
    await using repo = await createTempRepo({ files: makeFiles(3) });
    await repo.write({ "gen/b.ts": "function leaves() {}\n" });
    await using test = openTestIndex(repo.repo);
    await test.index.sync();
    const count = () => test.index.read((view) => view.findSymbols({ name: "leaves" }).total);
    equal(await count(), 1, name);
    await act(repo);
    test.wait(20_000);
    equal((await test.index.sync()).isComplete, true, name);
    equal(await count(), 0, name);
  }
});

Deno.test("a second worktree analyses nothing, and each answers with its own files", async () => {
  await using repo = await createTempRepo({ files: makeFiles(12) });
  await using first = openTestIndex(repo.repo);
  await first.index.sync();
  await repo.git("worktree", "add", "-q", `${repo.dir}-second`, "-b", "second");
  try {
    const second = await openRepository(`${repo.dir}-second`);
    ok(second !== null);
    await using test = openTestIndex(second);
    const report = await test.index.sync();
    deepEqual([report.read, report.parsed, report.counts.files], [12, 0, 12]);
    await Deno.writeTextFile(`${repo.dir}-second/new.ts`, "function onlyHere() {}\n");
    await test.index.ensureFresh();
    const search = (view: IndexView) => view.searchText({ text: "onlyHere" }).length;
    equal(await test.index.read(search), 1);
    equal(await first.index.read(search), 0);
  } finally {
    await Deno.remove(`${repo.dir}-second`, { recursive: true });
  }
});

Deno.test("a rename analyses nothing and moves what is known", async () => {
  await using repo = await createTempRepo({ files: makeFiles(5) });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  await Deno.rename(`${repo.dir}/src/part1`, `${repo.dir}/src/moved`);
  const report = await test.index.sync();
  deepEqual([report.parsed, report.removed, report.counts.files], [0, 1, 5]);
  const { hits } = await test.index.read((view) => view.findSymbols({ name: "run1" }));
  deepEqual(hits.map(({ path }) => path), ["src/moved/file1.ts"]);
  deepEqual(await test.index.read((view) => view.searchPaths("moved", 5)), ["src/moved/file1.ts"]);
});

Deno.test("a change with the old size and a restored time is found", async () => {
  await using repo = await createTempRepo({ files: { "a.ts": "function one() {}\n" } });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  const { mtime } = await Deno.stat(`${repo.dir}/a.ts`);
  await repo.write({ "a.ts": "function two() {}\n" });
  await Deno.utime(`${repo.dir}/a.ts`, mtime ?? 0, mtime ?? 0);
  equal((await test.index.ensureFresh()).pendingTotal, 0);
  const names = await test.index.read((view) => view.listSymbols("a.ts").map(({ name }) => name));
  deepEqual(names, ["two"]);
});

Deno.test("a file that is written in the tick in which it was hashed is hashed again", async () => {
  await using repo = await createTempRepo({ files: { "a.ts": "function n0() {}\n" } });
  await using test = openTestIndex(repo.repo);
  for (let round = 1; round < 20; round++) {
    await test.index.ensureFresh();
    await repo.write({ "a.ts": `function n${round % 10}() {}\n` });
    await test.index.ensureFresh();
    const names = await test.index.read((view) => view.listSymbols("a.ts").map(({ name }) => name));
    deepEqual(names, [`n${round % 10}`]);
  }
});

Deno.test("touch reads a file again and analyses nothing; a new or removed file is seen at once", async () => {
  await using repo = await createTempRepo({ files: makeFiles(5) });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  test.wait(2_000);
  await test.index.sync();
  await Deno.utime(`${repo.dir}/src/part1/file1.ts`, 1, 1);
  const touched = await test.index.sync();
  deepEqual([touched.read, touched.parsed], [1, 0]);
  await repo.write({ "deep/new/folder/a.ts": "function fresh() {}\n" });
  await test.index.ensureFresh();
  equal((await test.index.read((view) => view.findSymbols({ name: "fresh" }))).total, 1);
  await Deno.remove(`${repo.dir}/deep`, { recursive: true });
  await test.index.ensureFresh();
  equal((await test.index.read((view) => view.findSymbols({ name: "fresh" }))).total, 0);
});

Deno.test("sync() that is ended keeps what is done, and the next one goes on there", async () => {
  await using repo = await createTempRepo({ files: makeFiles(350) });
  await using test = openTestIndex(repo.repo);
  const end = new AbortController();
  const first = await test.index.sync({ signal: end.signal, onProgress: () => end.abort() });
  equal(first.isComplete, false);
  ok(first.parsed < 350 && first.counts.files > 0 && first.pending.length > 0);
  const second = await test.index.sync();
  ok(second.isComplete);
  equal(second.counts.files, 350);
  equal(first.parsed + second.parsed, 350);
});

Deno.test("a command knew no file of a project that a clock ahead of its own had written: it reads them again", async () => {
  await using repo = await createTempRepo({ files: makeFiles(120) });
  await using test = openTestIndex(repo.repo);
  // For this clock every file was written an hour from now.
  test.wait(-3_600_000);
  await test.index.sync();
  const { pendingTotal, files } = await test.index.ensureFresh({ isBrief: true });
  deepEqual([pendingTotal, files], [0, 120]);
  await repo.write({ "src/part0/file0.ts": "class Other0 extends Base {}\n" });
  equal((await test.index.ensureFresh({ isBrief: true })).pendingTotal, 0);
  equal((await test.index.read((view) => view.findSymbols({ name: "Other0" }))).total, 1);
});

Deno.test("R45: ensureFresh() names what it could not do in time, and goes on behind the answer", async () => {
  await using repo = await createTempRepo({ files: makeFiles(250) });
  await using test = openTestIndex(repo.repo);
  test.wait(2_000);
  equal((await test.index.ensureFresh({ isBrief: true })).pendingTotal, 250);
  equal(test.analyser.parsed.length, 0, "a brief answer begins nothing large");
  const early = await test.index.ensureFresh({ budgetMs: 0 });
  equal(early.files + early.pendingTotal, 250);
  ok(early.pending.length > 0 && early.pending.length <= 50);
  for (let pending = early.pendingTotal; pending > 0;) {
    const later = await test.index.ensureFresh({ budgetMs: 0 });
    equal(later.files + later.pendingTotal, 250, "each file is in the index or pending");
    ok(later.pendingTotal <= pending, "no answer knows less than the one before");
    pending = later.pendingTotal;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const report = await test.index.sync();
  deepEqual([report.counts.files, report.parsed], [250, 0]);
  deepEqual((await test.index.ensureFresh()).pending, []);
});

Deno.test("settings and .code-intelignore leave files out, with the reason, from the next answer on", async () => {
  await using repo = await createTempRepo({
    files: { ...makeFiles(4), "lib/x.ts": "class X {}\n" },
  });
  const settings = { excludePatterns: ["src/part1/"] };
  await using test = openTestIndex(repo.repo, { settings });
  await test.index.sync();
  const skipped = () => test.index.read((view) => view.listSkipped());
  deepEqual(await skipped(), [{ path: "src/part1/file1.ts", reason: "exclude_patterns" }]);
  await repo.write({ ".code-intelignore": "# ours\nlib\n[\n" });
  const { notices } = await test.index.sync();
  ok(notices[0]?.includes('"["'), notices.join());
  deepEqual((await skipped()).map(({ path }) => path), ["lib/x.ts", "src/part1/file1.ts"]);
  await repo.remove(".code-intelignore");
  await test.index.ensureFresh();
  equal((await test.index.read((view) => view.findSymbols({ name: "X" }))).total, 1);
});

Deno.test("two processes' worth of indexes that build at once share the work", async () => {
  await using repo = await createTempRepo({ files: makeFiles(300) });
  await using one = openTestIndex(repo.repo);
  await using other = openTestIndex(repo.repo);
  const reports = await Promise.all([one.index.sync(), other.index.sync()]);
  deepEqual(reports.map(({ counts }) => counts.files), [300, 300]);
  const parsed = reports.reduce((sum, report) => sum + report.parsed, 0);
  // Who comes when a few files are left does them too.
  ok(parsed >= 300 && parsed <= 320, `${parsed}`);
});

Deno.test("sync() hashes files again that were hashed longer ago than the settings say", async () => {
  await using repo = await createTempRepo({ files: makeFiles(3) });
  await using test = openTestIndex(repo.repo, { settings: { syncTtlHours: 2 } });
  await test.index.sync();
  test.wait(60 * 60 * 1000);
  // What was written in the second of its hashing is read once more; then nothing is due.
  await test.index.sync();
  equal((await test.index.sync()).read, 0);
  test.wait(2 * 60 * 60 * 1000 + 1);
  const late = await test.index.sync();
  deepEqual([late.read, late.parsed], [3, 0]);
  equal((await test.index.sync()).read, 0);
});

Deno.test("another largest chunk makes other contents, and going back makes none", async () => {
  await using repo = await createTempRepo({ files: makeFiles(3) });
  const settings = { chunkMaxTokens: 512 };
  await using test = openTestIndex(repo.repo, {
    options: { loadSettings: () => Promise.resolve({ ...SETTINGS, ...settings }) },
  });
  await test.index.sync();
  settings.chunkMaxTokens = 100;
  equal((await test.index.sync()).parsed, 3);
  settings.chunkMaxTokens = 512;
  equal((await test.index.sync()).parsed, 0);
  const { files, contents } = (await test.index.status()).counts;
  deepEqual([files, contents], [3, 3]);
});

Deno.test("an answer never shares a look that began before it: an edit in between is found", async () => {
  await using repo = await createTempRepo({ files: makeFiles(40) });
  for (const watchedFrom of [10, 3_000]) await checkShared(repo, watchedFrom);
});

async function checkShared(repo: TempRepo, watchedFrom: number): Promise<void> {
  await using test = openTestIndex(repo.repo, { options: { watchedFrom } });
  await test.index.sync();
  for (let round = 0; round < 5; round++) {
    const earlier = test.index.ensureFresh();
    await repo.write({ "src/part1/file1.ts": `function round${round}() {}\n` });
    await test.index.ensureFresh();
    const found = await test.index.read((view) => view.findSymbols({ name: `round${round}` }));
    equal(found.total, 1);
    await earlier;
  }
}

Deno.test("in a large project every kind of change is in the next answer, as a watch tells it", async () => {
  await using repo = await createTempRepo({ files: makeFiles(40) });
  await Deno.mkdir(`${repo.dir}/empty/inner`, { recursive: true });
  await using test = openTestIndex(repo.repo, { options: { watchedFrom: 10 } });
  await test.index.sync();
  test.wait(2_000);
  for (let look = 0; look < 3; look++) await test.index.ensureFresh();
  const deeds: readonly (readonly [name: string, deed: () => Promise<unknown>])[] = [
    ["edited", () => repo.write({ "src/part1/file1.ts": "function edited() {}\n" })],
    // Of another size: the clock of the test is ahead, so that a file of the same tick and size would pass for an old one.
    ["secondly", () => repo.write({ "src/part1/file1.ts": "function secondly() {}\n" })],
    ["added", () => repo.write({ "src/part1/added.ts": "function added() {}\n" })],
    ["deeper", () => repo.write({ "src/new/deep/a.ts": "function deeper() {}\n" })],
    ["deepest", () => repo.write({ "src/new/deep/a.ts": "function deepest() {}\n" })],
    ["hollow", () => repo.write({ "empty/inner/a.ts": "function hollow() {}\n" })],
    ["renamed", async () => {
      await repo.write({ "src/part2/next": "function renamed() {}\n" });
      await Deno.rename(`${repo.dir}/src/part2/next`, `${repo.dir}/src/part2/file2.ts`);
    }],
    ["edited", () => repo.write({ "src/part3/file3.ts": "function edited() {}\n" })],
  ];
  for (const [name, deed] of deeds) {
    await deed();
    await test.index.ensureFresh();
    const { hits } = await test.index.read((view) => view.findSymbols({ name }));
    equal(hits.length, 1, `${name}, at once`);
  }
  await repo.remove("src/part3/file3.ts");
  await test.index.ensureFresh();
  equal((await test.index.read((view) => view.findSymbols({ name: "edited" }))).total, 0);
  await repo.write({ ".code-intelignore": "part4/\n" });
  await test.index.ensureFresh();
  equal((await test.index.read((view) => view.findSymbols({ name: "run4" }))).total, 0);
  await repo.git("checkout", "-q", "--", ".");
  await test.index.ensureFresh();
  equal((await test.index.read((view) => view.findSymbols({ name: "run3" }))).total, 1);
});

Deno.test("an answer waits for its own changes, not only for those of a job that began before", async () => {
  await using repo = await createTempRepo({ files: makeFiles(40) });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  test.wait(2_000);
  await test.index.sync();
  for (let round = 0; round < 10; round++) {
    await repo.write({ "src/part1/file1.ts": `function one${round}() {}\n` });
    const first = test.index.ensureFresh();
    await new Promise((resolve) => setTimeout(resolve, round));
    await repo.write({ "src/part2/file2.ts": `function two${round}() {}\n` });
    const { pending } = await test.index.ensureFresh({ budgetMs: 5_000 });
    const found = await test.index.read((view) => view.findSymbols({ name: `two${round}` }));
    deepEqual([found.total, pending], [1, []], `round ${round}`);
    await first;
  }
});
