/** What a command is: a row of data that the parser, the help and the tests all read. */
import type { Terminal } from "./terminal.ts";

/** How a command ended: done, refused or nothing found, failed, a bug, bad usage. */
export type ExitCode = 0 | 1 | 2 | 3 | 64;

/** One option of a command. */
export interface OptionRow {
  /** kebab-case, without dashes. */
  readonly name: string;
  /** `flag` takes no value, `list` may be given several times. */
  readonly kind: "flag" | "text" | "number" | "list";
  readonly summary: string;
  /** One letter. */
  readonly short?: string;
  /** What stands for the value in the help, such as `DIR`. */
  readonly value?: string;
  /** Taken where the option is given without a value. */
  readonly fallback?: string;
  /** The only values that are taken. */
  readonly values?: readonly string[];
}

/** Values of options by name; what was not given is absent. */
export type OptionValues = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What a running command gets. */
export interface Invocation {
  readonly options: OptionValues;
  readonly positionals: readonly string[];
  /** True when the answer is wanted as JSON. */
  readonly isJson: boolean;
  /** Folder that `--project` named, else the present one; absolute. */
  readonly projectDir: string;
  readonly terminal: Terminal;
  /** Ends the work on Ctrl-C. */
  readonly signal: AbortSignal;
}

/** One command, loaded. */
export interface Command {
  /** Positional arguments as the usage line shows them, such as `PATTERN...` or `[PATH]`. */
  readonly usage: string;
  /** Fewest and most positional arguments. */
  readonly positionals: readonly [min: number, max: number];
  /** A whole line that works. */
  readonly example: string;
  readonly options: readonly OptionRow[];
  run(invocation: Invocation): Promise<ExitCode>;
}

/** A command in the table, before it is loaded. */
export interface CommandEntry {
  /** One word, or two such as `session start`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Options that every command takes. */
export const COMMON_OPTIONS: readonly OptionRow[] = [
  { name: "project", kind: "text", value: "DIR", summary: "Folder of the project (default: here)" },
  { name: "json", kind: "flag", summary: "Answer as JSON" },
  { name: "debug", kind: "flag", summary: "Show the stack of a bug" },
  { name: "help", kind: "flag", short: "h", summary: "Show this help" },
];
