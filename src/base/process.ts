/** Starts programs. The only file that spawns: no shell, a time limit, bounded output. */
import { CodeIntelError } from "./errors.ts";

/** How a program is started. */
export interface RunOptions {
  /** Working folder, absolute. */
  readonly cwd?: string;
  /** Variables added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Bytes or text for the program's standard input; without it the input is empty. */
  readonly stdin?: Uint8Array | string;
  /** Limit in milliseconds, default 30,000; the program is killed when it is reached. */
  readonly timeoutMs?: number;
  /** Most bytes of standard output that are kept, default 64 MiB; the program is killed beyond. */
  readonly maxOutputBytes?: number;
  /** Ends the program when the caller is cancelled. */
  readonly signal?: AbortSignal;
}

/** What a program left behind. */
export interface RunResult {
  /** Exit status; -1 when it was killed by a limit or a signal. */
  readonly code: number;
  /** Standard output, at most `maxOutputBytes`. */
  readonly stdout: Uint8Array;
  /** Standard error as text, at most 1 MiB. */
  readonly stderr: string;
  /** True when the time limit ended it. */
  readonly timedOut: boolean;
  /** True when the output limit ended it. */
  readonly truncated: boolean;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_STDERR_BYTES = 1024 * 1024;

/**
 * Runs a program to its end.
 *
 * @throws {CodeIntelError} `backend_missing` when the program is not found, `cancelled` when `signal`
 * ended it. A non-zero exit status is a result, not an error.
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const child = spawn(command, args, options);
  const limits = { timedOut: false, truncated: false };
  const kill = () => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It ended by itself in between.
    }
  };
  const timer = setTimeout(() => {
    limits.timedOut = true;
    kill();
  }, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  options.signal?.addEventListener("abort", kill, { once: true });
  try {
    const [stdout, stderr] = await Promise.all([
      collect(child.stdout, options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES, () => {
        limits.truncated = true;
        kill();
      }),
      collect(child.stderr, MAX_STDERR_BYTES, () => {}),
      feed(child.stdin, options.stdin),
    ]);
    const status = await child.status;
    if (options.signal?.aborted) {
      throw new CodeIntelError("cancelled", `Cannot finish "${command}": the call was cancelled`);
    }
    const killed = limits.timedOut || limits.truncated || status.signal !== null;
    return {
      code: killed ? -1 : status.code,
      stdout,
      stderr: new TextDecoder().decode(stderr),
      ...limits,
    };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", kill);
  }
}

function spawn(
  command: string,
  args: readonly string[],
  options: RunOptions,
): Deno.ChildProcess {
  if (options.signal?.aborted) {
    throw new CodeIntelError("cancelled", `Cannot start "${command}": the call was cancelled`);
  }
  try {
    return new Deno.Command(command, {
      args: [...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: { ...options.env } }),
    }).spawn();
  } catch (cause) {
    throw new CodeIntelError("backend_missing", `Cannot start "${command}": it was not found`, {
      hint: `Install "${command}" or put it on PATH, then run \`code-intel doctor\`.`,
      cause,
    });
  }
}

async function feed(
  stdin: WritableStream<Uint8Array>,
  input: Uint8Array | string | undefined,
): Promise<void> {
  const writer = stdin.getWriter();
  try {
    if (input !== undefined) {
      await writer.write(typeof input === "string" ? new TextEncoder().encode(input) : input);
    }
    await writer.close();
  } catch {
    // The program closed its input early, which is its right (`head`, `rg -m`).
  }
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  limitBytes: number,
  onLimit: () => void,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of stream) {
    if (sizeBytes >= limitBytes) continue;
    const kept = part.subarray(0, limitBytes - sizeBytes);
    parts.push(kept);
    sizeBytes += kept.length;
    if (kept.length < part.length) onLimit();
  }
  const all = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
