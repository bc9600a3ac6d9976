/**
 * The command line: words, help, exit codes.
 *
 * @module
 */
export { runCli } from "./run.ts";
export { createTerminal } from "./terminal.ts";
export type { Feature } from "./feature.ts";
export type { CliOptions } from "./run.ts";
export type {
  Command,
  CommandEntry,
  ExitCode,
  Invocation,
  OptionRow,
  OptionValues,
} from "./command.ts";
export type { Colour, Streams, Terminal, TerminalSettings } from "./terminal.ts";
