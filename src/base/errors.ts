/**
 * Operational failures: one class, one table of codes. Refusals are `Problem` values, bugs are plain
 * errors from `invariant`.
 */

import type { SystemCause } from "./system_cause.ts";
import { findSystemCause } from "./system_cause.ts";
import type { Words } from "./text/words.ts";
import { SAME_CALL, say } from "./text/words.ts";

/** A row of {@link ERROR_CODES}. */
export interface ErrorCode {
  /** What the code means, for `docs/errors.md`. */
  readonly meaning: string;
  /** Whether the same call may succeed when it is simply sent again. */
  readonly canRetry: boolean;
  /** Exit code of the command line. */
  readonly exitCode: 1 | 2 | 64;
}

/** The same call may succeed when it is simply sent again. */
function passing(meaning: string): ErrorCode {
  return { meaning, canRetry: true, exitCode: 2 };
}

/** The same call fails until something else is changed. */
function lasting(meaning: string): ErrorCode {
  return { meaning, canRetry: false, exitCode: 2 };
}

/** Every operational failure that the program reports, by code. */
export const ERROR_CODES = {
  arguments_too_long: lasting("A program was to be given more arguments than the system takes."),
  bad_usage: { ...lasting("The command line was not understood."), exitCode: 64 },
  backend_missing: lasting("A program that the call needs is not installed."),
  backend_failed: passing("A search program ended with an error of its own."),
  busy: passing(
    "Another process holds the operation lock for too long, or more calls wait for a hub's server than it takes.",
  ),
  cancelled: passing("The client cancelled the call."),
  checkpoint_damaged: lasting("A session file cannot be read and no earlier generation is whole."),
  checkpoint_refused: passing(
    "A session cannot be saved: it is too large, or another process saved it first.",
  ),
  checkpoint_tampered: lasting("The seal of a session file does not fit its content."),
  checkpoint_version: lasting("A session file was written by a newer version of the program."),
  config_invalid: lasting("A configuration file of the project cannot be used."),
  control_file_unusable: lasting(
    "A file that steers the program is no regular file of the project, too large, or cannot be read.",
  ),
  disk_full: passing("There is no space left on the device."),
  embedding_failed: passing("The embedding model gave no vector for a text."),
  git_failed: lasting("git ended with an error."),
  git_locked: passing("Another git holds a lock of the repository, or a killed one left it."),
  git_missing: lasting("git is not installed."),
  git_too_old: lasting("git is older than the program needs."),
  git_under_way: lasting("A rebase, merge or other operation of git is under way in the worktree."),
  io_failed: passing("A file cannot be read or written."),
  manifest_failed: {
    ...lasting("The files of a project without git cannot be compared with what they were."),
    exitCode: 1,
  },
  model_missing: lasting("A file of the embedding model is missing or cannot be read."),
  not_a_project: lasting(
    "The folder belongs to no single project: `/`, a home folder, a folder for temporary files, one with several repositories, or one in which git keeps a repository (a bare one, a `.git`).",
  ),
  own_path_refused: lasting(
    "A file or folder that the program writes to is a symbolic link, or something else that does not belong there.",
  ),
  port_taken: lasting("Another program listens on the port that the server should take."),
  remote_unusable: passing("git cannot read or write the remote that shares analyses."),
  resources_short: passing("The system has no processes or no memory left for another program."),
  start_refused: lasting("A program is there, but the system does not start it."),
  network_denied: lasting("This executable has no permission to connect to other machines."),
  store_failed: passing("PostgreSQL could not do what a hub asked of it."),
  store_newer: lasting("The store of a hub was written by a newer version of the program."),
  store_refused: lasting("PostgreSQL refuses the user, the password or the database of a hub."),
  store_unreachable: passing("PostgreSQL, in which a hub keeps what it knows, cannot be reached."),
  store_untrusted: lasting(
    "PostgreSQL does not prove to a hub who it is, or speaks no TLS where that is asked for.",
  ),
  thread_lost: passing(
    "The thread of a hub's server that worked on the call ended; another one took its place.",
  ),
  too_many_files: passing("The system lets this process, or all together, open no more files."),
  timed_out: passing("A program took longer than its limit."),
} as const satisfies Record<string, ErrorCode>;

/** A code of {@link ERROR_CODES}. */
export type ErrorCodeName = keyof typeof ERROR_CODES;

/** What an operational failure carries beside its message. */
export interface CodeIntelErrorOptions {
  /** The next step in one sentence. */
  readonly hint?: Words;
  /** Facts for logs and JSON output. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The error that was wrapped. */
  readonly cause?: unknown;
}

/** An operational failure: git missing, disk full, a program that timed out. */
export class CodeIntelError extends Error {
  override readonly name = "CodeIntelError";
  /** The row of {@link ERROR_CODES}. */
  readonly code: ErrorCodeName;
  /** The next step in one sentence, empty when there is none to name. */
  readonly hint: Words;
  /** Facts for logs and JSON output. */
  readonly details: Readonly<Record<string, unknown>>;

  /** @param message Grammar of the standard library: `Cannot open index "x": its format is 3`. */
  constructor(code: ErrorCodeName, message: string, options: CodeIntelErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? "";
    this.details = options.details ?? {};
  }
}

/** True where git is missing or too old: what needs no git goes on without it. */
export function isGitUnusable(failure: unknown): failure is CodeIntelError {
  return failure instanceof CodeIntelError &&
    (failure.code === "git_missing" || failure.code === "git_too_old");
}

/** Throws a plain error when a condition that must hold does not: a bug, never caught in the middle. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}

/** Marks code that no value can reach; the compiler proves it, and a bug throws. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}

/** Turns a failed file operation into an operational failure that names the next step. */
export function makeIoError(action: string, cause: unknown): CodeIntelError {
  if (cause instanceof CodeIntelError) return cause;
  const known = findSystemCause(cause);
  if (known !== null) return makeCausedError(action, known, cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CodeIntelError("io_failed", `Cannot ${action}: ${message}`, {
    hint:
      say`Check that the file and its folder exist and may be written, then ${SAME_CALL} again.`,
    cause,
  });
}

/** The failure of something that the system refused for a known cause. */
export function makeCausedError(
  action: string,
  { code, says, hint }: SystemCause,
  cause: unknown,
): CodeIntelError {
  return new CodeIntelError(code, `Cannot ${action}: ${says}`, { hint, cause });
}
