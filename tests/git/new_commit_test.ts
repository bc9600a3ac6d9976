import { strictEqual as equal } from "node:assert/strict";
import { toCommitMessage } from "../../src/git/mod.ts";
import { createTempRepo } from "./support.ts";

Deno.test("toCommitMessage() adds trailers that git reads back", async () => {
  await using temp = await createTempRepo();
  const cases: readonly (readonly [message: string, expected: string])[] = [
    ["Subject", "Subject\n\nA: 1\nB: two words\n"],
    ["Subject\n\nBody: not\na trailer", "Subject\n\nBody: not\na trailer\n\nA: 1\nB: two words\n"],
    ["Subject\r\n\r\nSigned-off-by: x\r\n", "Subject\n\nSigned-off-by: x\nA: 1\nB: two words\n"],
    ["Fix: it", "Fix: it\n\nA: 1\nB: two words\n"],
  ];
  for (const [message, expected] of cases) {
    const made = toCommitMessage(message, [["A", "1"], ["B", "two\n words "]]);
    equal(made, expected);
    await temp.git("commit", "-q", "--allow-empty", "-m", made);
    const format = "--format=%(trailers:key=A,valueonly,separator=)";
    equal(await temp.git("log", "-1", format), "1");
  }
  equal(toCommitMessage(" x ", []), "x\n");
});
