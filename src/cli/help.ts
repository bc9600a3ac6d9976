/** Help texts and the manual page, made from the tables so that they are always up to date. */
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import type { Command, CommandEntry, OptionRow } from "./command.ts";
import { COMMON_OPTIONS } from "./command.ts";
import { fold, foldAfter } from "./fold.ts";

/** A command with its row. */
export interface ManCommand {
  readonly entry: CommandEntry;
  readonly command: Command;
}

/** Draws the page for `man`, in the macros of man(7). */
export function formatManPage(commands: readonly ManCommand[]): string {
  return [
    `.TH ${PROGRAM_NAME.toUpperCase()} 1 "" "${PROGRAM_NAME} ${VERSION}"`,
    ".SH NAME",
    `${PROGRAM_NAME} \\- understand a codebase before changing it, prove afterwards what was done`,
    ".SH SYNOPSIS",
    `.B ${escape(PROGRAM_NAME)}`,
    "COMMAND [ARGUMENTS] [OPTIONS]",
    ".SH OPTIONS OF EVERY COMMAND",
    ...COMMON_OPTIONS.flatMap(formatItem),
    ".SH COMMANDS",
    ...commands.flatMap(formatSection),
    ".SH EXIT STATUS",
    "0 done, 1 refused or nothing found, 2 failed, 64 bad usage, 70 a bug, 128 + N ended by signal N.",
    ".SH ENVIRONMENT",
    "CODE_INTEL_STATE_DIR and CODE_INTEL_CACHE_DIR move the folders of the program, CODE_INTEL_RG names ripgrep,",
    "NO_COLOR leaves colours out. Each setting has a variable of its own; see docs/configuration.md.",
    ".SH FILES",
    ".I .code\\-intel/config.json",
    "holds the settings of a project.",
    "",
  ].join("\n");
}

function formatSection({ entry, command }: ManCommand): readonly string[] {
  const usage = [PROGRAM_NAME, entry.name, command.usage].filter((part) => part !== "");
  return [
    `.SS "${escape(usage.join(" "))}"`,
    `${escape(entry.summary)}.`,
    ...command.options.flatMap(formatItem),
    ".PP",
    "Example:",
    ".EX",
    `  ${escape(command.example)}`,
    ".EE",
  ];
}

function formatItem(row: Parameters<typeof formatOptionName>[0]): readonly string[] {
  return [".TP", `.B ${escape(formatOptionName(row))}`, escape(formatOptionSummary(row))];
}

/** Signs that a typesetter would print as other ones, which nobody could copy into a shell, by their names. */
const SIGNS: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  '"': "\\(dq",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  "…": "...",
};

/** A line begins a macro with a dot; a sign outside of ASCII is given by its number. */
function escape(text: string): string {
  return text.replaceAll(
    /[\\"'`^~…-]|[^\x20-\x7e]/gu,
    (sign) =>
      SIGNS[sign] ??
        `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  )
    .replace(/^(?=\.)/, "\\&");
}

/** The commands of which `word` is the first of two, such as `session start` of `session`. */
export function listSubcommands(
  word: string,
  commands: readonly CommandEntry[],
): readonly CommandEntry[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `));
}

/**
 * The list of all commands, in lines.
 *
 * @param columns width of the terminal; null keeps each row on one line.
 */
export function formatCommandOverview(
  commands: readonly CommandEntry[],
  columns: number | null = null,
): readonly string[] {
  const about = "understand a codebase before changing it, prove afterwards what was done";
  return [
    ...fold(`${PROGRAM_NAME}: ${about}`, columns),
    "",
    ...formatCommandList(commands, columns, ""),
  ];
}

/** The list of the commands that begin with one word; `columns` as for {@link formatCommandOverview}. */
export function formatGroupHelp(
  word: string,
  commands: readonly CommandEntry[],
  columns: number | null = null,
): readonly string[] {
  return formatCommandList(listSubcommands(word, commands), columns, `${word} `);
}

function formatCommandList(
  entries: readonly CommandEntry[],
  columns: number | null,
  group: string,
): readonly string[] {
  const name = `${PROGRAM_NAME} ${group}COMMAND`;
  return [
    ...formatUsage(`${name} [ARGUMENTS] [OPTIONS]`, columns),
    "",
    "Commands:",
    ...formatRows(entries.map((entry) => [entry.name, entry.summary]), columns),
    "",
    ...fold(
      `${name} --help shows the options and an example; --version shows the version.`,
      columns,
    ),
    ...fold(
      "Exit codes: 0 done, 1 refused or nothing found, 2 failed, 64 bad usage, 70 a bug, 128 + N ended by signal N.",
      columns,
    ),
  ];
}

/** The help of one command, in lines; `columns` as for {@link formatCommandOverview}. */
export function formatCommandHelp(
  { name, summary }: CommandEntry,
  command: Command,
  columns: number | null = null,
): readonly string[] {
  const usage = [PROGRAM_NAME, name, command.usage, "[OPTIONS]"].filter((part) => part !== "");
  const options = [...command.options, ...COMMON_OPTIONS];
  return [
    ...fold(summary, columns),
    "",
    ...formatUsage(usage.join(" "), columns),
    "",
    "Options:",
    ...formatRows(options.map((row) => [formatOptionName(row), formatOptionSummary(row)]), columns),
    "",
    "Example:",
    ...formatExample(command.example, columns),
    ...(command.exits === undefined ? [] : ["", ...fold(`Exit codes: ${command.exits}.`, columns)]),
  ];
}

const USAGE = "Usage: ";

function formatUsage(text: string, columns: number | null): readonly string[] {
  return foldAfter(USAGE, text, { columns, indent: " ".repeat(USAGE.length) });
}

/** A line that a shell takes as it stands: where it is folded, a backslash joins it again. */
function formatExample(text: string, columns: number | null): readonly string[] {
  const lines = foldAfter("  ", text, {
    columns: columns === null ? null : columns - 2,
    indent: "    ",
  });
  // Within quotes a line break would be a part of the word.
  const isWhole = lines.every((line) => (line.split(/["']/).length & 1) === 1);
  return isWhole
    ? lines.map((line, at) => at === lines.length - 1 ? line : `${line} \\`)
    : [`  ${text}`];
}

/** The widest name that leaves its summary room on the same line. */
const MOST_NAME_RATIO = 0.4;

/** Two columns, of which the second one is folded below itself where the terminal ends. */
function formatRows(
  rows: readonly (readonly [name: string, summary: string])[],
  columns: number | null,
): readonly string[] {
  const most = columns === null ? Infinity : Math.floor(columns * MOST_NAME_RATIO);
  const widths = rows.map(([name]) => name.length).filter((width) => width <= most);
  const width = Math.max(0, ...widths);
  const indent = " ".repeat(width + 4);
  return rows.flatMap(([name, summary]) =>
    name.length > width
      ? [`  ${name}`, ...foldAfter(indent, summary, { columns, indent })]
      : foldAfter(`  ${name.padEnd(width)}  `, summary, { columns, indent })
  );
}

/** How an option is written: `-f, --file FILE`. */
export function formatOptionName(row: OptionRow): string {
  const short = row.short === undefined ? "" : `-${row.short}, `;
  const value = row.fallback === undefined ? row.value : `[${row.value}]`;
  return `${short}--${row.name}${value === undefined ? "" : ` ${value}`}`;
}

/** What an option does, with the values that it takes. */
export function formatOptionSummary(row: OptionRow): string {
  const values = row.values === undefined ? "" : ` (${row.values.join(", ")})`;
  return `${row.summary}${values}${row.kind === "list" ? "; may be repeated" : ""}`;
}
