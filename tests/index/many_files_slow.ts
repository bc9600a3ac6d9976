/** A repository of 8,000 files: it is built, and an edit costs one file. `deno task bench` has 50,000. */
import { match, strictEqual as equal } from "node:assert/strict";
import { createTempRepo } from "../support/temp_repo.ts";
import { makeFiles, openTestIndex } from "./support.ts";

const FILES = 8_000;

Deno.test("8,000 files are indexed, found again by the next process, and an edit reads one of them", async () => {
  await using repo = await createTempRepo();
  await repo.commit("Many", makeFiles(FILES));
  {
    await using test = openTestIndex(repo.repo);
    const report = await test.index.sync();
    equal(report.isComplete, true);
    equal(report.counts.files, FILES + 1);
    equal((await test.index.read((view) => view.findSymbols({ name: "run7999" }))).total, 1);
    // Words that are everywhere are left out where a rarer one says which file is meant.
    const [best] = await test.index.read((view) =>
      view.scoreChunks("class function run7999", { limit: 5 })
    );
    const [file] = await test.index.read((view) => view.listContents([best?.content ?? 0]));
    match(file?.path ?? "", /file7999\.ts$/);
  }
  await using test = openTestIndex(repo.repo);
  test.wait(10_000);
  await test.index.sync();
  equal(test.analyser.parsed.length, 0, "what was analysed before is not analysed again");
  await repo.write({ "src/part7/file7.ts": "function edited() {}\n" });
  test.wait(10_000);
  const report = await test.index.sync();
  equal([report.read, report.parsed].join(), "1,1");
  equal((await test.index.read((view) => view.findSymbols({ name: "edited" }))).total, 1);
});
