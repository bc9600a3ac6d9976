/** The database file: damaged, foreign, newer, out of reach, replaced under way. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { withLock } from "../../../src/base/processes/lock_file.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
import type { IndexView } from "../../../src/index/read/view.ts";
import { makeFiles, openTestIndex } from "../support.ts";
import { bringToFormSeven } from "./older_form.ts";

const toFolder = (repo: TempRepo) => join(repo.repo.commonDir, "code-intel");

Deno.test("a file that is no whole database of ours is set aside, and the index is built again", async () => {
  const rows:
    readonly (readonly [expected: RegExp, spoil: (path: string) => Promise<void> | void])[] = [
      [/damaged/, (path) => Deno.writeTextFile(path, "this is no database ".repeat(500))],
      [/of a newer version/, (path) => exec(path, "PRAGMA user_version = 999")],
      [/no file of this program/, (path) => exec(path, "PRAGMA application_id = 7")],
    ];
  await using repo = await createTempRepo({ files: makeFiles(5) });
  for (const [expected, spoil] of rows) {
    {
      await using first = openTestIndex(repo.repo);
      equal((await first.index.sync()).counts.files, 5);
    }
    await spoil(join(toFolder(repo), "index.db"));
    await using test = openTestIndex(repo.repo);
    const report = await test.index.sync();
    equal(report.counts.files, 5);
    equal(report.parsed, 5);
    match(test.notices.join(), expected);
  }
  const names = (await Array.fromAsync(Deno.readDir(toFolder(repo)))).map(({ name }) => name);
  equal(
    names.filter((name) => /^index\.db\.\w+-\w+$/.test(name)).length,
    2,
    "the oldest is removed",
  );
});

Deno.test("a database of an older form is brought to the present one, and its contents are kept", async () => {
  await using repo = await createTempRepo({ files: makeFiles(5) });
  {
    await using first = openTestIndex(repo.repo);
    await first.index.sync();
  }
  bringToFormSeven(join(toFolder(repo), "index.db"));
  exec(
    join(toFolder(repo), "index.db"),
    "ALTER TABLE symbols DROP COLUMN scope; DROP TABLE next_blob; DROP TABLE types; DROP TABLE word_vectors; DROP TABLE origins; DROP INDEX vectors_by_pack; ALTER TABLE vectors DROP COLUMN pack; PRAGMA user_version = 2",
  );
  await using test = openTestIndex(repo.repo);
  const report = await test.index.sync();
  equal(report.counts.files, 5);
  equal(report.parsed, 0);
  equal(test.notices.length, 0);
  equal((await test.index.read((view) => view.findSymbols({ name: "run3" }))).total, 1);
  await repo.write({ "new.ts": "function fresh() {}\n" });
  equal((await test.index.sync()).parsed, 1);
  equal((await test.index.read((view) => view.findSymbols({ name: "fresh" }))).total, 1);
});

Deno.test("names that are written with what holds them get their last part in a database that did not know them by it", async () => {
  await using repo = await createTempRepo({ files: makeFiles(1) });
  {
    await using first = openTestIndex(repo.repo);
    await first.index.sync();
  }
  const path = join(toFolder(repo), "index.db");
  bringToFormSeven(path);
  exec(
    path,
    `INSERT INTO names (id, name, is_defined) VALUES (9001, 'Shop.Assoc.ManyToMany', 1);
    INSERT INTO name_parts (rowid, parts) VALUES (9001, '=shopassocmanytomany shop assoc many to many')`,
  );
  await using test = openTestIndex(repo.repo);
  equal((await test.index.sync()).parsed, 0);
  using db = new DatabaseSync(path);
  const find = db.prepare("SELECT rowid AS id FROM name_parts WHERE name_parts MATCH ?");
  for (const word of [`"=manytomany"`, `"=shopassocmanytomany"`, `"assoc"`]) {
    deepEqual(find.all(word).map(({ id }) => id), [9001], word);
  }
});

Deno.test("places of names in one table are brought into parts, also by two programs that meet them at once", async () => {
  await using repo = await createTempRepo({ files: makeFiles(8) });
  {
    await using first = openTestIndex(repo.repo);
    await first.index.sync();
  }
  await using fresh = openTestIndex(repo.repo, {
    options: { folder: join(repo.repo.gitDir, "fresh") },
  });
  await fresh.index.sync();
  // Some of the contents below the first number of the second part, some above it.
  bringToFormSeven(join(toFolder(repo), "index.db"), 65_530);
  await using one = openTestIndex(repo.repo);
  await using two = openTestIndex(repo.repo);
  const reports = await Promise.all([one, two].map(({ index }) => index.sync()));
  deepEqual(reports.map(({ parsed, isComplete }) => [parsed, isComplete]), [[0, true], [0, true]]);
  for (const { index } of [one, two]) {
    deepEqual(await index.read(toPlaces), await fresh.index.read(toPlaces));
  }
  using db = new DatabaseSync(join(toFolder(repo), "index.db"));
  deepEqual(db.prepare("SELECT id FROM occurrence_parts").all().map(({ id }) => id), [0, 1]);
});

/** All places of names, asked by their names and by their files. */
function toPlaces(view: IndexView) {
  const paths = view.listFiles().map(({ path }) => path);
  const names = [...new Set(paths.flatMap((path) => view.listNames(path)))].sort();
  return {
    byPath: paths.map((path) => view.listOccurrences(path)),
    byName: names.map((name) => [name, view.findOccurrences(name)]),
  };
}

Deno.test("pages that are destroyed while the index is open do not reach the caller", async () => {
  await using repo = await createTempRepo({ files: makeFiles(60) });
  {
    await using first = openTestIndex(repo.repo);
    await first.index.sync();
  }
  const path = join(toFolder(repo), "index.db");
  const bytes = await Deno.readFile(path);
  bytes.fill(0x5a, 4096 * 3);
  await Deno.writeFile(path, bytes);
  await using test = openTestIndex(repo.repo);
  const report = await test.index.sync({ force: true });
  equal(report.counts.files, 60);
  equal((await test.index.read((view) => view.findSymbols({ name: "run7" }))).total, 1);
  match(test.notices.join(), /damaged/);
});

Deno.test("two questions that meet the same damage set one file aside, and not the new one after it", async () => {
  await using repo = await createTempRepo({ files: makeFiles(60) });
  {
    await using first = openTestIndex(repo.repo);
    await first.index.sync();
  }
  const path = join(toFolder(repo), "index.db");
  await using one = openTestIndex(repo.repo);
  await using two = openTestIndex(repo.repo);
  for (const { index } of [one, two]) await index.read((view) => view.count());
  const bytes = await Deno.readFile(path);
  bytes.fill(0x5a, 4096 * 3);
  await Deno.writeFile(path, bytes);
  const ask = ({ index }: typeof one) =>
    index.read((view) => view.findSymbols({ name: "run7" })).then(() => "read", () => "failed");
  await Promise.all([one, one, two, two].map(ask));
  const names = (await Array.fromAsync(Deno.readDir(toFolder(repo)))).map(({ name }) => name);
  equal(names.filter((name) => /^index\.db\.damaged-\w+$/.test(name)).length, 1);
  equal([...one.notices, ...two.notices].filter((text) => text.includes("damaged")).length, 1);
});

Deno.test("an index that is removed while it is open is built again", async () => {
  await using repo = await createTempRepo({ files: makeFiles(5) });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  for (const parsed of [10, 15]) {
    await Deno.remove(toFolder(repo), { recursive: true });
    if (parsed === 10) await Deno.mkdir(toFolder(repo));
    equal((await test.index.ensureFresh({ budgetMs: 60_000 })).files, 5);
    equal(test.analyser.parsed.length, parsed);
  }
});

Deno.test("sync() with rebuild analyses everything again", async () => {
  await using repo = await createTempRepo({ files: makeFiles(5) });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  equal((await test.index.sync({ rebuild: true })).parsed, 5);
  const forced = await test.index.sync({ force: true });
  equal(forced.read, 5);
  equal(forced.parsed, 0);
});

Deno.test("where nothing can be written the index lies in the other folder, else in memory", async () => {
  await using repo = await createTempRepo({ files: makeFiles(5) });
  const folder = join(repo.dir, "src/part1/file1.ts", "code-intel");
  const fallbackFolder = join(repo.repo.gitDir, "fallback");
  {
    await using test = openTestIndex(repo.repo, { options: { folder, fallbackFolder } });
    equal((await test.index.sync()).counts.files, 5);
    equal((await test.index.status()).path, join(fallbackFolder, "index.db"));
    match(test.notices.join(), /Cannot (?:write|use|make)/);
  }
  await using test = openTestIndex(repo.repo, { options: { folder } });
  equal((await test.index.sync()).counts.files, 5);
  equal((await test.index.ensureFresh()).pendingTotal, 0);
  const status = await test.index.status();
  equal(status.path, ":memory:");
  ok(status.counts.symbols > 0);
});

function exec(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

Deno.test("a reader that opened the index ended with 'Cannot lock' while others wrote: it waits for no writer", async () => {
  await using repo = await createTempRepo({ files: makeFiles(5) });
  {
    await using first = openTestIndex(repo.repo);
    // What was written just now would be hashed once more.
    first.wait(60_000);
    await first.index.sync();
  }
  // Held for as long as the test goes on: with a wait for it there would be no end.
  await withLock(join(toFolder(repo), "index.lock"), { timeoutMs: 60_000 }, async () => {
    await using test = openTestIndex(repo.repo);
    equal((await test.index.read((view) => view.findSymbols({ name: "run3" }))).total, 1);
    equal((await test.index.status()).counts.files, 5);
    equal((await test.index.ensureFresh()).pendingTotal, 0);
    equal((await test.index.sync()).isComplete, true);
  });
});

Deno.test("a shared memory of the index that somebody cut short ended the process: it is made anew, and the next question is answered", async () => {
  await using repo = await createTempRepo({ files: makeFiles(3) });
  const script = `
    import { openTestIndex } from ${JSON.stringify(import.meta.resolve("../support.ts"))};
    import { openRepository } from ${
    JSON.stringify(import.meta.resolve("../../../src/git/repository.ts"))
  };
    const repo = await openRepository(${JSON.stringify(repo.dir)});
    await using test = openTestIndex(repo);
    await test.index.sync();
    const path = ${JSON.stringify(join(toFolder(repo), "index.db-shm"))};
    const ask = () => test.index.read((view) => view.findSymbols({ name: "run1" }).total);
    const found = [await ask()];
    for (const size of [0, 100, 16384]) {
      await Deno.truncate(path, size);
      found.push(await ask());
    }
    await Deno.truncate(path, 0);
    await Deno.writeTextFile(${
    JSON.stringify(join(repo.dir, "f1.ts"))
  }, "export function run1() {}");
    await test.index.sync();
    found.push(await ask());
    console.log(JSON.stringify(found));`;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", "--no-check", `--config=${join(Deno.cwd(), "deno.json")}`, script],
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  deepEqual(JSON.parse(new TextDecoder().decode(stdout)).slice(0, 4), [1, 1, 1, 1]);
});
