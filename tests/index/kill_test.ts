/** A build that is killed goes on where it was. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createTempRepo } from "../support/temp_repo.ts";
import { toDump } from "./many_processes.ts";
import { makeFiles, openTestIndex } from "./support.ts";
import { killChild } from "../support/processes.ts";

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
