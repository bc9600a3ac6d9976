/** Help texts, made from the tables so that they are always up to date. */
import { PROGRAM_NAME } from "../base/version.ts";
import type { Command, CommandEntry, OptionRow } from "./command.ts";
import { COMMON_OPTIONS } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { fold } from "./fold.ts";

/** The commands of which `word` is the first of two, such as `session start` of `session`. */
export function listBelow(word: string): readonly CommandEntry[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
}

/**
 * The list of all commands.
 *
 * @param columns width of the terminal; null keeps each row on one line.
 */
export function toOverview(columns: number | null = null): string {
  return `${PROGRAM_NAME}: understand a codebase before changing it, prove afterwards what was done

${toList(COMMANDS, columns, "")}`;
}

/** The list of the commands that begin with one word; `columns` as for {@link toOverview}. */
export function toGroupHelp(word: string, columns: number | null = null): string {
  return toList(listBelow(word), columns, `${word} `);
}

function toList(entries: readonly CommandEntry[], columns: number | null, group: string): string {
  const list = toRows(entries.map(({ name, summary }) => [name, summary]), columns);
  return `Usage: ${PROGRAM_NAME} ${group}COMMAND [ARGUMENTS] [OPTIONS]

Commands:
${list.join("\n")}

${PROGRAM_NAME} ${group}COMMAND --help shows the options and an example; --version shows the version.
Exit codes: 0 done, 1 refused or nothing found, 2 failed, 3 a bug, 64 bad usage.
`;
}

/** The help of one command; `columns` as for {@link toOverview}. */
export function toCommandHelp(
  { name, summary }: CommandEntry,
  command: Command,
  columns: number | null = null,
): string {
  const usage = [PROGRAM_NAME, name, command.usage, "[OPTIONS]"].filter((part) => part !== "");
  const options = [...command.options, ...COMMON_OPTIONS];
  const list = toRows(options.map((row) => [toOptionName(row), toOptionSummary(row)]), columns);
  return `${summary}

Usage: ${usage.join(" ")}

Options:
${list.join("\n")}

Example:
  ${command.example}
`;
}

/** Two columns, of which the second one is folded below itself where the terminal ends. */
function toRows(
  rows: readonly (readonly [name: string, summary: string])[],
  columns: number | null,
): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  const indent = " ".repeat(width + 4);
  return rows.map(([name, summary]) =>
    `  ${name.padEnd(width)}  ${
      fold(summary, columns === null ? null : columns - width - 4, indent)
    }`
  );
}

/** How an option is written: `-f, --file FILE`. */
export function toOptionName(row: OptionRow): string {
  const short = row.short === undefined ? "" : `-${row.short}, `;
  const value = row.fallback === undefined ? row.value : `[${row.value}]`;
  return `${short}--${row.name}${value === undefined ? "" : ` ${value}`}`;
}

/** What an option does, with the values that it takes. */
export function toOptionSummary(row: OptionRow): string {
  const values = row.values === undefined ? "" : ` (${row.values.join(", ")})`;
  return `${row.summary}${values}${row.kind === "list" ? "; may be repeated" : ""}`;
}
