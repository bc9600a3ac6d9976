/** Runs one command line from its words to an exit code; turns every failure into words for people. */
import { resolve } from "node:path";
import { CodeIntelError, ERROR_CODES } from "../base/errors.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { toSuggestion } from "../base/nearest.ts";
import type { CommandEntry, ExitCode } from "./command.ts";
import { COMMANDS, findCommand } from "./commands.ts";
import { parseLine } from "./parse.ts";
import type { Terminal } from "./terminal.ts";
import { ClosedOutput } from "./terminal.ts";
import { toTerminalWords } from "./words.ts";

/** What a command line runs with. */
export interface CliOptions {
  readonly terminal: Terminal;
  /** Ends the work on Ctrl-C. */
  readonly signal: AbortSignal;
}

const BAD_USAGE = 64;

/** Runs the command that `words` name; never throws. */
export async function runCli(words: readonly string[], options: CliOptions): Promise<ExitCode> {
  const isDebug = words.includes("--debug");
  try {
    return await dispatch(words, options);
  } catch (failure) {
    if (failure instanceof ClosedOutput) return 0;
    return await explain(failure, isDebug, options.terminal);
  }
}

async function dispatch(words: readonly string[], options: CliOptions): Promise<ExitCode> {
  const { terminal } = options;
  const [first] = words;
  if (first === "--version" || first === "-V") {
    const { toVersionText } = await import("./version_text.ts");
    await terminal.out(await toVersionText({ isJson: words.includes("--json") }));
    return 0;
  }
  if (first === undefined || first === "--help" || first === "-h") {
    const { toOverview } = await import("./help.ts");
    if (first !== undefined) await terminal.out(toOverview());
    else await terminal.err(toOverview());
    return first === undefined ? BAD_USAGE : 0;
  }
  const found = findCommand(words);
  if (found === null) return await refuseCommand(words, terminal);
  return await runCommand(found.entry, found.rest, options);
}

async function runCommand(
  entry: CommandEntry,
  words: readonly string[],
  { terminal, signal }: CliOptions,
): Promise<ExitCode> {
  const command = await entry.load();
  const before = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  if (before.includes("--help") || before.includes("-h")) {
    const { toCommandHelp } = await import("./help.ts");
    await terminal.out(toCommandHelp(entry, command));
    return 0;
  }
  const line = parseLine(words, command);
  if (line.kind === "refused") {
    const list = line.problems.map((problem) => `${problem}\n`).join("");
    const more = `Run \`${PROGRAM_NAME} ${entry.name} --help\` for its options.`;
    await terminal.err(`${list}${more}\n`);
    return BAD_USAGE;
  }
  const { project, json } = line.options;
  return await command.run({
    options: line.options,
    positionals: line.positionals,
    isJson: json === true,
    projectDir: resolve(typeof project === "string" ? project : "."),
    terminal,
    signal,
  });
}

async function refuseCommand(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const names = COMMANDS.map(({ name }) => name);
  const [first = "", second = ""] = words;
  const below = names.filter((name) => name.startsWith(`${first} `));
  const given = below.length > 0 && !second.startsWith("-") ? `${first} ${second}`.trim() : first;
  const near = toSuggestion(given, names);
  const more = below.length > 0 && near === "" ? ` There are ${below.join(", ")}.` : near;
  await terminal.err(
    `Unknown command "${given}".${more}\nRun \`${PROGRAM_NAME} --help\` for the list.\n`,
  );
  return BAD_USAGE;
}

/** The words for people; the stack of a bug only on request. */
async function explain(
  failure: unknown,
  isDebug: boolean,
  terminal: Terminal,
): Promise<ExitCode> {
  if (failure instanceof CodeIntelError) {
    await terminal.err(`${PROGRAM_NAME}: ${failure.message}\n`);
    if (failure.hint !== "") await terminal.err(`${toTerminalWords(failure.hint)}\n`);
    return ERROR_CODES[failure.code].exitCode;
  }
  const text = failure instanceof Error ? failure.message : String(failure);
  await terminal.err(`${PROGRAM_NAME}: a bug ended this command: ${text}\n`);
  const stack = failure instanceof Error ? failure.stack : undefined;
  const more = isDebug ? stack ?? "" : "Run it again with --debug to see where.";
  await terminal.err(`${more}\n`);
  return 3;
}
