/** The commands `help` and `licenses`, which only print. */
import { readProgramFile } from "../../base/program_files.ts";
import type { Command } from "../command.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { formatSuggestion } from "../../base/text/nearest.ts";
import { findCommand } from "../commands.ts";
import {
  formatCommandHelp,
  formatCommandOverview,
  formatGroupHelp,
  listSubcommands,
} from "../help.ts";

/** Prints the licences, as `THIRD_PARTY_LICENSES` has them. */
export const LICENSES: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel licenses | less",
  options: [],
  async run({ isJson, terminal }) {
    const text = new TextDecoder().decode(await readProgramFile("THIRD_PARTY_LICENSES"));
    await terminal.data(isJson ? `${JSON.stringify({ ok: true, text })}\n` : text);
    return 0;
  },
};

/** Shows the list of commands, or the help of one. */
export const HELP: Command = {
  usage: "[COMMAND]",
  positionals: [0, 2],
  example: "code-intel help session start",
  options: [{
    name: "man",
    kind: "flag",
    summary: "Print the manual page, for man -l or a package",
  }],
  async run({ options, positionals, isJson, commands, terminal }) {
    if (options["man"] === true) {
      const { formatManPage } = await import("../help.ts");
      const text = formatManPage(
        await Promise.all(
          commands.map(async (entry) => ({ entry, command: await entry.load() })),
        ),
      );
      await terminal.data(isJson ? `${JSON.stringify({ ok: true, text })}\n` : text);
      return 0;
    }
    if (positionals.length === 0) {
      const rows = commands.map(({ name, summary }) => ({ name, summary }));
      if (isJson) await terminal.data(`${JSON.stringify({ ok: true, commands: rows })}\n`);
      else await terminal.out(...formatCommandOverview(commands, terminal.columns));
      return 0;
    }
    const found = findCommand(positionals, commands);
    if (found === null || found.rest.length > 0) {
      const name = positionals.join(" ");
      if (listSubcommands(name, commands).length > 0) {
        await terminal.out(...formatGroupHelp(name, commands, terminal.columns));
        return 0;
      }
      const near = formatSuggestion(name, commands.map((entry) => entry.name));
      throw new CodeIntelError("bad_usage", `Unknown command "${name}".${near}`, {
        hint: "Run `code-intel help` for the list.",
      });
    }
    const command = await found.entry.load();
    await terminal.out(...formatCommandHelp(found.entry, command, terminal.columns));
    return 0;
  },
};
