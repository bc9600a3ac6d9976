/** What a command is, and what a feature adds to the program: rows of data that the parser, the help and the tests all read. */
import type { Extension } from "../services/extension.ts";
import type { Terminal } from "./terminal.ts";

/** A part of the program that can be taken out: a folder of `src/features/` and its row in `FEATURES`. */
export interface Feature extends Extension {
  /** The name of its folder. */
  readonly name: string;
  /** What it adds to the command line, in the order of the help. */
  readonly commands: readonly CommandEntry[];
  /** Modules of its folder that are started as threads, from the top of the repository. */
  readonly threads?: readonly string[];
  /** Files that it reads when it runs and that go into the executable, from the top of the repository. */
  readonly files?: readonly string[];
  /** Pages of `docs` that are made from its tables, by their path from the top of the repository. */
  readonly docs?: readonly {
    readonly path: string;
    readonly render: () => Promise<string>;
  }[];
}

/** The exit code: 0 done, 1 refused or nothing found, 2 failed, 64 wrong usage, 70 a bug; 3 is a verdict of `prove` alone. */
export type ExitCode = 0 | 1 | 2 | 3 | 64 | 70;

/** One option of a command. */
export interface OptionRow {
  /** kebab-case, without dashes. */
  readonly name: string;
  /** `flag` takes no value, `list` may be given several times. */
  readonly kind: "flag" | "text" | "number" | "list";
  readonly summary: string;
  /** One letter. */
  readonly short?: string;
  /** The word that stands for the value in the help, such as `DIR`. */
  readonly value?: string;
  /** The value of an option that is given without one. */
  readonly fallback?: string;
  /** The only values that are accepted. */
  readonly values?: readonly string[];
}

/** Values of options by name; an option that was not given is absent. */
export type OptionValues = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What a running command gets. */
export interface Invocation {
  /** Its name in the table of commands; absent where no person typed it. */
  readonly command?: string;
  readonly options: OptionValues;
  readonly positionals: readonly string[];
  /** True when the answer must be JSON. */
  readonly isJson: boolean;
  /** Absolute path of the folder that `--project` named, else of the present one. */
  readonly projectDir: string;
  /** True where `--project` named that folder, which is then the project whatever lies around it. */
  readonly isNamed: boolean;
  readonly terminal: Terminal;
  /** What the program can do beside its core. */
  readonly features: readonly Extension[];
  /** Every command of the program. */
  readonly commands: readonly CommandEntry[];
  /** Ends the work on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Says that the command needs so many milliseconds to end after that. */
  readonly extendGrace: (ms: number) => void;
}

/** One command, loaded. */
export interface Command {
  /** Positional arguments as the usage line shows them, such as `PATTERN...` or `[PATH]`. */
  readonly usage: string;
  /** Fewest and most positional arguments. */
  readonly positionals: readonly [min: number, max: number];
  /** A whole command line that works. */
  readonly example: string;
  readonly options: readonly OptionRow[];
  /** What its exit codes mean, where 1 to 3 are answers: what is refused then ends with 64, and what fails with 70. */
  readonly exits?: string;
  run(invocation: Invocation): Promise<ExitCode>;
}

/** A command in the table, before it is loaded. */
export interface CommandEntry {
  /** One word, or two such as `session start`. */
  readonly name: string;
  /** Another name, such as `find-references` of `refs`. */
  readonly alias?: string;
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
