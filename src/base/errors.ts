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

/** Every operational failure that the program reports, by code. */
export const ERROR_CODES = {
  arguments_too_long: {
    meaning: "A program was to be given more arguments than the system takes.",
    canRetry: false,
    exitCode: 2,
  },
  bad_usage: { meaning: "The command line was not understood.", canRetry: false, exitCode: 64 },
  backend_missing: {
    meaning: "A program that the call needs is not installed.",
    canRetry: false,
    exitCode: 2,
  },
  backend_failed: {
    meaning: "A search program ended with an error of its own.",
    canRetry: true,
    exitCode: 2,
  },
  busy: {
    meaning:
      "Another process holds the operation lock for too long, or more calls wait for a hub's server than it takes.",
    canRetry: true,
    exitCode: 2,
  },
  cancelled: { meaning: "The client cancelled the call.", canRetry: true, exitCode: 2 },
  checkpoint_damaged: {
    meaning: "A session file cannot be read and no earlier generation is whole.",
    canRetry: false,
    exitCode: 2,
  },
  checkpoint_refused: {
    meaning: "A session cannot be saved: it is too large, or another process saved it first.",
    canRetry: true,
    exitCode: 2,
  },
  checkpoint_tampered: {
    meaning: "The seal of a session file does not fit its content.",
    canRetry: false,
    exitCode: 2,
  },
  checkpoint_version: {
    meaning: "A session file was written by a newer version of the program.",
    canRetry: false,
    exitCode: 2,
  },
  config_invalid: {
    meaning: "A configuration file of the project cannot be used.",
    canRetry: false,
    exitCode: 2,
  },
  control_file_unusable: {
    meaning:
      "A file that steers the program is no regular file of the project, too large, or cannot be read.",
    canRetry: false,
    exitCode: 2,
  },
  disk_full: { meaning: "There is no space left on the device.", canRetry: true, exitCode: 2 },
  embedding_failed: {
    meaning: "The embedding model gave no vector for a text.",
    canRetry: true,
    exitCode: 2,
  },
  git_failed: { meaning: "git ended with an error.", canRetry: false, exitCode: 2 },
  git_locked: {
    meaning: "Another git holds a lock of the repository, or a killed one left it.",
    canRetry: true,
    exitCode: 2,
  },
  git_missing: { meaning: "git is not installed.", canRetry: false, exitCode: 2 },
  git_too_old: { meaning: "git is older than the program needs.", canRetry: false, exitCode: 2 },
  git_under_way: {
    meaning: "A rebase, merge or other operation of git is under way in the worktree.",
    canRetry: false,
    exitCode: 2,
  },
  io_failed: { meaning: "A file cannot be read or written.", canRetry: true, exitCode: 2 },
  manifest_failed: {
    meaning: "The files of a project without git cannot be compared with what they were.",
    canRetry: false,
    exitCode: 1,
  },
  model_missing: {
    meaning: "A file of the embedding model is missing or cannot be read.",
    canRetry: false,
    exitCode: 2,
  },
  not_a_project: {
    meaning:
      "The folder belongs to no single project: `/`, a home folder, a folder for temporary files, one with several repositories, or one in which git keeps a repository (a bare one, a `.git`).",
    canRetry: false,
    exitCode: 2,
  },
  own_path_refused: {
    meaning:
      "A file or folder that the program writes to is a symbolic link, or something else that does not belong there.",
    canRetry: false,
    exitCode: 2,
  },
  port_taken: {
    meaning: "Another program listens on the port that the server should take.",
    canRetry: false,
    exitCode: 2,
  },
  remote_unusable: {
    meaning: "git cannot read or write the remote that shares analyses.",
    canRetry: true,
    exitCode: 2,
  },
  resources_short: {
    meaning: "The system has no processes or no memory left for another program.",
    canRetry: true,
    exitCode: 2,
  },
  start_refused: {
    meaning: "A program is there, but the system does not start it.",
    canRetry: false,
    exitCode: 2,
  },
  network_denied: {
    meaning: "This executable has no permission to connect to other machines.",
    canRetry: false,
    exitCode: 2,
  },
  store_failed: {
    meaning: "PostgreSQL could not do what a hub asked of it.",
    canRetry: true,
    exitCode: 2,
  },
  store_newer: {
    meaning: "The store of a hub was written by a newer version of the program.",
    canRetry: false,
    exitCode: 2,
  },
  store_refused: {
    meaning: "PostgreSQL refuses the user, the password or the database of a hub.",
    canRetry: false,
    exitCode: 2,
  },
  store_unreachable: {
    meaning: "PostgreSQL, in which a hub keeps what it knows, cannot be reached.",
    canRetry: true,
    exitCode: 2,
  },
  store_untrusted: {
    meaning:
      "PostgreSQL does not prove to a hub who it is, or speaks no TLS where that is asked for.",
    canRetry: false,
    exitCode: 2,
  },
  thread_lost: {
    meaning:
      "The thread of a hub's server that worked on the call ended; another one took its place.",
    canRetry: true,
    exitCode: 2,
  },
  too_many_files: {
    meaning: "The system lets this process, or all together, open no more files.",
    canRetry: true,
    exitCode: 2,
  },
  timed_out: { meaning: "A program took longer than its limit.", canRetry: true, exitCode: 2 },
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
export function toIoError(action: string, cause: unknown): CodeIntelError {
  if (cause instanceof CodeIntelError) return cause;
  const known = findSystemCause(cause);
  if (known !== null) return toCausedError(action, known, cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CodeIntelError("io_failed", `Cannot ${action}: ${message}`, {
    hint:
      say`Check that the file and its folder exist and may be written, then ${SAME_CALL} again.`,
    cause,
  });
}

/** The failure of something that the system refused for a known cause. */
export function toCausedError(
  action: string,
  { code, says, hint }: SystemCause,
  cause: unknown,
): CodeIntelError {
  return new CodeIntelError(code, `Cannot ${action}: ${says}`, { hint, cause });
}
