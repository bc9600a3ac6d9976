/**
 * Runs command lines as `runProgram` of `cli.ts` does, without a new process for each: loading the program takes half a
 * second, most commands far less. Not for tests of what a process of its own does: start, signals, streams, kills.
 */
import { fileURLToPath } from "node:url";
import type { CliResult, RunCliOptions } from "./cli.ts";
import { runProgram } from "./cli.ts";
import { SOURCE_COMMAND } from "./mcp_client.ts";
import type { HostedCommand } from "./program_host.ts";

const HOST = fileURLToPath(new URL("program_host.ts", import.meta.url));
/** Where an executable is tested instead of the source, it runs each command. */
const [PROGRAM, ...ARGS] = SOURCE_COMMAND;
const hasSource = ARGS.length > 0;

// Started outside of every test, so that it belongs to none. It ends by itself when this module's world ends and its input
// with it; killed, it could not tell which lines it ran.
const host = hasSource ? start() : null;

function start() {
  const child = new Deno.Command(PROGRAM, {
    args: [...ARGS.slice(0, -1), HOST],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  return { reader, writer: child.stdin.getWriter() };
}

let last: Promise<unknown> = Promise.resolve();

/** Runs `code-intel` with these words to its end, in a process that ran other words before. */
export function runHosted(
  words: readonly string[],
  options: RunCliOptions = {},
): Promise<CliResult> {
  if (host === null) return runProgram(words, options);
  const { cwd = Deno.cwd(), env = {}, stdin = "" } = options;
  const next = last.then(() => ask(host, { words, cwd, env, stdin }));
  last = next.catch(() => {});
  return next;
}

async function ask(
  { reader, writer }: NonNullable<typeof host>,
  command: HostedCommand,
): Promise<CliResult> {
  await writer.write(new TextEncoder().encode(`${JSON.stringify(command)}\n`));
  let answer = "";
  while (!answer.endsWith("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the host ended at ${command.words.join(" ")}`);
    answer += value;
  }
  return JSON.parse(answer);
}
