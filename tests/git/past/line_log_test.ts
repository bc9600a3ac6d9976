/** Which commits changed some lines, on a real repository. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { traceLines } from "../../../src/git/log/commit_facts.ts";
import { importCommits } from "../../support/import_commits.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("traceLines() follows lines through changes, a move and what is not committed", async () => {
  const path = "b\n:c.ts";
  await using temp = await createTempRepo({ files: { "a.ts": "one\ntwo\nthree\nfour\n" } });
  await importCommits(temp, [
    { message: "2", seconds: 1, files: { "a.ts": "one\nTWO\nthree\nfour\n" } },
    { message: "3", seconds: 2, lines: `R a.ts ${JSON.stringify(path)}\n` },
    { message: "4", seconds: 3, files: { [path]: "one\nTwo\nthree\nfour\n" } },
  ]);
  await temp.git("reset", "-q", "--hard");
  const ids = (await temp.git("rev-list", "HEAD")).split("\n");
  const ask = async (start: number, end: number, name = path) => {
    const found = await traceLines(temp.repo, name, [{ start, end }], { timeoutMs: 30_000 });
    return found?.map((id) => ids.length - ids.indexOf(id)) ?? null;
  };
  deepEqual([await ask(2, 2), await ask(4, 4), await ask(9, 9)], [[4, 2, 1], [1], null]);
  deepEqual(await ask(1, 1, "none.ts"), null);
  // Two new lines on top, "three" gone, "four" rewritten.
  await temp.write({ [path]: "new\nnew\none\nTwo\nFOUR\n" });
  deepEqual([await ask(1, 2), await ask(4, 4), await ask(5, 5)], [[], [4, 2, 1], [1]]);
});
