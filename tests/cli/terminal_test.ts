/** Streams of the command line: colour only for people, questions only at a terminal. */
import { strictEqual as equal } from "node:assert/strict";
import type { Streams } from "../../src/cli/terminal.ts";
import { createTerminal } from "../../src/cli/terminal.ts";
import { runOnTerminal } from "../support/server/cli.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import { testNeeding } from "../support/needs.ts";

Deno.test("createTerminal() paints nothing where there is no terminal or NO_COLOR is set", () => {
  equal(createTerminal({ noColour: true }).paint("x", "path"), "x");
});

Deno.test("createTerminal() shows by number what a terminal obeys, and colours only what it painted itself", async () => {
  const said = { out: "", err: "" };
  const streams: Streams = {
    out: (text) => Promise.resolve(void (said.out += text)),
    err: (text) => Promise.resolve(void (said.err += text)),
    readInput: () => Promise.resolve(""),
    readLine: () => Promise.resolve(null),
    isTerminal: true,
    isInteractive: true,
  };
  const terminal = createTerminal({ noColour: false, columns: "70" }, streams);
  equal(terminal.columns, 70);
  await terminal.out(`${terminal.paint("a\n\u001b[2J.ts", "path")}: \u001b[31m\u202egnp`, "\t👩‍👩‍👧");
  equal(
    said.out,
    "\u001b[36ma[U+000A][U+001B][2J.ts\u001b[0m: [U+001B][31m[U+202E]gnp\n\t👩‍👩‍👧\n",
  );
  equal(await terminal.confirm("Is\r\u009b1A it?"), false);
  await terminal.progress("a\rb");
  equal(said.err, "Is[U+000D][U+009B]1A it? [y/N] \ra[U+000D]b\u001b[K");
  said.err = "";
  await createTerminal({ noColour: true }, { ...streams, isInteractive: false }).progress("a");
  equal(said.err, "", "a log of a job is no terminal");
});

testNeeding(["terminal"], "the program paints on a terminal, and not with NO_COLOR", async () => {
  const { dir: cwd } = await createTempRepo({ files: { "a.ts": "login\n" } });
  const words = ["text", "login"];
  const painted = await runOnTerminal(words, { cwd });
  equal(painted.includes("\x1b[36ma.ts:1\x1b[0m: login"), true);
  const plain = await runOnTerminal(words, { cwd, env: { NO_COLOR: "1" } });
  equal(plain.replaceAll("\r", ""), "a.ts:1: login\n");
});
