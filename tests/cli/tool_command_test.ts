/** Commands of tools: their options are the tool's parameters, and reach it with the right type. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { createToolCommand, findToolOption } from "../../src/cli/tool_command.ts";
import { isSameCommand, KNOWN_TOOLS } from "../../src/phase/table/tools.ts";
import { parseToolName } from "../../src/phase/rules/required_tools.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("createToolCommand() makes an option of every parameter, and a no- flag of one that is on", () => {
  const { options } = createToolCommand("check_write_target");
  deepEqual(options.map(({ name, kind }) => [name, kind]), [
    ["file-path", "text"],
    ["no-allow-new-files", "flag"],
  ]);
  const start = createToolCommand("start_session").options;
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

Deno.test("findToolOption() makes the option of one parameter, with the text of the tool", () => {
  deepEqual(findToolOption("sync_index", "force"), {
    name: "force",
    kind: "flag",
    summary: "Build it anew",
  });
});

Deno.test("commands of tools hand on flags, numbers, lists and several patterns", async () => {
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
  for (const { name, command } of KNOWN_TOOLS.filter(isSameCommand)) {
    if (!command.includes(" ")) equal(parseToolName(`code-intel ${command} x`), name);
    equal(parseToolName(`code-intel ${name.replaceAll("_", "-")} x`), name);
  }
});

Deno.test("the name of a tool is a command too", async () => {
  const { dir: cwd } = await createTempRepo({ files: { "src/a.ts": "export const login = 1;\n" } });
  for (const name of ["def", "find-definitions", "find_definitions"]) {
    const { stdout } = await runHosted([name, "login"], { cwd });
    equal(stdout, "src/a.ts:1: constant login\n", name);
  }
});
