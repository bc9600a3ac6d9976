/** Streams of the command line: colour only for people, questions only at a terminal. */
import { strictEqual as equal } from "node:assert/strict";
import { createTerminal } from "../../src/cli/terminal.ts";
import { runOnTerminal } from "../support/cli.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import { testNeeding } from "../support/needs.ts";

Deno.test("createTerminal() paints nothing where there is no terminal or NO_COLOR is set", () => {
  equal(createTerminal({ noColour: true }).paint("x", "path"), "x");
});

testNeeding(["terminal"], "the program paints on a terminal, and not with NO_COLOR", async () => {
  const { dir: cwd } = await createTempRepo({ files: { "a.ts": "login\n" } });
  const words = ["text", "login"];
  const painted = await runOnTerminal(words, { cwd });
  equal(painted.includes("\x1b[36ma.ts:1\x1b[0m: login"), true);
  const plain = await runOnTerminal(words, { cwd, env: { NO_COLOR: "1" } });
  equal(plain.replaceAll("\r", ""), "a.ts:1: login\n");
});
