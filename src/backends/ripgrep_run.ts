/** One run of ripgrep: its arguments, its files in parts that fit a command line, its failures. */
import { decodeBytes, readMatches, splitOutput } from "./ripgrep_output.ts";
import type { LineMatch, TextQuery, TextScope } from "./text_query.ts";
import { MAX_LINE_RANGES } from "./text_query.ts";
import { batchArguments } from "../base/processes/arguments.ts";
import { CodeIntelError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { RunResult } from "../base/processes/process.ts";
import { runProcess } from "../base/processes/process.ts";
import { SAME_CALL, say } from "../base/text/words.ts";
import { pickRegularFiles } from "./regular_files.ts";

/** Each match takes about 60 bytes of output, and there may be one a character. */
const GROUP_CHARS = 200_000;
const GROUP_OUTPUT_BYTES = 64 * GROUP_CHARS * 2;
/** Room for the first matches of one long line. */
const FIRST_OUTPUT_BYTES = 64 * 1024;

/** What is asked of which lines. */
export interface LineOptions {
  readonly scope: TextScope;
  /** Without their ends. */
  readonly lines: readonly string[];
}

/**
 * The matches of lines, without context. `line` is the position among `lines`, from 1; `path` says nothing.
 *
 * @throws {CodeIntelError} `timed_out`, `cancelled`, `backend_missing`.
 */
export async function matchLines(
  rgPath: string,
  query: TextQuery,
  { scope, lines }: LineOptions,
): Promise<LineMatch[]> {
  const found: LineMatch[] = [];
  for (const { from, to } of groupLines(lines)) {
    const group = lines.slice(from, to);
    const matches = group.length === 1 && (group[0]?.length ?? 0) > GROUP_CHARS
      ? [await matchLongLine(rgPath, query, { scope, line: group[0] ?? "" })]
      : await matchGroup(rgPath, query, { scope, lines: group });
    for (const match of matches) found.push({ ...match, line: match.line + from });
  }
  return found;
}

/** Neighbours that one run can answer; a longer line stands alone. */
function* groupLines(
  lines: readonly string[],
): Generator<{ readonly from: number; readonly to: number }> {
  let from = 0;
  let chars = 0;
  for (const [at, line] of lines.entries()) {
    if (at > from && chars + line.length > GROUP_CHARS) {
      yield { from, to: at };
      from = at;
      chars = 0;
    }
    chars += line.length;
  }
  if (from < lines.length) yield { from, to: lines.length };
}

async function matchGroup(
  rgPath: string,
  query: TextQuery,
  { scope, lines }: LineOptions,
): Promise<readonly LineMatch[]> {
  const run = await runRipgrep(rgPath, [...buildArgs(query), "--json"], {
    scope,
    batch: [],
    stdin: lines.map((line) => `${line}\n`).join(""),
    maxOutputBytes: GROUP_OUTPUT_BYTES,
  });
  return splitOutput(new TextDecoder().decode(run.stdout)).blocks
    .flatMap((block) => readMatches(block, 0, { to: lines.length, contextLines: 0 }));
}

async function matchLongLine(
  rgPath: string,
  query: TextQuery,
  { scope, line }: { readonly scope: TextScope; readonly line: string },
): Promise<LineMatch> {
  const base = [...buildArgs(query), "--no-filename", "--text"];
  const input = { scope, batch: [], stdin: `${line}\n` };
  const first = await runRipgrep(rgPath, [...base, "--only-matching", "--byte-offset"], {
    ...input,
    maxOutputBytes: FIRST_OUTPUT_BYTES,
  });
  const places = readOffsets(first.stdout, first.truncated);
  const { toUnits } = decodeBytes(new TextEncoder().encode(line));
  const ranges = places.slice(0, MAX_LINE_RANGES)
    .map(([start, end]) => [toUnits(start), Math.min(toUnits(end), line.length)] as const);
  const match = { path: "", line: 1, text: line, ranges };
  if (!first.truncated && places.length <= ranges.length) return match;
  const counted = await runRipgrep(rgPath, [...base, "--count-matches"], input);
  const count = Number.parseInt(new TextDecoder().decode(counted.stdout), 10);
  return count > ranges.length ? { ...match, rangeCount: count } : match;
}

const COLON = 0x3a;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Lines of `offset:text` as ranges of bytes; of a cut output the last line counts only if it is all there is. */
function readOffsets(output: Uint8Array, isCut: boolean): (readonly [number, number])[] {
  const places: (readonly [number, number])[] = [];
  const decoder = new TextDecoder();
  for (let at = 0; at < output.length;) {
    const feed = output.indexOf(LINE_FEED, at);
    const end = feed < 0 ? output.length : feed;
    if (feed < 0 && isCut && places.length > 0) break;
    const colon = output.indexOf(COLON, at);
    const start = Number.parseInt(decoder.decode(output.subarray(at, colon)), 10);
    if (colon < 0 || colon > end || Number.isNaN(start)) break;
    // Under --crlf every printed line ends so, and no match does.
    const isReturn = output[end - 1] === CARRIAGE_RETURN;
    places.push([start, start + end - colon - (isReturn ? 2 : 1)]);
    at = end + 1;
  }
  return places;
}

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

/** After this time the files of a running search are looked at again, and then again and again (guessed). */
const LOOK_AGAIN_MS = 1_000;
/** A search is begun again so often without files that stopped being regular ones. */
const MOST_STARTS = 5;

/**
 * Runs ripgrep over the files of a batch, or over `stdin` where the batch is empty.
 *
 * A file that gave way to a pipe or a device just before it was opened would hold ripgrep for ever:
 * while a run goes on, its files are looked at. It is started again without the files that are not
 * regular any more.
 *
 * @throws {CodeIntelError} `timed_out`, `cancelled`, and what a failed start is.
 */
export async function runRipgrep(
  rgPath: string,
  args: readonly string[],
  options: RunScope,
): Promise<RunResult> {
  let now = options;
  for (let start = 1;; start++) {
    const run = await runOnce(rgPath, args, now);
    if (run !== "replaced" && !run.timedOut) return run;
    const batch = pickFiles(now);
    if (start === MOST_STARTS || batch.length === now.batch.length) {
      throw makeTimeoutError(args, options.scope.timeoutMs ?? LIMITS.answerMs.value);
    }
    now = batch.length === 0 ? { ...now, batch, stdin: "" } : { ...now, batch };
  }
}

function makeTimeoutError(args: readonly string[], timeoutMs: number): CodeIntelError {
  const isPlain = args.includes("--fixed-strings");
  return new CodeIntelError(
    "timed_out",
    `Cannot finish the search: ripgrep took over ${timeoutMs} ms`,
    {
      hint: isPlain
        ? "Give a smaller `path` or a `file_type`: plain text is slow only where there is much to read, or a slow disk."
        : "Give a smaller `path`, a `file_type`, or a simpler pattern.",
    },
  );
}

async function runOnce(
  rgPath: string,
  args: readonly string[],
  options: RunScope,
): Promise<RunResult | "replaced"> {
  const { scope, batch } = options;
  const watch = new AbortController();
  const timer = setInterval(() => {
    if (pickFiles(options).length < batch.length) watch.abort();
  }, LOOK_AGAIN_MS);
  const signals = scope.signal === undefined ? [watch.signal] : [watch.signal, scope.signal];
  try {
    // "./" keeps a file that is called "-" or "--pre=x" a file.
    return await runProcess(rgPath, [
      ...args,
      ...(options.isWalk === true ? WALKING : LISTED),
      "--",
      ...(batch.length === 0 ? ["-"] : batch.map((path) => path === "." ? "./" : `./${path}`)),
    ], {
      cwd: scope.root,
      timeoutMs: countLeftMs(scope),
      isReadOnly: true,
      signal: AbortSignal.any(signals),
      ...(options.maxOutputBytes === undefined ? {} : { maxOutputBytes: options.maxOutputBytes }),
      ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    });
  } catch (failure) {
    if (watch.signal.aborted && scope.signal?.aborted !== true) return "replaced";
    throw failure;
  } finally {
    clearInterval(timer);
  }
}

/** The files of a batch that are regular ones at this moment; the folder of a walk always is. */
function pickFiles({ scope, batch, isWalk }: RunScope): readonly string[] {
  const named = isWalk === true ? batch.slice(1) : batch;
  const { files } = pickRegularFiles(scope.root, named);
  return isWalk === true ? [...batch.slice(0, 1), ...files] : files;
}

/** One search may take several runs, which share its time: else each batch would have all of it. */
function countLeftMs({ endsAtMs, timeoutMs = LIMITS.answerMs.value }: TextScope): number {
  return endsAtMs === undefined ? timeoutMs : Math.max(1, endsAtMs - performance.now());
}

/** The scope of a search that begins, without what is no regular file of the project, and how many that were. */
export function keepRegularFiles(
  asked: TextScope,
): { readonly scope: TextScope; readonly leftOut: number } {
  const { timeoutMs = LIMITS.answerMs.value } = asked;
  const scope = { ...asked, endsAtMs: performance.now() + timeoutMs };
  const { walk, root } = scope;
  if (walk === undefined) {
    const { files, leftOut } = pickRegularFiles(root, scope.files);
    return { scope: { ...scope, files }, leftOut };
  }
  const unseen = pickRegularFiles(root, walk.unseen);
  return {
    scope: { ...scope, walk: { ...walk, unseen: unseen.files } },
    leftOut: walk.leftOut + unseen.leftOut,
  };
}

/** The arguments that say what is looked for. */
export function buildArgs(
  query: TextQuery,
  patterns: readonly string[] = query.patterns,
): string[] {
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
    ...patterns.map((pattern) => `--regexp=${isolateFlags(query, pattern, patterns.length)}`),
  ];
}

/** ripgrep joins patterns to one, so flags within a pattern (`(?i)`) would hold for those behind it too. */
function isolateFlags({ fixed }: TextQuery, pattern: string, count: number): string {
  return fixed || count < 2 || !/\(\?[imsuUR-]+\)/.test(pattern) ? pattern : `(?:${pattern})`;
}

/** The files of one run. */
export type Batch = Pick<RunScope, "batch" | "isWalk">;

/** The files of a scope in parts that each fit on a command line; a walk is one part. */
export function* splitBatches({ files, walk }: TextScope): Generator<Batch> {
  if (walk !== undefined) {
    yield { batch: [walk.folder, ...walk.unseen], isWalk: true };
    return;
  }
  for (const batch of batchArguments(files)) yield { batch };
}

/** The files below a folder that ripgrep finds by itself, hidden and ignored ones left out. */
export async function listWalkedFiles(
  rgPath: string,
  scope: Pick<TextScope, "root" | "signal">,
): Promise<string[]> {
  const run = await runProcess(rgPath, ["--no-config", "--files", "--null", ...WALKING, "./"], {
    cwd: scope.root,
    timeoutMs: LIMITS.answerMs.value,
    isReadOnly: true,
    ...(scope.signal === undefined ? {} : { signal: scope.signal }),
  });
  return new TextDecoder().decode(run.stdout).split("\0").filter((one) => one !== "")
    .map((path) => path.replace(/^\.[\\/]/, "").replaceAll("\\", "/"));
}

/** The failure of a run that ended with an error of its own. */
export function makeRipgrepError(run: RunResult): CodeIntelError {
  return new CodeIntelError(
    "backend_failed",
    "Cannot finish the search: ripgrep ended with an error",
    {
      hint:
        say`${SAME_CALL} again; if it fails again, set CODE_INTEL_RG=none to use the built-in scanner.`,
      details: { exitStatus: run.code, stderr: run.stderr.slice(0, 2000) },
    },
  );
}
