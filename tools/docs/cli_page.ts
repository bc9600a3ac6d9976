/** `docs/cli.md` from the table of commands and the help that a terminal shows. */
import { listCommands } from "../../src/cli/commands.ts";
import { FEATURES } from "../../src/features/features.ts";
import { formatCommandHelp } from "../../src/cli/help.ts";
import { toPage, toTable, toWord } from "./markdown.ts";

const COMMANDS = listCommands(FEATURES);

/** The page. */
export async function renderCli(): Promise<string> {
  const overview = COMMANDS.map(({ name, summary }) => [toWord(name), summary]);
  const sections = await Promise.all(COMMANDS.map(async (entry) => {
    const help = formatCommandHelp(entry, await entry.load());
    return `## ${entry.name}\n\n\`\`\`\n${help.join("\n")}\n\`\`\``;
  }));
  return toPage("Command line", "src/cli/commands.ts", [
    "From source, `deno task -q cli` stands for `code-intel`: `deno task -q cli text 'login'`.",
    "The name of a tool is a command too: `code-intel find-references login` does what `code-intel refs login` does.",
    toTable(["command", "does"], overview),
    "Exit codes: 0 done, 1 refused or nothing found, 2 failed, 64 bad usage, 70 a bug. Of `prove`: 0 proven, 1 not proven, 2 broken, 3 unknown, 64 refused or bad usage, 70 failed or a bug. Of `attest verify`: 0 no finding, 1 findings, 2 failed, 64 bad usage or an unknown range.",
    ...sections,
  ]);
}
