/** What features may add to a run of the project's commands. The run itself knows only what it hands on. */
import type { ServerRunMutants } from "../../phase/facts.ts";
import type { TreePath } from "../../base/paths.ts";
import type { Checkout } from "../checkout/with_checkout.ts";
import type { CommandResult } from "./run_command.ts";
import type { VerifyCommand } from "./verify_commands.ts";

/** What the coverage of one command says of the files. */
export interface RunCoverage {
  /** What was read, such as `coverage/lcov.info (LCOV)`. */
  readonly read: readonly string[];
  /** Why something was not read or cannot be told, a sentence each. */
  readonly notes: readonly string[];
  /** False where something was left out, so that of no line is known that it did not run. */
  readonly isWhole: boolean;
  /** By path in the worktree the lines that ran and those that did not, as `1-3 7`. */
  readonly files: Readonly<Record<TreePath, { readonly ran: string; readonly notRun: string }>>;
}

/** A command's result with its coverage; absent where nothing was asked or nothing was found. */
export type CoveredResult = CommandResult & { readonly coverage?: RunCoverage };

/** Where one command runs. */
export interface CoverInput {
  readonly command: VerifyCommand;
  /** The checkout in which it runs; null for the worktree. */
  readonly checkout: string | null;
  /** A folder of the run alone; null for none. */
  readonly folder: string | null;
}

/** Reads which lines ran, around each command of a run. */
export interface RunCover {
  /** Whether a command writes coverage into a folder of the run alone. */
  readonly needsFolder: (command: VerifyCommand) => boolean;
  /** Runs a command, given the variables that it needs, and adds what its coverage says. */
  readonly cover: (
    input: CoverInput,
    run: (env: Readonly<Record<string, string>>) => Promise<CommandResult>,
  ) => Promise<CoveredResult>;
}

/** What a run in which nothing new fails gives to the trial of wrong versions. */
export interface MutantContext {
  /** The results of the run itself. */
  readonly results: readonly CommandResult[];
  /** Why no clean checkout is there for it, as the end of a sentence; null where there is one. */
  readonly hindrance: string | null;
  /** Runs commands in a checkout. */
  readonly runAll: (
    checkout: Checkout,
    commands: readonly VerifyCommand[],
  ) => Promise<readonly CommandResult[]>;
  /** Tells that the run was ended early. */
  readonly isEnded: () => boolean;
}

/** Tries small wrong versions of the changed lines; null where there is none. */
export type TryMutants = (context: MutantContext) => Promise<ServerRunMutants | null>;
