/** What commands say to wrong paths, numbers and names: the next step, in words of the command that the person typed. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { listCommands } from "../../src/cli/commands.ts";
import { FEATURES } from "../../src/features/features.ts";
import { COMMON_OPTIONS } from "../../src/cli/command.ts";
import { runHosted } from "../support/server/hosted_cli.ts";
import { isKnownCommand } from "../support/known_commands.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const COMMANDS = listCommands(FEATURES);

/** A command line, and what it says. */
const ROWS: readonly (readonly [words: readonly string[], exit: number, said: RegExp])[] = [
  [["workspace", "add", "/nowhere"], 2, /member "\/nowhere": no such folder\n.* workspace add DIR/],
  [["workspace", "add", "a.ts"], 2, /it is a file, not a folder\n.* workspace add DIR/],
  [["workspace", "add", "BARE"], 2, /a bare repository, .*\nMake a worktree/],
  [["workspace", "add", "sub"], 2, /a folder of the project itself, .*\n.*`code-intel workspace/],
  [["workspace", "remove", "zz"], 2, /no such member\n.*workspace list/],
  [["share", "pull"], 2, /no remote is named\nName one: `code-intel share pull origin`/],
  [["share", "push"], 2, /no remote is named\nName one: `code-intel share push origin`/],
  [["share", "pull", ""], 2, /"": it is no name\nName a remote/],
  [["share", "push", " "], 2, /" ": it is no name/],
  [["share", "push", "/nowhere/x.bundle"], 2, /there is no folder \/nowhere\nMake the folder/],
  [["share", "pull", "/nowhere/x.bundle"], 2, /there is no folder \/nowhere/],
  [["share", "pull", "nowhere"], 2, /"nowhere": it is neither a remote/],
  [["share", "push", "/nowhere"], 2, /"\/nowhere": .*\nName a remote of the repository, a URL/],
  [["history", "a.ts", "--max-results", "0"], 64, /of `code-intel history`\n- `--max-results`/],
  [["history", "nowhere"], 1, /"nowhere" does not exist/],
  [["history", "--under", "nowhere"], 1, /"nowhere" does not exist/],
  [["session", "resume", "zz"], 1, /No session "zz" is stored\n/],
  [["session", "status", "zz"], 1, /No session "zz" is stored\n/],
  [["structure", "nowhere"], 1, /"nowhere" does not exist.*\n.*`code-intel files`/],
  [["function", "nowhere:3"], 1, /"nowhere" does not exist.*\n.*`code-intel files`/],
  [["symbols", "nowhere"], 1, /"nowhere" does not exist/],
  [["def", "load", "--path", "nowhere"], 1, /"nowhere" does not exist/],
  [["refs", "load", "--path", "nowhere", "--max-results", "0"], 64, /of `code-intel refs`/],
  [["text", "load", "--context-lines", "-1"], 64, /context-lines/],
  [["search", "load", "--path", "nowhere"], 1, /"nowhere" does not exist/],
  [["query", "load", "--path", "nowhere"], 1, /"nowhere" does not exist/],
  [["impact", "--symbols", "zz"], 1, /No definition of "zz"/],
  [["chunk", "zz"], 1, /"zz" is no id/],
  [["map", "nowhere"], 1, /"nowhere"/],
  [["init", "/nowhere"], 2, /"\/nowhere": no such folder\nName an existing folder, or start/],
  [["init", "a.ts"], 2, /"a\.ts": it is a file, not a folder/],
  [["try", "/nowhere"], 2, /"\/nowhere": no such folder/],
  [["uninstall", "/nowhere"], 2, /"\/nowhere": no such folder/],
  [["doctor", "--project", "/nowhere"], 2, /with --project DIR/],
  [["attest", "zz"], 64, /bad revision 'zz'/],
  [["attest", "verify", "zz"], 64, /bad revision 'zz'/],
  [["outcome", "zz"], 64, /zz/],
];

Deno.test("a wrong input is told in words of the command that was typed, and names no option that it lacks", async () => {
  await using repo = await createTempRepo({
    files: { "a.ts": "export const load = 1;\n", "sub/b.ts": "" },
  });
  const folder = await Deno.makeTempDir();
  const bare = join(folder, "bare.git");
  await repo.git("init", "--quiet", "--bare", bare);
  const env = { CODE_INTEL_STATE_DIR: join(folder, "state"), CODE_INTEL_SHARE_REMOTE: "" };
  try {
    for (const [words, exit, said] of ROWS) {
      if (!isKnownCommand(words)) continue;
      const given = words.map((word) => word === "BARE" ? bare : word);
      const { code, stderr, stdout } = await runHosted(given, { cwd: repo.dir, env });
      const text = `${stdout}${stderr}`;
      equal(code, exit, `${words.join(" ")}: ${text}`);
      match(text.replace(/\n +/g, "\n"), said, words.join(" "));
      await checkOptions(words, text);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Each option is one of the command that was typed, or of the command line that names it. */
async function checkOptions(words: readonly string[], text: string): Promise<void> {
  const own = text.replaceAll(/`git [^`]*`/g, "");
  const lines = [...own.matchAll(/code-intel ([^`\n,;]+)/g)].map(([, line = ""]) => line);
  const rest = lines.reduce((left, line) => left.replace(line, ""), own.replaceAll("\n", " "));
  for (const line of [...lines, `${words.join(" ")} ${rest}`]) {
    const command = COMMANDS.filter(({ name }) => `${line} `.startsWith(`${name} `))
      .sort((a, b) => b.name.length - a.name.length)[0];
    const rows = [...(await command?.load())?.options ?? [], ...COMMON_OPTIONS];
    for (const [, option = ""] of line.matchAll(/--([a-z][a-z-]+)/g)) {
      const isKnown = rows.some(({ name }) => name === option);
      ok(isKnown, `${words.join(" ")}: "${command?.name}" has no --${option}: ${text}`);
    }
  }
}
