/**
 * A copied folder whose `.git` was made by somebody else: its configuration and its hooks name programs, and none of
 * them runs when the program looks at the project. Each would leave a mark outside.
 */
import { join } from "node:path";
import { strictEqual as equal } from "node:assert/strict";
import type { Ground } from "./ground.ts";
import { testGroup } from "./row.ts";

/** Settings that name a program. */
const SETTINGS = [
  "core.fsmonitor",
  "core.sshCommand",
  "core.pager",
  "core.editor",
  "core.askPass",
  "core.alternateRefsCommand",
  "diff.external",
  "diff.odd.textconv",
  "diff.odd.command",
  "gpg.program",
  "credential.helper",
  "pager.diff",
  "alias.ls-files",
  "alias.status",
];

const HOOKS = ["post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc"];

/** A program that says outside that it ran. */
async function writeProgram(ground: Ground, path: string): Promise<void> {
  const mark = join(ground.outside, "ran");
  await Deno.writeTextFile(path, `#!/bin/sh\necho "${path}" >> "${mark}"\n`, { mode: 0o755 });
}

async function plantSettings(ground: Ground): Promise<void> {
  const program = ground.at(".git/odd.sh");
  await writeProgram(ground, program);
  for (const name of SETTINGS) await ground.project.repo.git("config", name, program);
  await Deno.writeTextFile(ground.at(".git/info/attributes"), "*.ts diff=odd\n");
  await Deno.writeTextFile(ground.at("src/auth.ts"), "export const login = 1;\n");
  await expectTrap(ground, ["status"]);
}

async function plantHooks(ground: Ground): Promise<void> {
  const folder = ground.at(".git/odd-hooks");
  await Deno.mkdir(folder, { recursive: true });
  for (const name of HOOKS) await writeProgram(ground, join(folder, name));
  await ground.project.repo.git("config", "core.hooksPath", folder);
  await expectTrap(ground, ["update-ref", "refs/odd/trap", "HEAD"]);
}

/** The trap works: git by itself, without our settings, runs into it. */
async function expectTrap(ground: Ground, args: readonly string[]): Promise<void> {
  const mark = join(ground.outside, "ran");
  await new Deno.Command("git", { args: [...args], cwd: ground.dir }).output();
  await Deno.remove(mark);
}

/** Everything that looks at a repository without a word of the person. */
async function look(ground: Ground): Promise<void> {
  const event = JSON.stringify({ cwd: ground.dir, session_id: "s", source: "startup" });
  for (
    const words of [["doctor"], ["impact", "--diff"], ["snapshots"], ["text", "login"], ["index"]]
  ) {
    await ground.run(words);
  }
  const query = "Refuse an empty name in login";
  const started = await ground.call("start_session", { intent: "MODIFY", query });
  equal(started.reply.ok, true, started.text);
  equal((await ground.run(["hook", "session-start"], event)).code, 0);
  await ground.call("get_session_status");
  await ground.call("find_references", { symbol: "login" });
  const abandoned = { abandon: true, reason: "The look at the project is over" };
  equal((await ground.call("submit_phase", { data: abandoned })).reply.ok, true);
}

testGroup(
  "no program that a repository's configuration or hooks name runs when the project is looked at",
  {
    rows: [
      { tried: "settings of .git/config that name programs", plant: plantSettings, ask: look },
      { tried: "hooks by core.hooksPath", plant: plantHooks, ask: look },
    ],
  },
);
