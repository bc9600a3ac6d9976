/** The full text ranks by what is in the index, whatever has left it. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { createTempRepo } from "../../support/temp_repo.ts";
import { openTestIndex } from "../support.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

Deno.test("words of contents that are gone made common words look rare, so that a living index ranked worse", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`keep${at}.md`, `client keeps number${at}\n`]),
  );
  await using repo = await createTempRepo({ files });
  await using fresh = await createTempRepo({ files });
  await using test = openTestIndex(repo.repo);
  await using never = openTestIndex(fresh.repo);
  const gone = Array.from({ length: 90 }, (_, at) => `gone/number${at}.md`);
  await repo.write(Object.fromEntries(gone.map((path) => [path, `Words of ${path} that go.\n`])));
  await test.index.sync();
  await repo.remove("gone");
  await test.index.sync();
  test.wait(31 * DAY_MS);
  await test.index.sync();
  await never.index.sync();
  const scores = (index: typeof test.index) =>
    index.read((view) => [
      view.searchText({ text: "client number3" }).map(({ paths, score }) => [paths, score]),
      view.searchPaths("keep3", 3),
    ]);
  deepEqual(await scores(test.index), await scores(never.index));
  // What comes afterwards is added to the totals that were counted anew.
  const more = { "more.md": "another client\n" };
  await repo.write(more);
  await fresh.write(more);
  await Promise.all([test.index.sync(), never.index.sync()]);
  deepEqual(await scores(test.index), await scores(never.index));
});
