/**
 * Runs a tool for a command, asks the user where the tool asks, and prints its reply: as text for people and pipes, as
 * JSON when asked.
 */
import type { Answer, FormField, Question, UserPrompt } from "../base/asker.ts";
import { checkQuestion, readFormValues } from "../base/asker.ts";
import type { Terminal } from "./terminal.ts";
import { isYesAnswer } from "./terminal.ts";
import { parse, resolve } from "node:path";
import type { ErrorCodeName } from "../base/errors.ts";
import { CodeIntelError, ERROR_CODES } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { decodeUtf8, readRegularFile } from "../base/files/regular_file.ts";
import { loadOnce } from "../base/lazy.ts";
import { SILENT_LOGGER, STDERR_LOGGER } from "../base/logger.ts";
import type { OkReply, Reply } from "../base/reply.ts";
import { waitAtMost } from "../base/clock.ts";
import type { Services } from "../services/services_api.ts";
import type { ExitCode, Invocation } from "./command.ts";
import type { RenderContext } from "./render.ts";

/** Makes the asker of a command; it cannot ask where input or questions are redirected. */
export function createTerminalAsker(
  terminal: Pick<Terminal, "isInteractive" | "ask" | "err">,
): UserPrompt {
  return {
    source: "terminal",
    isTyped: terminal.isInteractive,
    ask: async (question, signal) => {
      checkQuestion(question);
      if (!terminal.isInteractive) return { kind: "unavailable" };
      return await Promise.race([askFields(question, terminal), waitForAbort(signal)]);
    },
  };
}

async function askFields(
  { message, fields }: Question,
  terminal: Pick<Terminal, "ask" | "err">,
): Promise<Answer> {
  await terminal.err(...message.split("\n"));
  const content: Record<string, string | boolean> = {};
  for (const field of fields) {
    const line = await terminal.ask(formatPrompt(field));
    if (line === null) return { kind: "unanswered" };
    content[field.name] = field.type === "boolean" ? isYesAnswer(line) : line;
  }
  const values = readFormValues(fields, content);
  return values === null ? { kind: "unanswered" } : { kind: "answered", values };
}

function formatPrompt({ title, type, choices = [], required }: FormField): string {
  switch (type) {
    case "boolean":
      return `${title} [y/N] `;
    case "choice":
      return `${title} (${choices.join(", ")}): `;
    case "text":
      return `${title}${required ? "" : " (may be empty)"}: `;
  }
}

function waitForAbort(signal: AbortSignal): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const onAbort = () => resolve({ kind: "unanswered" });
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return promise;
}

/**
 * The text of the file.
 *
 * @throws {CodeIntelError} `io_failed` when it is absent, no regular file, or too large.
 */
export function readNamedFile(name: string): string {
  const path = resolve(name);
  const maxBytes = LIMITS.inputBytes.value;
  const reading = readRegularFile(path, { within: parse(path).root, maxBytes });
  if (reading.kind === "read") return decodeUtf8(reading.bytes);
  const reason = reading.kind === "absent" ? "there is no such file" : reading.reason;
  throw new CodeIntelError("io_failed", `Cannot read "${name}": ${reason}`, {
    hint: "Name a regular file. What another program writes is read from standard input, as `-`.",
  });
}

/** The lines of a successful reply, where a command has its own. */
export type RenderOk = (reply: OkReply, page: RenderContext) => readonly string[];

/**
 * Calls `tool` through the same pipeline as the protocol, prints the reply, and returns the exit
 * code.
 */
export async function answerWithTool(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  invocation: Invocation,
  render?: RenderOk,
): Promise<ExitCode> {
  const { signal, options } = invocation;
  const logger = options["debug"] === true ? STDERR_LOGGER : SILENT_LOGGER;
  const services = loadOnce(() => openServices(invocation));
  const { callTool } = await import("../tools/call.ts");
  const call = () =>
    callTool(tool, input, {
      // The user reads the services' notices; stacks of bugs are printed only with --debug.
      loadServices: services,
      signal,
      via: "cli",
      logger,
      asker: createTerminalAsker(invocation.terminal),
      maxBytes: LIMITS.replyMaxBytes.value,
    });
  let reply = await call();
  // Commands that still run would end with this process, so the shell waits for them.
  while (reply.ok && reply["verification_running"] === true && !signal.aborted) {
    reply = await call();
  }
  const isLost = reply["verify_baseline"] === "running";
  const shown = isLost ? { ...reply, verify_baseline: NOT_RUN } : reply;
  const exitCode = await printReply(tool, shown, invocation, render);
  await closeServices(services.started);
  return exitCode;
}

/** The run on the untouched tree is not worth waiting for: who works by commands has it made at step 15. */
const NOT_RUN = "not run: what runs in the background would end with this command";

/**
 * Longest time that an exit waits for the index. Nothing new is begun then, and what is being read is kept, so that the next
 * command need not read it again: a file of 10,000 lines takes a second.
 */
const CLOSE_WAIT_MS = 5_000;

/** Ends the background work of services, if there are any. */
export async function closeServices(services: Promise<Services> | undefined): Promise<void> {
  const opened = await services?.catch(() => undefined);
  if (opened !== undefined) await waitAtMost(opened.close(), CLOSE_WAIT_MS);
}

/**
 * Builds the services for the project that a command is about. They are loaded late, because they load most of
 * the program.
 */
export async function openServices(
  { projectDir, isNamed, features }: Pick<Invocation, "projectDir" | "isNamed" | "features">,
  options: { readonly isServing?: boolean } = {},
): Promise<Services> {
  const [{ createServices }, { TOOLS }] = await Promise.all([
    import("../services/services.ts"),
    import("../tools/tools.ts"),
  ]);
  return await createServices({
    projectDir,
    isNamed,
    features,
    logger: STDERR_LOGGER,
    offered: TOOLS.map(({ name }) => name),
    isBrief: options.isServing !== true,
  });
}

/** Does something with the services of the project that a command is about, and ends their background work. */
export async function withServices<T>(
  project: Pick<Invocation, "projectDir" | "isNamed" | "features">,
  act: (services: Services) => Promise<T>,
  options: { readonly isServing?: boolean } = {},
): Promise<T> {
  const services = openServices(project, options);
  try {
    return await act(await services);
  } finally {
    await closeServices(services);
  }
}

/** Prints a reply as text or as JSON, and returns its exit code. */
export async function printReply(
  tool: string,
  reply: Reply,
  { isJson, terminal, command }: Invocation,
  render?: RenderOk,
): Promise<ExitCode> {
  if (isJson) {
    await terminal.data(`${JSON.stringify(reply)}\n`);
    return chooseExitCode(reply);
  }
  const { paint, columns } = terminal;
  const [{ createUserReader }, { renderRefusal, renderReply }] = await Promise.all([
    import("./user_reader.ts"),
    import("./render.ts"),
  ]);
  const page = { reader: createUserReader(tool, command), paint, columns };
  if (reply.ok) await terminal.out(...(render?.(reply, page) ?? renderReply(tool, reply, page)));
  else await terminal.err(...renderRefusal(reply, page));
  return chooseExitCode(reply);
}

/**
 * The exit code of a reply: 0 done, 1 refused or nothing found, 2 failed, 64 wrong
 * arguments, 70 a bug.
 */
export function chooseExitCode(reply: Reply): ExitCode {
  if (reply.ok) {
    const isEmpty = "total" in reply && reply["total"] === 0 && !("other_repositories" in reply);
    return isEmpty || reply["match"] === "sub_word" ? 1 : 0;
  }
  if (reply.error === "internal_error") return 70;
  if (reply.error === "invalid_arguments") return 64;
  if (!Object.hasOwn(ERROR_CODES, reply.error)) return 1;
  return ERROR_CODES[reply.error as ErrorCodeName].exitCode;
}
