/** The manual page, made from the table of commands. */
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import type { Command, CommandEntry } from "./command.ts";
import { COMMON_OPTIONS } from "./command.ts";
import { toOptionName, toOptionSummary } from "./help.ts";

/** A command with its row. */
export interface ManCommand {
  readonly entry: CommandEntry;
  readonly command: Command;
}

/** Draws the page for `man`, in the macros of man(7). */
export function toManPage(commands: readonly ManCommand[]): string {
  return [
    `.TH ${PROGRAM_NAME.toUpperCase()} 1 "" "${PROGRAM_NAME} ${VERSION}"`,
    ".SH NAME",
    `${PROGRAM_NAME} \\- understand a codebase before changing it, prove afterwards what was done`,
    ".SH SYNOPSIS",
    `.B ${escape(PROGRAM_NAME)}`,
    "COMMAND [ARGUMENTS] [OPTIONS]",
    ".SH OPTIONS OF EVERY COMMAND",
    ...COMMON_OPTIONS.flatMap(toItem),
    ".SH COMMANDS",
    ...commands.flatMap(toSection),
    ".SH EXIT STATUS",
    "0 done, 1 refused or nothing found, 2 failed, 3 a bug, 64 bad usage, 128 + N ended by signal N.",
    ".SH ENVIRONMENT",
    "CODE_INTEL_STATE_DIR and CODE_INTEL_CACHE_DIR move the folders of the program, CODE_INTEL_RG names ripgrep,",
    "NO_COLOR leaves colours out. Each setting has a variable of its own; see docs/configuration.md.",
    ".SH FILES",
    ".I .code\\-intel/config.json",
    "holds the settings of a project.",
    "",
  ].join("\n");
}

function toSection({ entry, command }: ManCommand): readonly string[] {
  const usage = [PROGRAM_NAME, entry.name, command.usage].filter((part) => part !== "");
  return [
    `.SS "${escape(usage.join(" "))}"`,
    `${escape(entry.summary)}.`,
    ...command.options.flatMap(toItem),
    ".PP",
    "Example:",
    ".EX",
    `  ${escape(command.example)}`,
    ".EE",
  ];
}

function toItem(row: Parameters<typeof toOptionName>[0]): readonly string[] {
  return [".TP", `.B ${escape(toOptionName(row))}`, escape(toOptionSummary(row))];
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
