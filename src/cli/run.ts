/** Runs one command line and returns its exit code; turns every failure into words for people. */
import { resolve } from "node:path";
import { CodeIntelError, ERROR_CODES } from "../base/errors.ts";
import { findOperational } from "../base/operational.ts";
import { expectOpenFiles } from "../base/files/open_file.ts";
import { openProjectFolder } from "../base/files/project_folder.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { formatSuggestion } from "../base/text/nearest.ts";
import type { CommandEntry, ExitCode, Feature } from "./command.ts";
import { findCommand, listCommands } from "./commands.ts";
import type { Words } from "../base/text/words.ts";
import { renderForUser } from "./user_words.ts";
import { fold, splitFailure } from "./fold.ts";
import { parseLine } from "./parse.ts";
import type { Terminal } from "./terminal.ts";
import { ClosedOutput } from "./terminal.ts";

/** What a command line runs with. */
export interface CliOptions {
  readonly terminal: Terminal;
  /** What the program can do beside its core. */
  readonly features: readonly Feature[];
  /** Ends the work on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Called by a command that needs longer than others to end after that. */
  readonly extendGrace?: (ms: number) => void;
}

const BAD_USAGE = 64;
const BUG = 70;

/** Runs the command that `words` name; never throws. */
export async function runCli(words: readonly string[], options: CliOptions): Promise<ExitCode> {
  try {
    return await dispatch(words, options);
  } catch (failure) {
    if (failure instanceof ClosedOutput) return 0;
    const code = await explain(failure, words, options);
    // Where 2 is an answer, what failed is none.
    return code === 2 && await hasOwnExits(words, options) ? BUG : code;
  }
}

async function hasOwnExits(words: readonly string[], { features }: CliOptions): Promise<boolean> {
  const found = findCommand(words, listCommands(features));
  return found !== null && (await found.entry.load()).exits !== undefined;
}

/** Whether an option was given before `--`, after which all words are arguments. */
function has(words: readonly string[], option: string): boolean {
  const end = words.indexOf("--");
  return (end < 0 ? words : words.slice(0, end)).includes(option);
}

/**
 * Prints what went wrong before there was a reply: as JSON where that was asked for, else in words.
 */
async function complain(
  said: {
    readonly error: string;
    /** Each a line. */
    readonly messages: readonly string[];
    readonly hint: Words;
  },
  words: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const { error, messages } = said;
  if (has(words, "--json")) {
    const isSaid = await terminal.data(
      `${JSON.stringify({ ok: false, error, message: messages.join("\n"), hint: said.hint })}\n`,
    )
      .then(() => true, () => false);
    // If standard output failed, the message goes to standard error, so that the user learns of
    // it.
    if (isSaid) return;
  }
  const hint = await renderForUser(said.hint);
  const { columns } = terminal;
  await terminal.err(
    ...messages.flatMap((message) => fold(message, columns)),
    // A stack is a hint of many lines.
    ...(hint === "" ? [] : hint.split("\n").flatMap((line) => fold(line, columns))),
  );
}

async function dispatch(words: readonly string[], options: CliOptions): Promise<ExitCode> {
  const { terminal } = options;
  const commands = listCommands(options.features);
  const [first] = words;
  if (first === "--version" || first === "-V") {
    const { readVersion, formatVersion } = await import("./version_text.ts");
    const { out, data } = terminal;
    if (words.includes("--json")) await data(`${JSON.stringify(await readVersion())}\n`);
    else await out(...formatVersion(await readVersion()));
    return 0;
  }
  if (first === undefined || first === "--help" || first === "-h") {
    const { formatCommandOverview } = await import("./help.ts");
    if (first !== undefined) {
      await terminal.out(...formatCommandOverview(commands, terminal.columns));
    } else await terminal.err(...formatCommandOverview(commands, terminal.columns));
    return first === undefined ? BAD_USAGE : 0;
  }
  const found = findCommand(words, commands);
  if (found === null) {
    const { listSubcommands, formatGroupHelp } = await import("./help.ts");
    const isAsked = words.length === 2 && (words[1] === "--help" || words[1] === "-h");
    if (!isAsked || listSubcommands(first, commands).length === 0) {
      return await refuseCommand(words, commands, terminal);
    }
    await terminal.out(...formatGroupHelp(first, commands, terminal.columns));
    return 0;
  }
  return await runCommand(found.entry, found.rest, { ...options, commands });
}

async function runCommand(
  entry: CommandEntry,
  words: readonly string[],
  { terminal, features, commands, signal, extendGrace = () => {} }: CliOptions & {
    readonly commands: readonly CommandEntry[];
  },
): Promise<ExitCode> {
  const command = await entry.load();
  if (has(words, "--help") || has(words, "-h")) {
    const { formatCommandHelp } = await import("./help.ts");
    await terminal.out(...formatCommandHelp(entry, command, terminal.columns));
    return 0;
  }
  const line = parseLine(words, command);
  if (line.kind === "refused") {
    const hint = `Run \`${PROGRAM_NAME} ${entry.name} --help\` for its options.`;
    await complain(
      { error: "bad_usage", messages: line.problems, hint },
      words,
      terminal,
    );
    return BAD_USAGE;
  }
  // Only hooks check open files themselves: a client would take the exit code of this check for a
  // decision.
  if (entry.name !== "hook") expectOpenFiles();
  const { project, json } = line.options;
  const isNamed = typeof project === "string";
  if (isNamed && entry.name !== "hook") await openProjectFolder(project);
  return await command.run({
    command: entry.name,
    options: line.options,
    positionals: line.positionals,
    isJson: json === true,
    // Many commands work without a folder, and the present one may be gone.
    get projectDir() {
      return resolveFolder(isNamed ? project : ".");
    },
    isNamed,
    terminal,
    features,
    commands,
    signal,
    extendGrace,
  });
}

/**
 * The absolute path of a folder.
 *
 * @throws {CodeIntelError} `io_failed` where that depends on the present folder, and it was removed.
 */
function resolveFolder(dir: string): string {
  try {
    return resolve(dir);
  } catch (cause) {
    throw new CodeIntelError("io_failed", "The present folder is gone: cd to an existing one", {
      cause,
    });
  }
}

async function refuseCommand(
  words: readonly string[],
  commands: readonly CommandEntry[],
  terminal: Terminal,
): Promise<ExitCode> {
  const names = commands.map(({ name }) => name);
  const [first = "", second = ""] = words;
  const below = names.filter((name) => name.startsWith(`${first} `));
  const given = below.length > 0 && !second.startsWith("-") ? `${first} ${second}`.trim() : first;
  const near = formatSuggestion(given, names);
  const more = below.length > 0 && near === "" ? ` There are ${below.join(", ")}.` : near;
  const messages = [`Unknown command "${given}".${more}`];
  const search = `for a name or words of the code run \`${PROGRAM_NAME} query "${given}"\``;
  const hint = `Run \`${PROGRAM_NAME} --help\` for the list${near === "" ? `; ${search}` : ""}.`;
  await complain({ error: "bad_usage", messages, hint }, words, terminal);
  return BAD_USAGE;
}

/** The text of a failure; the stack of a bug only with --debug. */
async function explain(
  failure: unknown,
  words: readonly string[],
  { terminal, signal }: CliOptions,
): Promise<ExitCode> {
  if (signal.aborted && failure instanceof DOMException && failure.name === "AbortError") {
    const messages = [`${PROGRAM_NAME}: the command was interrupted`];
    const hint = "What was finished before is kept: run it again to go on.";
    await complain({ error: "cancelled", messages, hint }, words, terminal);
    return ERROR_CODES.cancelled.exitCode;
  }
  const operational = findOperational(failure);
  if (operational !== null) {
    const { code: error, message, hint } = operational;
    const messages = splitFailure(error, `${PROGRAM_NAME}: ${message}`);
    await complain({ error, messages, hint }, words, terminal);
    return ERROR_CODES[error].exitCode;
  }
  const text = failure instanceof Error ? failure.message : String(failure);
  const stack = failure instanceof Error ? failure.stack : undefined;
  const isDebug = words.includes("--debug");
  const hint = isDebug ? stack ?? "" : "Run it again with --debug to see where.";
  const messages = [`${PROGRAM_NAME}: a bug ended this command: ${text}`];
  await complain({ error: "internal_error", messages, hint }, words, terminal);
  return BUG;
}
