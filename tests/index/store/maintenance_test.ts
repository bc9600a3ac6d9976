/** What nobody has any more leaves the index after its time, with everything that hangs on it. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openRepository } from "../../../src/git/repository.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
import { openTestIndex } from "../support.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const TABLES = [
  "blobs",
  "chunks",
  "symbols",
  "occurrences",
  "occurrence_rows",
  "occurrence_parts",
  "imports",
  "files",
  "paths",
  "word_vectors",
];

/** Rows of each table, and the chunks and paths that the full text tables still find. */
function count(repo: TempRepo, word: string): number[] {
  using db = new DatabaseSync(join(repo.repo.commonDir, "code-intel/index.db"));
  const one = (sql: string) => Number(db.prepare(sql).get()?.["count"]);
  return [
    ...TABLES.map((table) => one(`SELECT count(*) AS count FROM ${table}`)),
    one(`SELECT count(*) AS count FROM texts WHERE texts MATCH '${word}'`),
    one(`SELECT count(*) AS count FROM path_words WHERE path_words MATCH '${word}'`),
  ];
}

Deno.test("a content that lost its last file stays for 30 days, and then leaves no trace", async () => {
  const files = { "keep.ts": "function keep() {}\n" };
  await using repo = await createTempRepo({ files });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  const before = count(repo, "zebra");
  await repo.write({ "zebra.ts": 'import "./keep.ts"\nclass Zebra {\n  function zebra() {}\n}\n' });
  await test.index.sync();
  await repo.remove("zebra.ts");
  await test.index.sync();
  test.wait(29 * DAY_MS);
  await test.index.sync();
  equal(count(repo, "zebra")[0], 2, "it may come back");
  test.wait(2 * DAY_MS);
  await test.index.sync();
  deepEqual(count(repo, "zebra"), before);
});

Deno.test("places of names are found in each of their parts, and a part that has none any more leaves", async () => {
  await using repo = await createTempRepo({ files: { "keep.ts": "function keep() {}\n" } });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  const path = join(repo.repo.commonDir, "code-intel/index.db");
  const exec = (sql: string) => {
    using db = new DatabaseSync(path);
    db.exec(sql);
  };
  const listParts = () => {
    using db = new DatabaseSync(path);
    return db.prepare("SELECT id FROM occurrence_parts").all().map(({ id }) => Number(id));
  };
  const findKeep = async () =>
    (await test.index.read((view) => view.findOccurrences("keep"))).hits.map(({ path }) => path);
  // The first content of the next part but one, and the last of the part before: the parts are not in the order of time.
  exec("UPDATE next_blob SET id = 2 * 65536");
  await repo.write({ "zebra.ts": "function zebra() {}\nkeep();\n" });
  await test.index.sync();
  exec("UPDATE next_blob SET id = 2 * 65536 - 1");
  await repo.write({ "last.ts": "keep();\nzebra();\n" });
  await test.index.sync();
  deepEqual(listParts(), [0, 1, 2]);
  deepEqual(await findKeep(), ["keep.ts", "last.ts", "zebra.ts"]);
  const listNames = (file: string) =>
    test.index.read((view) => view.listOccurrences(file).map(({ name }) => name));
  deepEqual(await listNames("last.ts"), ["keep", "zebra"]);
  deepEqual(await listNames("zebra.ts"), ["function", "keep", "zebra"]);
  await repo.remove("zebra.ts");
  await test.index.sync();
  test.wait(31 * DAY_MS);
  await test.index.sync();
  deepEqual(listParts(), [0, 1]);
  deepEqual(await findKeep(), ["keep.ts", "last.ts"]);
  await repo.write({ "zebra.ts": "function zebra() {}\nkeep();\n" });
  exec("UPDATE next_blob SET id = 2 * 65536 + 7");
  await test.index.sync();
  deepEqual(listParts(), [0, 1, 2], "it comes back with its first content");
  deepEqual(await findKeep(), ["keep.ts", "last.ts", "zebra.ts"]);
});

Deno.test("a new content got the number of one that left, and kept its vectors for ever", async () => {
  await using repo = await createTempRepo({ files: { "keep.ts": "function keep() {}\n" } });
  await using test = openTestIndex(repo.repo);
  await repo.write({ "zebra.ts": "function zebra() {}\n" });
  await test.index.sync();
  const path = join(repo.repo.commonDir, "code-intel/index.db");
  const numbersOfZebra = () => {
    using db = new DatabaseSync(path);
    return db.prepare(
      "SELECT blob, path FROM files WHERE path = (SELECT id FROM paths WHERE path = 'zebra.ts')",
    ).get();
  };
  const first = numbersOfZebra();
  {
    using db = new DatabaseSync(path);
    db.prepare("INSERT INTO spans VALUES (?, ?, 0, 1, 1, 1, 1)")
      .run(Number(first?.["blob"]), Number(first?.["path"]));
  }
  await repo.remove("zebra.ts");
  await test.index.sync();
  test.wait(31 * DAY_MS);
  await test.index.sync();
  await repo.write({ "zebra.ts": "function other() {}\n" });
  await test.index.sync();
  const second = numbersOfZebra();
  ok(Number(second?.["blob"]) > Number(first?.["blob"]));
  using db = new DatabaseSync(path);
  const left = db.prepare("SELECT count(*) AS count FROM spans WHERE blob = ?")
    .get(Number(second?.["blob"]));
  equal(left?.["count"], 0);
});

Deno.test("a content that comes back in time is kept, and a worktree that is gone is forgotten", async () => {
  await using repo = await createTempRepo({ files: { "a.ts": "function a() {}\n" } });
  await using test = openTestIndex(repo.repo);
  await test.index.sync();
  const dir = `${repo.dir}-other`;
  await repo.git("worktree", "add", "-q", dir, "-b", "other");
  await Deno.writeTextFile(`${dir}/b.ts`, "function b() {}\n");
  await Deno.writeTextFile(`${dir}/c.ts`, "function c() {}\n");
  const other = await openRepository(dir);
  ok(other !== null);
  {
    await using second = openTestIndex(other);
    await second.index.sync();
  }
  await Deno.remove(dir, { recursive: true });
  test.wait(8 * DAY_MS);
  await test.index.sync();
  equal(count(repo, "b")[5], 1, "files");
  equal(count(repo, "b")[0], 3, "contents");
  await repo.write({ "c.ts": "function c() {}\n" });
  equal((await test.index.sync()).parsed, 0);
  test.wait(31 * DAY_MS);
  await test.index.sync();
  equal(count(repo, "b")[0], 2, "b is gone, c is held again");
});

Deno.test("what an older version of the analyser made leaves as soon as nobody has it", async () => {
  await using repo = await createTempRepo({ files: { "zebra.ts": "function zebra() {}\n" } });
  {
    await using first = openTestIndex(repo.repo);
    await first.index.sync();
  }
  const before = count(repo, "zebra");
  using db = new DatabaseSync(join(repo.repo.commonDir, "code-intel/index.db"));
  db.exec("UPDATE variants SET key = '0' || substr(key, instr(key, '|'))");
  await using test = openTestIndex(repo.repo);
  equal((await test.index.sync()).parsed, 1);
  test.wait(2 * 60 * 60 * 1000);
  await test.index.sync();
  deepEqual(count(repo, "zebra"), before);
});
