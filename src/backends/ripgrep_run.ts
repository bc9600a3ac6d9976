/** One run of ripgrep: its arguments, its files in parts that fit a command line, its failures. */
import { CodeIntelError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { runProcess } from "../base/process.ts";
import type { RunResult } from "../base/process.ts";
import type { TextQuery, TextScope } from "./text_query.ts";

// Linux takes 2 MiB of arguments, Windows 32 KiB; both with room for the environment.
const ARGUMENT_BYTES = Deno.build.os === "windows" ? 24_000 : 800_000;

// A listed folder (a submodule, a link to one) must not be walked.
const LISTED = ["--max-depth=0"];
// git knows no `.ignore` files, and its rules hold for a folder without a repository too.
const WALKING = ["--no-ignore-dot", "--no-require-git"];

/** Files and limits of one run. */
export interface RunScope {
  readonly scope: TextScope;
  readonly batch: readonly string[];
  /** The first of the batch is a folder whose files ripgrep finds by itself. */
  readonly isWalk?: boolean;
  readonly maxOutputBytes?: number;
  readonly stdin?: string;
}

/**
 * Runs ripgrep over the files of a batch, or over `stdin` where the batch is empty.
 *
 * @throws {CodeIntelError} `timed_out`, `cancelled`, `backend_missing`.
 */
export async function runRipgrep(
  rgPath: string,
  args: readonly string[],
  options: RunScope,
): Promise<RunResult> {
  const { scope, batch } = options;
  const timeoutMs = scope.timeoutMs ?? LIMITS.backendTimeoutMs.value;
  // "./" keeps a file that is called "-" or "--pre=x" a file.
  const run = await runProcess(rgPath, [
    ...args,
    ...(options.isWalk === true ? WALKING : LISTED),
    "--",
    ...(batch.length === 0 ? ["-"] : batch.map((path) => path === "." ? "./" : `./${path}`)),
  ], {
    cwd: scope.root,
    timeoutMs,
    ...(scope.signal === undefined ? {} : { signal: scope.signal }),
    ...(options.maxOutputBytes === undefined ? {} : { maxOutputBytes: options.maxOutputBytes }),
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
  });
  if (run.timedOut) {
    throw new CodeIntelError(
      "timed_out",
      `Cannot finish the search: ripgrep took over ${timeoutMs} ms`,
      {
        hint: "Give a smaller `path`, a `file_type`, or a simpler pattern.",
      },
    );
  }
  return run;
}

/** The arguments that say what is looked for. */
export function toArgs(query: TextQuery, patterns: readonly string[] = query.patterns): string[] {
  return [
    "--no-config",
    "--color=never",
    "--no-messages",
    "--with-filename",
    "--crlf",
    query.caseSensitive ? "--case-sensitive" : "--ignore-case",
    ...(query.fixed ? ["--fixed-strings"] : []),
    ...(query.wholeWord ? ["--word-regexp"] : []),
    ...(query.contextLines > 0 ? [`--context=${query.contextLines}`] : []),
    // In one word, so that a pattern which begins with "-" stays a pattern.
    ...patterns.map((pattern) => `--regexp=${pattern}`),
  ];
}

/** The files of one run. */
export type Batch = Pick<RunScope, "batch" | "isWalk">;

/** The files of a scope in parts that each fit on a command line; a walk is one part. */
export function* toBatches({ files, walk }: TextScope): Generator<Batch> {
  if (walk !== undefined) {
    yield { batch: [walk.folder, ...walk.unseen], isWalk: true };
    return;
  }
  let batch: string[] = [];
  let sizeBytes = 0;
  for (const file of files) {
    // Three bytes is the most that a UTF-16 unit takes in UTF-8.
    const bytes = file.length * 3 + 3;
    if (sizeBytes + bytes > ARGUMENT_BYTES && batch.length > 0) {
      yield { batch };
      batch = [];
      sizeBytes = 0;
    }
    batch.push(file);
    sizeBytes += bytes;
  }
  if (batch.length > 0) yield { batch };
}

/** The files below a folder that ripgrep finds by itself, hidden and ignored ones left out. */
export async function listWalkedFiles(
  rgPath: string,
  scope: Pick<TextScope, "root" | "signal">,
): Promise<string[]> {
  const run = await runProcess(rgPath, ["--no-config", "--files", "--null", ...WALKING, "./"], {
    cwd: scope.root,
    timeoutMs: LIMITS.backendTimeoutMs.value,
    ...(scope.signal === undefined ? {} : { signal: scope.signal }),
  });
  return new TextDecoder().decode(run.stdout).split("\0").filter((one) => one !== "")
    .map((path) => path.replace(/^\.[\\/]/, "").replaceAll("\\", "/"));
}

/** The failure of a run that ended with an error of its own. */
export function toFailure(run: RunResult): CodeIntelError {
  return new CodeIntelError(
    "backend_failed",
    "Cannot finish the search: ripgrep ended with an error",
    {
      hint:
        "Send the call again; if it fails again, set CODE_INTEL_RG=none to use the built-in scanner.",
      details: { exitStatus: run.code, stderr: run.stderr.slice(0, 2000) },
    },
  );
}
