/** A build that is killed goes on where it was. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createTempRepo } from "../support/temp_repo.ts";
import { toDump } from "./many_processes.ts";
import { makeFiles, openTestIndex } from "./support.ts";
import { killChild } from "../support/server/processes.ts";
import { SCHEMA_VERSION } from "../../src/index/store/schema.ts";
import { bringToFormSeven } from "./store/older_form.ts";

const CLIENT = new URL("./index_client.ts", import.meta.url);
const FILES = 300;

Deno.test("a build that is killed goes on where it was, and its contents are whole", async () => {
  await using repo = await createTempRepo({ files: makeFiles(FILES) });
  await using test = openTestIndex(repo.repo);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", CLIENT.href, repo.dir, "builder", "60", "1"],
    stdout: "null",
    stderr: "null",
    stdin: "null",
  }).spawn();
  // Killed as soon as something of it can be seen, which is long before its end.
  let early = 0;
  while (early === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    early = await test.index.read((view) => view.count().files);
  }
  killChild(child);
  await child.status;
  const report = await test.index.sync();
  ok(report.isComplete);
  equal(report.counts.files, FILES);
  ok(report.parsed <= FILES - early, `${report.parsed} analysed after ${early}`);
  await using fresh = openTestIndex(repo.repo, {
    options: { folder: join(repo.repo.gitDir, "fresh") },
  });
  await fresh.index.sync();
  deepEqual(await test.index.read(toDump), await fresh.index.read(toDump));
  deepEqual(test.notices, []);
});

Deno.test("a program that is killed while it brings a database to the present form leaves it as it was", async () => {
  await using repo = await createTempRepo({ files: makeFiles(20) });
  {
    await using first = openTestIndex(repo.repo);
    await first.index.sync();
  }
  const path = join(repo.repo.commonDir, "code-intel/index.db");
  bringToFormSeven(path);
  {
    // More than the memory of a connection holds, so that the change goes to the journal before its end.
    using db = new DatabaseSync(path);
    db.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250000)
      INSERT INTO occurrences SELECT 1000000 + i % 1000, 1000000 + i / 1000, zeroblob(200) FROM n`);
  }
  const count = (table: string) => {
    using db = new DatabaseSync(path);
    const row = db.prepare(`SELECT count(*) AS count, (SELECT user_version FROM
      pragma_user_version) AS form FROM ${table}`).get();
    return [Number(row?.["count"]), Number(row?.["form"])];
  };
  const [before] = count("occurrences");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", CLIENT.href, repo.dir, "reader", "60", "1"],
    stdout: "null",
    stderr: "null",
    stdin: "null",
  }).spawn();
  const journalBytes = () => Deno.stat(`${path}-wal`).then(({ size }) => size, () => 0);
  while (await journalBytes() < 100_000) await new Promise((resolve) => setTimeout(resolve, 1));
  killChild(child);
  await child.status;
  deepEqual(count("occurrences"), [before, 7]);
  await using test = openTestIndex(repo.repo);
  equal((await test.index.sync()).parsed, 0);
  deepEqual(count("occurrence_rows"), [before, SCHEMA_VERSION]);
  equal((await test.index.read((view) => view.findOccurrences("run3"))).total, 1);
});
