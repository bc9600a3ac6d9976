/**
 * Starts git: the only place that does. Every call is free of prompts, editors, pagers, translated
 * messages and of the variables by which an outer git would point it at another repository.
 */
import { CodeIntelError, toIoError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { RunResult } from "../base/process.ts";
import { runProcess } from "../base/process.ts";

/** How one git command is run. */
export interface GitOptions {
  /** Text or bytes for standard input. */
  readonly stdin?: Uint8Array | string;
  /** Index file to use instead of the person's own. */
  readonly indexFile?: string;
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Limit in milliseconds, default `LIMITS.gitTimeoutMs`. */
  readonly timeoutMs?: number;
  /** Most bytes of output, default 256 MiB. */
  readonly maxOutputBytes?: number;
  /** True for commands that run the project's hooks: they keep the person's locale and settings. */
  readonly forHooks?: boolean;
  /** Kills the command when the caller is cancelled. */
  readonly signal?: AbortSignal;
}

/** Identity of commits that the program makes for itself; they never reach a branch. */
export const PROGRAM_IDENTITY: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: "code-intel",
  GIT_AUTHOR_EMAIL: "code-intel@localhost",
  GIT_COMMITTER_NAME: "code-intel",
  GIT_COMMITTER_EMAIL: "code-intel@localhost",
};

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Variables with which an outer git (a hook, an alias) would redirect our calls. */
const INHERITED_VARIABLES = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_DIR",
  "GIT_GLOB_PATHSPECS",
  "GIT_GRAFT_FILE",
  "GIT_ICASE_PATHSPECS",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INDEX_VERSION",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_LITERAL_PATHSPECS",
  "GIT_NAMESPACE",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_REFLOG_ACTION",
  "GIT_SHALLOW_FILE",
  "GIT_TRACE",
  "GIT_WORK_TREE",
  "GIT_EXTERNAL_DIFF",
  "GIT_DIFF_OPTS",
] as const;

const SAFE_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_PAGER: "cat",
  GIT_ASKPASS: "true",
  SSH_ASKPASS: "true",
  GIT_MERGE_AUTOEDIT: "no",
};

/**
 * For all but hooks: messages in one language, no writes in passing, and every object as it is, for
 * `git replace` would show another tree in the place of the one that the ledger knows.
 */
const PLAIN_ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
};

/**
 * Settings that keep answers complete. A file monitor may lie, and stat checks may be weakened by
 * configuration; both would let a change go unseen.
 */
const SAFE_SETTINGS = [
  "core.quotePath=false",
  "core.fsmonitor=false",
  "core.trustctime=true",
  "core.checkStat=default",
  "core.splitIndex=false",
  "i18n.commitEncoding=UTF-8",
  "i18n.logOutputEncoding=UTF-8",
  "advice.addEmbeddedRepo=false",
].flatMap((setting) => ["-c", setting]);

let isEnvironmentClean = false;

/** Runs git in one folder. */
export class Git {
  readonly #cwd: string;

  /**
   * Starts nothing yet.
   *
   * @param cwd Absolute folder in which every command runs.
   */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /**
   * Runs one command; a non-zero exit status is a result.
   *
   * @throws {CodeIntelError} `git_missing`, `timed_out`, `cancelled`; `git_failed` beyond the output limit.
   */
  async run(args: readonly string[], options: GitOptions = {}): Promise<RunResult> {
    dropInheritedVariables();
    const result = await this.#start(args, options);
    if (result.timedOut) {
      throw new CodeIntelError(
        "timed_out",
        `Cannot finish git ${args[0] ?? ""}: it took too long`,
        {
          hint:
            "Check for a hanging hook, filter or signing program, then send the same call again.",
        },
      );
    }
    if (result.truncated) {
      throw new CodeIntelError("git_failed", `Cannot read git ${args[0] ?? ""}: too much output`, {
        hint: "Narrow the call to fewer paths.",
      });
    }
    return result;
  }

  /**
   * Runs one command that must succeed, and returns its output as bytes.
   *
   * @throws {CodeIntelError} `git_failed` with git's own words.
   */
  async bytes(args: readonly string[], options: GitOptions = {}): Promise<Uint8Array> {
    const result = await this.run(args, options);
    if (result.code !== 0) throw toGitError(args, result);
    return result.stdout;
  }

  /** As {@link Git.bytes}, as text. */
  async text(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return decode(await this.bytes(args, options));
  }

  /** As {@link Git.text}, without the line end: for commands that print one value. */
  async line(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return (await this.text(args, options)).replace(/\r?\n$/, "");
  }

  /** One value, or null when the command ends with another status than 0. */
  async lineOrNull(args: readonly string[], options: GitOptions = {}): Promise<string | null> {
    const result = await this.run(args, options);
    return result.code === 0 ? decode(result.stdout).replace(/\r?\n$/, "") : null;
  }

  async #start(args: readonly string[], options: GitOptions): Promise<RunResult> {
    try {
      // Settings given with -c reach the hooks' own git calls, which must see the person's.
      const settings = options.forHooks === true ? [] : SAFE_SETTINGS;
      return await runProcess("git", [...settings, ...args], {
        cwd: this.#cwd,
        env: {
          ...SAFE_ENVIRONMENT,
          ...(options.forHooks === true ? {} : PLAIN_ENVIRONMENT),
          ...(options.indexFile === undefined ? {} : { GIT_INDEX_FILE: options.indexFile }),
          ...options.env,
        },
        timeoutMs: options.timeoutMs ?? LIMITS.gitTimeoutMs.value,
        maxOutputBytes: options.maxOutputBytes ?? MAX_OUTPUT_BYTES,
        ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
    } catch (cause) {
      if (!(cause instanceof CodeIntelError) || cause.code !== "backend_missing") throw cause;
      // A folder that is gone fails the start of a program in the same way as a missing program.
      const isFolder = await Deno.stat(this.#cwd).then((info) => info.isDirectory, () => false);
      if (!isFolder) throw toIoError(`run git in "${this.#cwd}"`, new Error("no such folder"));
      throw new CodeIntelError("git_missing", "Cannot start git: it was not found", {
        hint: "Install git 2.38 or newer and put it on PATH.",
        cause,
      });
    }
  }
}

/**
 * Takes the redirecting variables out of this process once. A child can be given variables but not
 * be denied inherited ones, and an empty `GIT_DIR` is an error to git.
 */
function dropInheritedVariables(): void {
  if (isEnvironmentClean) return;
  for (const name of INHERITED_VARIABLES) Deno.env.delete(name);
  isEnvironmentClean = true;
}

/** Wraps git's exit status once, where its meaning changes. */
export function toGitError(args: readonly string[], result: RunResult): CodeIntelError {
  const said = result.stderr.trim().slice(0, 2000);
  const command = args.find((arg) => !arg.startsWith("-")) ?? "";
  return new CodeIntelError(
    "git_failed",
    `Cannot run git ${command}: ${said === "" ? `exit status ${result.code}` : said}`,
    {
      hint: "Read git's message; when the repository is damaged, run `git fsck`.",
      details: { args: args.slice(0, 20), status: result.code },
    },
  );
}

const DECODER = new TextDecoder();

/** Text of git's output; bytes that are no UTF-8 become replacement characters. */
export function decode(bytes: Uint8Array): string {
  return DECODER.decode(bytes);
}

/** Fields of NUL-terminated output. */
export function splitNul(bytes: Uint8Array): string[] {
  const fields = decode(bytes).split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}

/** Standard input for `--stdin -z`: each value ended by a NUL. */
export function toNulInput(values: readonly string[]): string {
  return values.map((value) => `${value}\0`).join("");
}
