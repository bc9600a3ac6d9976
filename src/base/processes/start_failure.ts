/** Says why a program could not be started: each cause has its own code and its own next step. */
import { resolve } from "node:path";
import { statIfThere } from "../files/file_stamp.ts";
import type { ErrorCodeName } from "../errors.ts";
import { CodeIntelError, makeIoError } from "../errors.ts";
import { isTooManyFiles } from "../system_cause.ts";
import type { Words } from "../text/words.ts";
import { SAME_CALL, say } from "../text/words.ts";

/** What was to be started. */
export interface StartAttempt {
  /** Name or path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  /** Working folder; without it the one of this process. */
  readonly cwd?: string | undefined;
}

interface Cause {
  readonly code: ErrorCodeName;
  /** Ends the sentence `Cannot start "x": …`. */
  readonly message: (attempt: StartAttempt) => string;
  readonly hint: (attempt: StartAttempt) => Words;
}

const THEN_DOCTOR = "then run `code-intel doctor`.";

/** The causes by the name that the system gives them. */
const CAUSES = {
  ENOENT: {
    code: "backend_missing",
    message: () => "it was not found",
    hint: ({ command }) => `Install "${command}" or put it on PATH, ${THEN_DOCTOR}`,
  },
  EACCES: {
    code: "start_refused",
    message: () => "it may not be executed by this account",
    hint: ({ command }) =>
      `Give "${command}" the right to be executed (\`chmod +x\`, a folder that is not mounted noexec), ${THEN_DOCTOR}`,
  },
  ENOEXEC: {
    code: "start_refused",
    message: () => "it is no program for this machine, or its interpreter is missing",
    hint: ({ command }) => `Install "${command}" anew for this system, ${THEN_DOCTOR}`,
  },
  E2BIG: {
    code: "arguments_too_long",
    message: ({ args }) => `its ${args.length} arguments are longer than the system takes`,
    hint: () => say`${SAME_CALL} again for fewer files, for example for one folder at a time.`,
  },
  EAGAIN: {
    code: "resources_short",
    message: () => "this account may run no more processes",
    hint: () =>
      say`End other programs or raise their limit (\`ulimit -u\`), then ${SAME_CALL} again.`,
  },
  ENOMEM: {
    code: "resources_short",
    message: () => "the machine has no memory left for it",
    hint: () => say`Close other programs, then ${SAME_CALL} again.`,
  },
} as const satisfies Record<string, Cause>;

type CauseName = keyof typeof CAUSES;

/** What Windows says, which has other numbers for the same causes. */
const WINDOWS_CAUSES: Readonly<Record<number, CauseName>> = {
  5: "EACCES",
  8: "ENOMEM",
  14: "ENOMEM",
  193: "ENOEXEC",
  206: "E2BIG",
  216: "ENOEXEC",
  1455: "ENOMEM",
};

/**
 * The failure of a start. The disk is looked at once more, because a missing folder, a missing program
 * and a missing interpreter all have the same number.
 */
export function makeStartError(attempt: StartAttempt, cause: unknown): CodeIntelError {
  const { command, cwd } = attempt;
  if (isOwnFolderGone()) {
    return new CodeIntelError(
      "io_failed",
      `Cannot start "${command}": the present folder is gone`,
      {
        hint:
          "Start the client or the shell again in a folder that exists: a new one of the same name is another one.",
        cause,
      },
    );
  }
  if (cwd !== undefined && statIfThere(cwd)?.isDirectory !== true) {
    return new CodeIntelError("io_failed", `Cannot start "${command}": "${cwd}" is no folder`, {
      hint: say`Check that the folder still exists and may be entered, then ${SAME_CALL} again.`,
      cause,
    });
  }
  if (isTooManyFiles(cause)) return makeIoError(`start "${command}"`, cause);
  const name = nameCause(attempt, cause);
  if (name === null) {
    const said = cause instanceof Error ? cause.message : String(cause);
    return new CodeIntelError("start_refused", `Cannot start "${command}": ${said}`, {
      hint: `Try "${command}" in a terminal, ${THEN_DOCTOR}`,
      cause,
    });
  }
  const { code, message, hint } = CAUSES[name];
  return new CodeIntelError(code, `Cannot start "${command}": ${message(attempt)}`, {
    hint: hint(attempt),
    details: { cause: name },
    cause,
  });
}

function nameCause({ command, cwd = "." }: StartAttempt, cause: unknown): CauseName | null {
  if (!(cause instanceof Error)) return null;
  if (cause instanceof Deno.errors.NotFound) {
    // A script that is there and yet "not found" names an interpreter that is missing.
    return /[\\/]/.test(command) && statIfThere(resolve(cwd, command)) !== null
      ? "ENOEXEC"
      : "ENOENT";
  }
  if (cause instanceof Deno.errors.PermissionDenied) return "EACCES";
  const { code } = cause as Error & { readonly code?: unknown };
  if (typeof code === "string" && code in CAUSES) return code as CauseName;
  const number = Number(/\(os error (\d+)\)/.exec(cause.message)?.[1] ?? "");
  return Deno.build.os === "windows" ? WINDOWS_CAUSES[number] ?? null : null;
}

/** Where the folder of this process was removed, no program is found, whatever folder it is to work in. */
function isOwnFolderGone(): boolean {
  try {
    Deno.cwd();
    return false;
  } catch {
    return true;
  }
}
