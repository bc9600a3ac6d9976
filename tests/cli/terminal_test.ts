/** Streams of the command line: colour only for people, questions only at a terminal. */
import { strictEqual as equal } from "node:assert/strict";
import { createTerminal, toLocalTime } from "../../src/cli/terminal.ts";
import { runOnTerminal } from "../support/cli.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import { testNeeding } from "../support/needs.ts";

Deno.test("createTerminal() paints nothing where there is no terminal or NO_COLOR is set", () => {
  equal(createTerminal({ noColour: true }).paint("x", "path"), "x");
});

Deno.test("toLocalTime() tells the minute in the zone of the machine, and leaves all else", () => {
  const local = new Date(2026, 0, 5, 7, 8, 9);
  equal(toLocalTime(local.toISOString()), "2026-01-05 07:08");
  for (const text of ["2026-01-05", "at 2026-01-05T07:08:09.000Z", "v1"]) {
    equal(toLocalTime(text), text);
  }
});

testNeeding(["terminal"], "the program paints on a terminal, and not with NO_COLOR", async () => {
  const { dir: cwd } = await createTempRepo({ files: { "a.ts": "login\n" } });
  const words = ["text", "login"];
  const painted = await runOnTerminal(words, { cwd });
  equal(painted.includes("\x1b[36ma.ts:1\x1b[0m: login"), true);
  const plain = await runOnTerminal(words, { cwd, env: { NO_COLOR: "1" } });
  equal(plain.replaceAll("\r", ""), "a.ts:1: login\n");
});
