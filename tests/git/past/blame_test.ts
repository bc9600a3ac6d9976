/** Which commits the present lines of a file come from, and who made them. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  blameLines,
  findLastCommit,
  parseBlame,
  readCommitFacts,
} from "../../../src/git/log/commit_facts.ts";
import { importCommits } from "../../support/import_commits.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const BOUND = { timeoutMs: 30_000 };

Deno.test("parseBlame() counts lines, whatever these hold", () => {
  const [one, none] = ["a".repeat(40), "0".repeat(40)];
  const output =
    `${one} 1 1 2\nauthor P\nfilename a.ts\n\t${"b".repeat(40)} 1 1\n${one} 2 2\n\tx\n` +
    `${none} 3 3 1\nauthor Not Committed Yet\n\t\n`;
  deepEqual(parseBlame(output), [{ commit: one, lines: 2 }, { commit: null, lines: 1 }]);
});

Deno.test("blameLines() follows a moved file, sees what is not committed, and tells nothing it does not know", async () => {
  const path = "b\n:c.ts";
  await using temp = await createTempRepo({ files: { "a.ts": "one\ntwo\nthree\n" } });
  await importCommits(temp, [
    {
      message: `Why\n\n${"long ".repeat(2_000)}`,
      seconds: 1_700_000_000,
      author: "Ada O\u0007",
      files: { "a.ts": "one\nTWO\nthree\n" },
    },
    { message: "", seconds: 1_700_000_001, lines: `R a.ts ${JSON.stringify(path)}\n` },
  ]);
  await temp.git("reset", "-q", "--hard");
  await temp.write({ [path]: "one\nTWO\n  three\nfour\n" });
  const [second, first] = [
    await temp.git("rev-parse", "HEAD~1"),
    await temp.git("rev-parse", "HEAD~2"),
  ];
  const ask = (start: number, end: number, name = path) =>
    blameLines(temp.repo, name, [{ start, end }], BOUND);
  deepEqual(await ask(1, 4), [
    { commit: first, lines: 2 },
    { commit: second, lines: 1 },
    { commit: null, lines: 1 },
  ]);
  deepEqual(await ask(2, 2), [{ commit: second, lines: 1 }]);
  equal(await ask(7, 9), null);
  equal(await ask(1, 1, "none.ts"), null);
  const head = await temp.git("rev-parse", "HEAD");
  const facts = await readCommitFacts(temp.repo, [second, "f".repeat(40), head], BOUND);
  deepEqual([...facts.keys()], [second, head]);
  const { author, atSeconds, message = "" } = facts.get(second) ?? {};
  deepEqual([author, atSeconds, message.length], ["Ada O\u0007", 1_700_000_000, 4_000]);
  equal(facts.get(head)?.message, "");
  equal(await findLastCommit(temp.repo, path, BOUND), head);
  equal(await findLastCommit(temp.repo, "*.ts", BOUND), null, "no pattern");
});
