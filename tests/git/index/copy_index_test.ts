/** The copy of the person's index. */
import { match, ok, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { writeWorktreeTree } from "../../../src/git/index/private_index.ts";
import { openRepository } from "../../../src/git/repository.ts";
import { copyIndex } from "../../../src/git/index/seed_index.ts";
import type { Need } from "../../support/needs.ts";
import { testNeeding } from "../../support/needs.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const ROWS: readonly {
  readonly tried: string;
  readonly said: RegExp;
  readonly needs: readonly Need[];
  plant(index: string): Promise<void>;
}[] = [
  { tried: "a folder", said: /it is a folder/, needs: [], plant: (index) => Deno.mkdir(index) },
  {
    tried: "a link to a device",
    said: /it is a device/,
    needs: ["posix"],
    plant: (index) => Deno.symlink("/dev/zero", index),
  },
  {
    tried: "a file that may not be read",
    said: /permission denied/,
    needs: ["posix", "no_root"],
    plant: (index) => Deno.writeTextFile(index, "", { mode: 0o000 }),
  },
];

for (const { tried, said, needs, plant } of ROWS) {
  testNeeding(needs, `an index that is ${tried} was once called a bug of the program`, async () => {
    await using temp = await createTempRepo();
    const repo = await openRepository(temp.dir);
    ok(repo !== null);
    const index = join(temp.dir, ".git/index");
    await Deno.remove(index);
    await plant(index);
    await rejects(writeWorktreeTree(repo, { sessionId: "session" }), (failure) => {
      if (!(failure instanceof CodeIntelError)) return false;
      match(failure.message, said);
      return failure.code === "control_file_unusable";
    });
  });
}

Deno.test("copyIndex() copies the bytes, and is false without an index", async () => {
  await using temp = await createTempRepo();
  const [index, copy] = [join(temp.dir, ".git/index"), join(temp.dir, ".git/copy")];
  equal(await copyIndex({ gitDir: join(temp.dir, ".git") }, copy), true);
  equal(`${await Deno.readFile(copy)}`, `${await Deno.readFile(index)}`);
  await Deno.remove(index);
  equal(await copyIndex({ gitDir: join(temp.dir, ".git") }, copy), false);
});
