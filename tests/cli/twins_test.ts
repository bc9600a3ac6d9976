/** Twins of tools: their options are the tool's parameters, and reach it with the right type. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { TWINS } from "../../src/cli/twin_rows.ts";
import { toToolOption, toTwin } from "../../src/cli/twins.ts";
import { toToolName } from "../../src/phase/rules/required_tools.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("toTwin() makes an option of every parameter, and a no- flag of one that is on", () => {
  const { options } = toTwin("check-write");
  deepEqual(options.map(({ name, kind }) => [name, kind]), [
    ["file-path", "text"],
    ["no-allow-new-files", "flag"],
  ]);
  const start = (toTwin("session start")).options;
  deepEqual(start.find(({ name }) => name === "intent")?.values, [
    "IMPLEMENT",
    "MODIFY",
    "INVESTIGATE",
    "QUESTION",
  ]);
  equal(start.find(({ name }) => name === "no-verify")?.kind, "flag");
  equal(start.find(({ name }) => name === "doc-research-prompts")?.kind, "list");
  equal(start.find(({ name }) => name === "repo-path"), undefined);
});

Deno.test("toToolOption() makes the option of one parameter, with the text of the tool", () => {
  deepEqual(toToolOption("sync_index", "force"), {
    name: "force",
    kind: "flag",
    summary: "Build it anew",
  });
});

Deno.test("twins hand on flags, numbers, lists and several patterns", async () => {
  const { dir: cwd } = await createTempRepo({
    files: { "src/a.ts": "Login\nlogin\nlogout\n", "src/b.md": "login\n" },
  });
  const text = async (...words: string[]) =>
    (await runHosted(["text", ...words], { cwd })).stdout.split("\n").slice(0, -1);
  deepEqual(await text("login", "--no-case-sensitive", "--globs", "*.ts"), [
    "src/a.ts:1: Login",
    "src/a.ts:2: login",
  ]);
  deepEqual(await text("login", "logout", "--globs", "*.ts", "--globs", "!*.md"), [
    "src/a.ts:2: login",
    "src/a.ts:3: logout",
  ]);
  const [first, note] = await text("login", "--max-results", "1");
  equal(first, "src/a.ts:2: login");
  match(note ?? "", /1 of 2 shown/);
});

Deno.test("R16: a command of the shell and its tool are one name in tools_used", () => {
  for (const [command, { tool }] of Object.entries(TWINS)) {
    if (!command.startsWith("session ")) equal(toToolName(`code-intel ${command} x`), tool);
  }
});
