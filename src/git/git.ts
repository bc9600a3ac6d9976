/**
 * Starts git; nothing else does. No call can wait for a prompt, an editor or a pager; none runs
 * hooks or has translated messages, and variables of an outer git cannot point it at another
 * repository (`git_settings.ts`).
 */
import { isInFolders } from "../base/repo_path.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { fitsCommandLine } from "../base/processes/arguments.ts";
import { CodeIntelError, makeCausedError } from "../base/errors.ts";
import type { RunResult } from "../base/processes/process.ts";
import { runProcess } from "../base/processes/process.ts";
import { probeDisk } from "../base/files/own_folder.ts";
import type { SystemCause } from "../base/system_cause.ts";
import { findSystemCause } from "../base/system_cause.ts";
import { SAME_CALL, say } from "../base/text/words.ts";
import type { StartRules } from "./git_settings.ts";
import {
  buildEnvironment,
  buildPrivateEnvironment,
  buildSettings,
  chooseDiffSettings,
  dropInheritedVariables,
  findCommandName,
  isReading,
} from "./git_settings.ts";
import { makeSteeringError, watchForPipes } from "./steering_files.ts";

/** Answers by their question, up to `LIMITS.gitMemoryBytes`. */
export class AnswerMemory {
  readonly #answers = new Map<string, Uint8Array>();
  #bytes = 0;

  /** The answer to a question; undefined when it was never asked or its answer was dropped. */
  get(question: string): Uint8Array | undefined {
    const answer = this.#answers.get(question);
    if (answer === undefined) return undefined;
    this.#answers.delete(question);
    this.#answers.set(question, answer);
    return answer;
  }

  /** Keeps an answer; a large one is not kept, because it would push out many others. */
  set(question: string, answer: Uint8Array): void {
    const limit = LIMITS.gitMemoryBytes.value;
    if (answer.length > limit / 8 || this.#answers.has(question)) return;
    this.#answers.set(question, answer);
    this.#bytes += measureEntry(question, answer);
    for (const [oldest, old] of this.#answers) {
      if (this.#bytes <= limit) break;
      this.#answers.delete(oldest);
      this.#bytes -= measureEntry(oldest, old);
    }
  }
}

/** Bytes of an entry, with a guess for its overhead, since most answers are empty or short. */
function measureEntry(question: string, answer: Uint8Array): number {
  return 2 * question.length + answer.length + 200;
}

/** A limit to paths of the worktree; a folder stands for everything below it. */
export interface PathLimit {
  /** Arguments at the end of the command; empty where git answers for everything. */
  readonly args: readonly string[];
  /** Whether git itself leaves out all other paths. */
  readonly isExact: boolean;
  /** Whether a path of git's answer was asked for. */
  readonly covers: (path: string) => boolean;
}

/** Makes the limit of some paths. */
export function limitTo(paths: readonly string[]): PathLimit {
  const wanted = new Set(paths.map((path) => path.replace(/\/$/, "")));
  const isExact = fitsCommandLine(paths);
  const covers = (path: string) => isInFolders(path, wanted);
  return { args: isExact ? paths : [], isExact, covers };
}

/** How one git command is run. */
export interface GitOptions {
  /** Text or bytes for standard input. */
  readonly stdin?: Uint8Array | string;
  /** Index file to use instead of the user's own. */
  readonly indexFile?: string;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Limit in milliseconds, default `LIMITS.gitTimeoutMs`. */
  readonly timeoutMs?: number;
  /** Most bytes of output, default 256 MiB. */
  readonly maxOutputBytes?: number;
  /** Which hooks of the repository may run; default none. */
  readonly hooks?: StartRules["hooks"];
  /** Kills the command when the caller is cancelled. */
  readonly signal?: AbortSignal;
}

/** Author of commits that the program makes for itself; these never reach a branch. */
export const PROGRAM_IDENTITY: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: "code-intel",
  GIT_AUTHOR_EMAIL: "code-intel@localhost",
  GIT_COMMITTER_NAME: "code-intel",
  GIT_COMMITTER_EMAIL: "code-intel@localhost",
};

/** Commands that pass on what a hook or another machine says, whose disk may be the full one. */
const OF_OTHERS: ReadonlySet<string> = new Set(["fetch", "hook", "ls-remote", "push"]);
const UNWRITTEN =
  /(?:couldn't|could not|unable to|failed to|error) (?:write|writing|append|create)|write error/i;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Runs git in one folder. */
export class Git {
  readonly #cwd: string;
  readonly #configuredHooks: readonly string[];
  readonly #gitDir: string | null;
  readonly #memory = new AnswerMemory();
  /** The pipe that each command was found waiting on, by the name of the command. */
  readonly #pipes = new Map<string, string>();
  /** Questions of {@link Git.fixed} that git is answering now. */
  readonly #asked = new Map<string, Promise<Uint8Array>>();

  /**
   * Makes the runner; git is not started yet.
   *
   * @param cwd Absolute folder in which every command runs.
   * @param configuredHooks Names of hooks in the repository's configuration, which are switched off.
   * @param gitDir A git directory of the program's own, whose work tree is `cwd`; default the one that git finds.
   */
  constructor(
    cwd: string,
    configuredHooks: readonly string[] = [],
    gitDir: string | null = null,
  ) {
    this.#cwd = cwd;
    this.#configuredHooks = configuredHooks;
    this.#gitDir = gitDir;
  }

  /**
   * Runs one command; a non-zero exit status is a result, unless the disk or a limit of the system is its cause.
   *
   * @throws {CodeIntelError} `git_missing`, `timed_out`, `cancelled`; `git_failed` beyond the output limit;
   * `disk_full`, `io_failed` or `too_many_files` as in {@link findSystemCause};
   * `control_file_unusable` where it waits on a pipe.
   */
  async run(args: readonly string[], options: GitOptions = {}): Promise<RunResult> {
    dropInheritedVariables();
    const command = findCommandName(args);
    const result = await this.#startWatched(args, options);
    if (result.timedOut) {
      throw new CodeIntelError(
        "timed_out",
        `Cannot finish git ${command}: it took too long`,
        {
          hint:
            say`Check for a hanging hook, filter or signing program, or a pipe in the place of a file that git reads (.gitignore, .gitattributes, .git/config), then ${SAME_CALL} again.`,
        },
      );
    }
    if (result.truncated) {
      throw new CodeIntelError("git_failed", `Cannot read git ${command}: too much output`, {
        hint: "Narrow the call to fewer paths.",
      });
    }
    if (result.code === 0 || OF_OTHERS.has(command)) return result;
    const cause = findSystemCause(result.stderr) ?? await this.#findUnsaid(args, result);
    if (cause !== null) throw makeCausedError(`run git ${command}`, cause, result.stderr.trim());
    return result;
  }

  /** Git says of a file that it could not write, and not always why. */
  async #findUnsaid(args: readonly string[], { stderr }: RunResult): Promise<SystemCause | null> {
    if (isReading(args) || !UNWRITTEN.test(stderr) || /File exists/.test(stderr)) return null;
    const folder = await this.#start(["rev-parse", "--absolute-git-dir"], {});
    return folder.code === 0 ? await probeDisk(decode(folder.stdout).trimEnd()) : null;
  }

  /**
   * Runs one command that must succeed, and returns its output as bytes.
   *
   * @throws {CodeIntelError} `git_failed` with git's own words.
   */
  async bytes(args: readonly string[], options: GitOptions = {}): Promise<Uint8Array> {
    const result = await this.run(args, options);
    if (result.code !== 0) throw makeGitError(args, result);
    return result.stdout;
  }

  /**
   * Like {@link Git.bytes}, but asks each question only once. It is for commands whose answer can
   * never change. They name every object by its whole id and depend on no setting that changes
   * during a session.
   *
   * @param state What the answer depends on beside the objects; another state is another question.
   */
  async fixed(args: readonly string[], state = ""): Promise<Uint8Array> {
    const question = [...args, state].join("\0");
    const known = this.#memory.get(question) ?? this.#asked.get(question);
    if (known !== undefined) return await known;
    const asked = this.bytes(args);
    this.#asked.set(question, asked);
    try {
      const answer = await asked;
      this.#memory.set(question, answer);
      return answer;
    } finally {
      this.#asked.delete(question);
    }
  }

  /** Like {@link Git.bytes}, with the output as text. */
  async text(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return decode(await this.bytes(args, options));
  }

  /** Like {@link Git.text} without the final line break, for commands that print one value. */
  async line(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return (await this.text(args, options)).replace(/\r?\n$/, "");
  }

  /** One printed value; null when the exit status is not 0. */
  async lineOrNull(args: readonly string[], options: GitOptions = {}): Promise<string | null> {
    const result = await this.run(args, options);
    return result.code === 0 ? decode(result.stdout).replace(/\r?\n$/, "") : null;
  }

  /**
   * Ends a command once it is known to wait on a pipe, and refuses to start it again while that
   * pipe exists.
   */
  async #startWatched(args: readonly string[], options: GitOptions): Promise<RunResult> {
    const command = findCommandName(args);
    const known = this.#pipes.get(command);
    if (known !== undefined) {
      if (isPipe(known)) throw makePipeError(known);
      this.#pipes.delete(command);
    }
    // Hooks may take any time and read any file, so commands that run them are not watched.
    if ((options.hooks ?? "none") !== "none") return await this.#start(args, options);
    const watch = watchForPipes(this.#cwd, this.#gitDir);
    const signals = [watch.signal, ...(options.signal === undefined ? [] : [options.signal])];
    try {
      return await this.#start(args, { ...options, signal: AbortSignal.any(signals) });
    } catch (failure) {
      const pipe = watch.found();
      if (pipe === null || options.signal?.aborted === true) throw failure;
      this.#pipes.set(command, pipe);
      throw makePipeError(pipe);
    } finally {
      watch.stop();
    }
  }

  async #start(args: readonly string[], options: GitOptions): Promise<RunResult> {
    try {
      const rules = {
        configuredHooks: this.#configuredHooks,
        ...(options.hooks === undefined ? {} : { hooks: options.hooks }),
      };
      const settings = [...buildSettings(rules), ...chooseDiffSettings(args)];
      return await runProcess("git", [...settings, ...args], {
        cwd: this.#cwd,
        env: {
          ...buildEnvironment(rules),
          ...(this.#gitDir === null ? {} : buildPrivateEnvironment(this.#gitDir, this.#cwd)),
          ...(options.indexFile === undefined ? {} : { GIT_INDEX_FILE: options.indexFile }),
          ...options.env,
        },
        timeoutMs: options.timeoutMs ?? LIMITS.gitTimeoutMs.value,
        maxOutputBytes: options.maxOutputBytes ?? MAX_OUTPUT_BYTES,
        isReadOnly: isReading(args),
        ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
    } catch (cause) {
      if (!(cause instanceof CodeIntelError) || cause.code !== "backend_missing") throw cause;
      throw new CodeIntelError("git_missing", "Cannot start git: it was not found", {
        hint: "Install git and put it on PATH, then run `code-intel doctor`.",
        cause,
      });
    }
  }
}

function isPipe(path: string): boolean {
  try {
    return Deno.statSync(path).isFifo === true;
  } catch {
    return false;
  }
}

function makePipeError(path: string): CodeIntelError {
  return makeSteeringError(path, "it is a pipe, and git waits on it for ever");
}

/** Makes the error of a git command that failed. */
export function makeGitError(args: readonly string[], result: RunResult): CodeIntelError {
  const said = result.stderr.trim().slice(0, 2000);
  const command = findCommandName(args);
  const cause = findSystemCause(said);
  if (cause !== null) return makeCausedError(`run git ${command}`, cause, said);
  // Git 2.38 only names the transport that it was not allowed to use.
  const isPartial = /promisor remote|lazy fetching disabled|transport '.*' not allowed/.test(said);
  return new CodeIntelError(
    "git_failed",
    `Cannot run git ${command}: ${said === "" ? `exit status ${result.code}` : said}`,
    {
      hint: isPartial
        ? say`This partial clone lacks objects, and the program uses no network: run \`git fetch --refetch --no-filter\`, then ${SAME_CALL} again.`
        : "Read git's message; when the repository is damaged, run `git fsck`.",
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

/** The bytes of files from the output of `git cat-file --batch`, for so many ids; null for one that is no file, or gone. */
export function splitBatch(output: Uint8Array, count: number): (Uint8Array | null)[] {
  let at = 0;
  return Array.from({ length: count }, () => {
    const end = output.indexOf(10, at);
    const [, type, size] = decode(output.subarray(at, end)).split(" ");
    at = end + 1;
    if (type !== "blob") return null;
    const bytes = output.subarray(at, at + Number(size));
    at += Number(size) + 1;
    return bytes;
  });
}

/** Standard input for `--stdin -z`: a NUL after each value. */
export function joinNul(values: readonly string[]): string {
  return values.map((value) => `${value}\0`).join("");
}
