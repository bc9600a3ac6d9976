/** The scripts in their shells: each completes commands, values and sessions as a person types them. */
import { match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { findShellScript } from "../../../src/cli/completion/complete.ts";
import { SOURCE_COMMAND } from "../../support/server/mcp_client.ts";
import { testNeeding } from "../../support/needs.ts";
import type { Project } from "../../support/session/project.ts";
import { createProject } from "../../support/session/project.ts";
import { runProgram } from "../../support/server/cli.ts";
import { START } from "../commands/restore_place.ts";

/** Puts the program on a PATH of its own, and runs a script of a shell in the project. */
async function run(project: Project, shell: string, args: readonly string[]): Promise<string> {
  const bin = join(project.dir, ".git", "bin");
  await Deno.mkdir(bin, { recursive: true });
  const words = SOURCE_COMMAND.map((word) => `'${word}'`).join(" ");
  await Deno.writeTextFile(join(bin, "code-intel"), `#!/bin/sh\nexec ${words} "$@"\n`, {
    mode: 0o755,
  });
  const { stdout, stderr } = await new Deno.Command(shell, {
    args: [...args],
    cwd: project.dir,
    env: { ...project.env, PATH: `${bin}:${Deno.env.get("PATH") ?? ""}` },
  }).output();
  const decoder = new TextDecoder();
  equal(decoder.decode(stderr), "");
  return decoder.decode(stdout);
}

async function startSession(project: Project): Promise<string> {
  const { stdout } = await runProgram([...START, "--json"], { cwd: project.dir, env: project.env });
  return JSON.parse(stdout).session_id;
}

testNeeding(
  ["posix"],
  "bash completes commands, values behind an equals sign, symbols and sessions",
  async () => {
    await using project = await createProject();
    const id = await startSession(project);
    await runProgram(["index"], { cwd: project.dir, env: project.env });
    const ask = (...words: readonly string[]) =>
      `COMP_WORDS=(code-intel ${
        words.join(" ")
      }); COMP_CWORD=${words.length}; _code_intel; echo "\${COMPREPLY[@]}"\n`;
    const script = findShellScript("bash") + ask("sess") + ask("trust", "--mode", "=", "st") +
      ask("snapshots", "''") + ask("def", "log") + ask("text", "log", "--path", "x");
    equal(await run(project, "bash", ["-c", script]), `session\nstrict\n${id}\nlogin\n\n`);
  },
);

testNeeding(["zsh"], "zsh completes with what each word means", async () => {
  await using project = await createProject();
  const id = await startSession(project);
  // What compinit brings is stood in for by functions that print what they are given.
  const script =
    `compdef() { : }; _files() { echo files }; _describe() { print -l -- "\${found[@]}" }
${findShellScript("zsh")}
words=(code-intel trust --mode ""); CURRENT=4; _code_intel
words=(code-intel snapshots ""); CURRENT=3; _code_intel
words=(code-intel text log --path x); CURRENT=5; _code_intel
`;
  const told = `strict\nwarn\noff\n${id}:how does login work\nfiles\n`;
  equal(await run(project, "zsh", ["-f", "-c", script]), told);
});

testNeeding(["fish"], "fish completes with what each word means", async () => {
  await using project = await createProject();
  const id = await startSession(project);
  const script = `${findShellScript("fish")}
complete -C "code-intel trust --mode "
complete -C "code-intel snapshots "
complete -C "code-intel text log --path RE"
`;
  const told = await run(project, "fish", ["--no-config", "-c", script]);
  match(told, new RegExp(`^strict\nwarn\noff\n${id}\thow does login work\nREADME.md`));
});
