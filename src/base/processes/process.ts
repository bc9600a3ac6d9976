/** Starts programs. The only file that spawns: no shell, a time limit, bounded output. */
import { concatBytes } from "../bytes.ts";
import { CodeIntelError } from "../errors.ts";
import type { Reaper } from "./reaper.ts";
import { createReaper } from "./reaper.ts";
import { makeStartError } from "./start_failure.ts";

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
  /** True for a program that writes nothing: it is ended with this process, however that ends. */
  readonly isReadOnly?: boolean;
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
 * @throws {CodeIntelError} what {@link makeStartError} makes of a failed start (`backend_missing`,
 * `start_refused`, `arguments_too_long`, `resources_short`, `too_many_files`, `io_failed`), `cancelled` when `signal` ended
 * it. A non-zero exit status is a result, not an error.
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const child = spawn(command, args, options);
  if (options.isReadOnly === true) endWithThisProcess(child);
  const limits = { timedOut: false, truncated: false };
  const closing = new AbortController();
  const end = () => {
    // What the program itself started may hold the pipes open for as long as it likes.
    closing.abort();
    kill(child, "SIGKILL");
  };
  const timer = setTimeout(() => {
    limits.timedOut = true;
    end();
  }, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  options.signal?.addEventListener("abort", end, { once: true });
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
          end();
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
    if (options.isReadOnly === true) untrackChild(child);
    options.signal?.removeEventListener("abort", end);
  }
}

/** How a program is started whose output is used as it comes. */
export interface StreamOptions {
  /** Working folder, absolute. */
  readonly cwd?: string;
  /** Variables added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Limit in milliseconds; the program and all that it started are ended when it is reached. */
  readonly timeoutMs: number;
  /** Ends the program and all that it started when the caller is cancelled. */
  readonly signal?: AbortSignal;
  /** Called with every part of standard output and standard error, in the order in which they come. */
  readonly onPart: (part: Uint8Array) => void;
  /** Called with the process once it runs; its id is also the id of its group. */
  readonly onStarted?: (pid: number) => void;
}

/** How a streamed program ended. */
export type StreamResult =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timed_out" }
  | { readonly kind: "cancelled" };

/** Between the polite signal and the one that cannot be refused. */
const KILL_GRACE_MS = 200;
/** Longest reading of what an ended program left in its pipes. */
const DRAIN_MS = 2_000;

/**
 * Runs a program to its end in a process group of its own, with closed input and output of any size.
 * Whatever it started and left running in its group is ended with it.
 *
 * @throws {CodeIntelError} what {@link makeStartError} makes of a failed start.
 */
export async function streamProcess(
  command: string,
  args: readonly string[],
  options: StreamOptions,
): Promise<StreamResult> {
  const { signal, onPart } = options;
  if (signal?.aborted) return { kind: "cancelled" };
  const child = spawn(command, args, options, { stdin: "null", detached: !IS_WINDOWS });
  watchGroup(child.pid);
  reaper?.add(-child.pid);
  options.onStarted?.(child.pid);
  const closing = new AbortController();
  let early: "timed_out" | "cancelled" | undefined;
  const timers: ReturnType<typeof setTimeout>[] = [];
  const end = (kind: "timed_out" | "cancelled") => {
    early ??= kind;
    endGroup(child, "SIGTERM");
    timers.push(setTimeout(() => endGroup(child, "SIGKILL"), KILL_GRACE_MS));
  };
  timers.push(setTimeout(() => end("timed_out"), options.timeoutMs));
  const onAbort = () => end("cancelled");
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const progress = { parts: 0 };
    const take = (part: Uint8Array) => {
      progress.parts++;
      onPart(part);
    };
    const reading = Promise.all(
      [child.stdout, child.stderr].map((stream) => pump(stream, closing.signal, take)),
    );
    const status = await child.status;
    const ended = early;
    // What it left behind could change files after its result, or write for ever.
    endGroup(child, "SIGKILL");
    timers.push(setTimeout(() => closing.abort(), DRAIN_MS));
    const idle = watchIdle(progress, () => closing.abort());
    await reading;
    clearInterval(idle);
    if (ended !== undefined) return { kind: ended };
    return status.signal === null
      ? { kind: "exited", code: status.code }
      : { kind: "signalled", signal: status.signal };
  } finally {
    timers.forEach(clearTimeout);
    signal?.removeEventListener("abort", onAbort);
    groups.delete(child.pid);
    reaper?.remove(-child.pid);
  }
}

const IS_WINDOWS = Deno.build.os === "windows";
let reaper: Reaper | null = null;

/**
 * From now on programs that only read, and the groups of streamed ones, end with this process. They
 * do so even where it is killed by force (`reaper.ts`). For servers, which live long; not on
 * Windows.
 */
export function endProgramsWithThisProcess(): void {
  if (IS_WINDOWS) return;
  reaper ??= createReaper((command, args) =>
    spawn(command, args, { cwd: "/" }, { stdout: "null", stderr: "null", detached: true })
  );
}
const groups = new Set<number>();
const readers = new Set<Deno.ChildProcess>();
let isWatching = false;

/** A program in a group of its own would outlive this process: it is ended when this one exits. */
function watchGroup(pid: number): void {
  groups.add(pid);
  watchExit();
}

/** Ends a program that only reads when this process exits, and where there is a reaper also when it is killed. */
function endWithThisProcess(child: Deno.ChildProcess): void {
  readers.add(child);
  watchExit();
  reaper?.add(child.pid);
}

function untrackChild(child: Deno.ChildProcess): void {
  readers.delete(child);
  reaper?.remove(child.pid);
}

function watchExit(): void {
  if (isWatching) return;
  isWatching = true;
  addEventListener("unload", () => {
    groups.forEach((group) => signalGroup(group, "SIGKILL"));
    readers.forEach((child) => kill(child, "SIGKILL"));
  });
}

function endGroup(child: Deno.ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (!signalGroup(child.pid, signal)) kill(child, signal);
}

function kill(child: Deno.ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    child.kill(signal);
  } catch {
    // It ended by itself in between.
  }
}

/** Signals a process group; false where there is none (any more) or the system has no groups. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): boolean {
  if (IS_WINDOWS || pid <= 1) return false;
  try {
    Deno.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a program that goes on without this process, such as a browser.
 *
 * @param waitMs How long it may take to fail.
 * @returns Whether it runs still, or ended well.
 * @throws {CodeIntelError} as `runProcess` does, where the program cannot be started.
 */
export async function startDetached(
  command: string,
  args: readonly string[],
  waitMs: number,
): Promise<boolean> {
  const closed = { stdin: "null", stdout: "null", stderr: "null" } as const;
  const child = spawn(command, args, {}, { ...closed, detached: !IS_WINDOWS });
  child.unref();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), waitMs);
  const ended = child.status.then(({ success }) => success);
  return await Promise.race([ended, promise]).finally(() => clearTimeout(timer));
}

function spawn(
  command: string,
  args: readonly string[],
  options: Pick<RunOptions, "cwd" | "env" | "signal">,
  more: Deno.CommandOptions = {},
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
      ...more,
    }).spawn();
  } catch (cause) {
    throw makeStartError({ command, args, cwd: options.cwd }, cause);
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
  /** Called with every part that comes. */
  readonly onPart: () => void;
  readonly onLimit?: () => void;
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  { limitBytes, signal, onPart, onLimit }: CollectOptions,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  await pump(stream, signal, (part) => {
    onPart();
    if (sizeBytes >= limitBytes) return;
    const kept = part.subarray(0, limitBytes - sizeBytes);
    parts.push(kept);
    sizeBytes += kept.length;
    if (kept.length < part.length) onLimit?.();
  });
  return concatBytes(parts);
}

/** Reads a stream to its end, or until the signal. */
async function pump(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onPart: (part: Uint8Array) => void,
): Promise<void> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  for (let next = await reader.read(); !next.done; next = await reader.read()) onPart(next.value);
  signal.removeEventListener("abort", cancel);
}
