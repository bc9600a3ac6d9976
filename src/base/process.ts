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
/** After a program's end its pipes are closed once nothing came for this many looks in a row. */
const IDLE_LOOKS = 5;
const IDLE_LOOK_MS = 100;

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
  const closing = new AbortController();
  const kill = () => {
    // What the program itself started may hold the pipes open for as long as it likes.
    closing.abort();
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
  const progress = { parts: 0 };
  const onPart = () => progress.parts++;
  const watch = child.status.then(() => watchIdle(progress, () => closing.abort()));
  try {
    const [stdout, stderr] = await Promise.all([
      collect(child.stdout, {
        limitBytes: options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES,
        signal: closing.signal,
        onPart,
        onLimit: () => {
          limits.truncated = true;
          kill();
        },
      }),
      collect(child.stderr, { limitBytes: MAX_STDERR_BYTES, signal: closing.signal, onPart }),
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
    clearInterval(await watch);
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

/**
 * Tells when the pipes of an ended program are silent, because something that it started holds them
 * open. Several looks rather than one pause: a busy event loop must not pass for a silent pipe.
 */
function watchIdle(
  progress: { readonly parts: number },
  onIdle: () => void,
): ReturnType<typeof setInterval> {
  let seen = -1;
  let looks = 0;
  return setInterval(() => {
    looks = progress.parts === seen ? looks + 1 : 0;
    seen = progress.parts;
    if (looks >= IDLE_LOOKS) onIdle();
  }, IDLE_LOOK_MS);
}

interface CollectOptions {
  readonly limitBytes: number;
  /** Ends the reading with what is there. */
  readonly signal: AbortSignal;
  /** Told of every part that comes. */
  readonly onPart: () => void;
  readonly onLimit?: () => void;
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  { limitBytes, signal, onPart, onLimit }: CollectOptions,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    onPart();
    if (sizeBytes >= limitBytes) continue;
    const kept = next.value.subarray(0, limitBytes - sizeBytes);
    parts.push(kept);
    sizeBytes += kept.length;
    if (kept.length < next.value.length) onLimit?.();
  }
  signal.removeEventListener("abort", cancel);
  const all = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
