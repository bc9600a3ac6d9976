/**
 * Why the system refused to read or write: one table for this program, git and SQLite. So the same
 * cause has the same code and the same next step everywhere. Pure.
 */
import type { Words } from "./text/words.ts";
import { SAME_CALL, say } from "./text/words.ts";

/** A cause outside the program, with what is said of it. */
export interface SystemCause {
  readonly code: "disk_full" | "io_failed" | "too_many_files";
  /** Names and words that the system, git and SQLite have for it. */
  readonly pattern: RegExp;
  /** Ends the sentence `Cannot write "x": …`. */
  readonly says: string;
  /** The next step in one sentence. */
  readonly hint: Words;
}

/** How a limit of open files is raised. */
export const TOO_MANY_FILES_HINT =
  "Raise the limit where the client or the shell is started (`ulimit -n 1024`), end programs that hold many files, then start again.";

const CAUSES: readonly SystemCause[] = [
  {
    code: "disk_full",
    pattern: /\bENOSPC\b|os error (?:28|112)\b|No space left|disk is full|Out of diskspace/i,
    says: "no space is left on the device",
    hint: say`Free some space and ${SAME_CALL} again; nothing was lost.`,
  },
  {
    code: "disk_full",
    pattern: /\bEDQUOT\b|os error 122\b|quota exceeded/i,
    says: "the disk quota of this account is used up",
    hint:
      say`Remove files of this account or have its quota raised (\`quota\` shows it), then ${SAME_CALL} again; nothing was lost.`,
  },
  {
    code: "io_failed",
    pattern: /\bEROFS\b|os error 30\b|Read-only file system/i,
    says: "the file system is read-only",
    hint:
      say`Mount it for writing (\`mount -o remount,rw\`; a file system with errors becomes read-only by itself, which \`dmesg\` shows), then ${SAME_CALL} again; nothing was lost.`,
  },
  {
    code: "io_failed",
    pattern: /\bEIO\b|Input\/output error/i,
    says: "the device reports an error (EIO)",
    hint:
      say`Check the disk or the connection to it (\`dmesg\` names the device) and keep a copy of your work elsewhere, then ${SAME_CALL} again.`,
  },
  {
    code: "too_many_files",
    pattern: /\b(?:EMFILE|ENFILE)\b|Too many open files/i,
    says: "the system limits how many files a process has open (`ulimit -n`)",
    hint: TOO_MANY_FILES_HINT,
  },
];

/** The row of a failure, or of what a program said of it; null for every other cause. */
export function findSystemCause(failure: unknown): SystemCause | null {
  const text = formatFailure(failure);
  return CAUSES.find(({ pattern }) => pattern.test(text)) ?? null;
}

/** Whether there was no room to write. */
export function isFullDisk(failure: unknown): boolean {
  return findSystemCause(failure)?.code === "disk_full";
}

/** True where the system refused because this process, or all together, have too many files open. */
export function isTooManyFiles(failure: unknown): boolean {
  return findSystemCause(failure)?.code === "too_many_files";
}

function formatFailure(failure: unknown): string {
  return failure instanceof Error
    ? `${findSystemCode(failure)} ${failure.message}`
    : String(failure);
}

/** The name that the system has for a failure, such as `ENOENT`; empty where there is none. */
export function findSystemCode(failure: Error): string {
  const { code } = failure as Error & { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}
