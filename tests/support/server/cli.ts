/** Runs the real program from source, as a shell would. */
import { SOURCE_COMMAND } from "./mcp_client.ts";

/** How a command is run. */
export interface RunCliOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another program than {@link SOURCE_COMMAND}. */
  readonly command?: readonly [program: string, ...args: string[]];
}

/** What a command left behind. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `code-intel` with these words to its end. */
export async function runProgram(
  words: readonly string[],
  options: RunCliOptions = {},
): Promise<CliResult> {
  const [program, ...args] = options.command ?? SOURCE_COMMAND;
  const child = new Deno.Command(program, {
    args: [...args, ...words],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: { ...options.env } }),
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(options.stdin ?? "")).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Runs the program on a real terminal that `script` makes (need `terminal`); gives what it showed. */
export async function runOnTerminal(
  words: readonly string[],
  options: Omit<RunCliOptions, "stdin" | "command"> & {
    readonly typed?: string;
    /** Another program than `code-intel`. */
    readonly command?: readonly string[];
    /** File below `cwd` that standard output goes to. */
    readonly redirect?: string;
  },
): Promise<string> {
  const { command = SOURCE_COMMAND, redirect } = options;
  // Whoever runs the tests may have switched colours off; the terminal of a person has not.
  const bare = options.env?.NO_COLOR === undefined ? ["env", "-u", "NO_COLOR"] : [];
  const program = [...bare, ...command, ...words].map((word) => `'${word}'`).join(" ");
  const line = redirect === undefined ? program : `${program} > '${redirect}'`;
  const child = new Deno.Command("script", {
    args: ["-qec", line, "/dev/null"],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: { ...options.env } }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(options.typed ?? ""));
  const { stdout } = await child.output();
  await writer.close().catch(() => {});
  return new TextDecoder().decode(stdout);
}
