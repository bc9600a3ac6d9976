/** Help texts, made from the tables so that they are always up to date. */
import { PROGRAM_NAME } from "../base/version.ts";
import type { Command, CommandEntry, OptionRow } from "./command.ts";
import { COMMON_OPTIONS } from "./command.ts";
import { COMMANDS } from "./commands.ts";

/** The list of all commands. */
export function toOverview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `${PROGRAM_NAME}: understand a codebase before changing it, prove afterwards what was done

Usage: ${PROGRAM_NAME} COMMAND [ARGUMENTS] [OPTIONS]

Commands:
${list.join("\n")}

${PROGRAM_NAME} COMMAND --help shows the options and an example; --version shows the version.
Exit codes: 0 done, 1 refused or nothing found, 2 failed, 3 a bug, 64 bad usage.
`;
}

/** The help of one command. */
export function toCommandHelp({ name, summary }: CommandEntry, command: Command): string {
  const usage = [PROGRAM_NAME, name, command.usage, "[OPTIONS]"].filter((part) => part !== "");
  const options = [...command.options, ...COMMON_OPTIONS];
  const width = Math.max(...options.map((row) => toName(row).length));
  const list = options.map((row) => `  ${toName(row).padEnd(width)}  ${toSummary(row)}`);
  return `${summary}

Usage: ${usage.join(" ")}

Options:
${list.join("\n")}

Example:
  ${command.example}
`;
}

function toName(row: OptionRow): string {
  const short = row.short === undefined ? "" : `-${row.short}, `;
  const value = row.fallback === undefined ? row.value : `[${row.value}]`;
  return `${short}--${row.name}${value === undefined ? "" : ` ${value}`}`;
}

function toSummary(row: OptionRow): string {
  const values = row.values === undefined ? "" : ` (${row.values.join(", ")})`;
  return `${row.summary}${values}${row.kind === "list" ? "; may be repeated" : ""}`;
}
