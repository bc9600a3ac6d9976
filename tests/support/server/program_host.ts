/**
 * Runs command lines of the program from source, one after the other in one process. A request is a line of JSON with
 * the words, the folder, the variables and the input; the answer is a line with what the command wrote and its code.
 */
import { runCli } from "../../../src/cli/run.ts";
import { createTerminal } from "../../../src/cli/terminal.ts";
import { FEATURES } from "../../../src/features/features.ts";

/** A command to run. */
export interface HostedCommand {
  readonly words: readonly string[];
  readonly cwd: string;
  /** Set beside those that the host was started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

const before = Deno.env.toObject();

/** The variables of a new process that was started with these. */
function setVariables(env: HostedCommand["env"]): void {
  const wanted: Readonly<Record<string, string>> = { ...before, ...env };
  for (const name of Object.keys(Deno.env.toObject())) {
    if (!Object.hasOwn(wanted, name)) Deno.env.delete(name);
  }
  for (const [name, value] of Object.entries(wanted)) Deno.env.set(name, value);
}

async function run(command: HostedCommand) {
  setVariables(command.env);
  Deno.chdir(command.cwd);
  let [stdout, stderr] = ["", ""];
  const terminal = createTerminal({ noColour: true, columns: command.env["COLUMNS"] }, {
    out: (text) => Promise.resolve(void (stdout += text)),
    err: (text) => Promise.resolve(void (stderr += text)),
    readInput: () => Promise.resolve(command.stdin),
    readLine: () => Promise.resolve(null),
    isTerminal: false,
    isInteractive: false,
  });
  const code = await runCli(command.words, {
    terminal,
    features: FEATURES,
    signal: new AbortController().signal,
  });
  return { code, stdout, stderr };
}

if (import.meta.main) {
  const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
  let text = "";
  for await (const part of lines) {
    text += part;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      const result = await run(JSON.parse(text.slice(0, end)));
      text = text.slice(end + 1);
      const bytes = new TextEncoder().encode(`${JSON.stringify(result)}\n`);
      for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
    }
  }
  Deno.exit(0);
}
