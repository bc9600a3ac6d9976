/**
 * The built-in text search for machines without ripgrep and for files that no folder has, with the same answers.
 * Expressions run in a worker that is terminated at the time limit. Plain text cannot run away and needs no worker.
 */
import { CodeIntelError, invariant } from "../base/errors.ts";
import type { ScanResult, ScanTask } from "./text_scan_core.ts";
import { listHolding, runScan } from "./text_scan_core.ts";
import type { StoredFiles } from "../base/files/source_text.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { makeProblem } from "../base/problem.ts";
import { argument, say, send } from "../base/text/words.ts";
import { pickRegularFiles } from "./regular_files.ts";
import { compileScriptPattern } from "./script_pattern.ts";
import type { LineMatch, TextQuery, TextResult, TextScope } from "./text_query.ts";
import { checkPatterns, makePatternProblem } from "./text_query.ts";

/** How long a task may take. */
export interface TaskOptions {
  readonly timeoutMs: number;
  /** Ends the work when the client cancels. */
  readonly signal?: AbortSignal | undefined;
}

/** The thread; it starts with its first task, and is of no use after one that did not end by itself. */
export class PatternWorker {
  #worker: Worker | null = null;

  /**
   * Does a task; one at a time.
   *
   * @throws {CodeIntelError} `cancelled` when the signal ended it.
   */
  async run(
    task: ScanTask,
    { timeoutMs, signal }: TaskOptions,
  ): Promise<ScanResult | "timed_out"> {
    if (signal?.aborted === true) throw makeCancelledError(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<ScanResult | "timed_out">();
    const url = new URL("./text_scan_worker.ts", import.meta.url);
    const worker = this.#worker ??= new Worker(url, { type: "module" });
    const timer = setTimeout(() => resolve("timed_out"), timeoutMs);
    const cancel = () => reject(makeCancelledError(signal?.reason));
    signal?.addEventListener("abort", cancel, { once: true });
    worker.onmessage = (event: MessageEvent<{ result?: ScanResult; error?: string }>) => {
      if (event.data.result !== undefined) resolve(event.data.result);
      else reject(new Error(`The scan failed: ${event.data.error}`));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(`The scan failed: ${event.message}`));
    };
    worker.postMessage(task);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Ends the thread, whatever it does. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }
}

/** The failure of a scan whose call was cancelled. */
export function makeCancelledError(cause: unknown): CodeIntelError {
  return new CodeIntelError("cancelled", "Cannot finish the scan: the call was cancelled", {
    cause,
  });
}

/**
 * Searches without ripgrep.
 *
 * @throws {CodeIntelError} `cancelled` when the signal ended it.
 */
export async function scanText(query: TextQuery, scope: TextScope): Promise<TextResult> {
  const compiled = compile(query);
  if (compiled.kind === "refused") return compiled;
  const { files, leftOut } = pickRegularFiles(scope.root, scope.files);
  const task: ScanTask = {
    root: scope.root,
    files,
    query,
    expressions: compiled.expressions,
    offset: scope.offset,
    maxResults: scope.maxResults,
  };
  const result = query.fixed
    ? await scanHere(() => runScan(task, scope.signal), scope.signal)
    : await scanInWorker(task, scope);
  if (result !== "timed_out") return { kind: "found", notices: [], leftOut, ...result };
  return refuseSlow(scope.timeoutMs ?? LIMITS.answerMs.value, { isStored: false });
}

type Compiled =
  | { readonly kind: "compiled"; readonly expressions: readonly RegExp[] }
  | Refused;

type Refused = Extract<TextResult, { readonly kind: "refused" }>;

function compile(query: TextQuery): Compiled {
  const early = checkPatterns(query);
  if (early.length > 0) return { kind: "refused", problems: early };
  const compiled = query.patterns.map((pattern) => compileScriptPattern(pattern, query));
  const problems = compiled.flatMap((one, index) =>
    one.kind === "pattern" ? [] : [makePatternProblem(query.patterns[index] ?? "", one.reason, {
      index,
      count: compiled.length,
      ...(one.position === undefined ? {} : { position: one.position }),
    })]
  );
  if (problems.length > 0) return { kind: "refused", problems };
  const expressions = compiled.flatMap((one) => one.kind === "pattern" ? [one.expression] : []);
  return { kind: "compiled", expressions };
}

function refuseSlow(
  timeoutMs: number,
  { isStored }: { readonly isStored: boolean },
): Refused {
  const narrow = say`${send("fixed", true)}, use fewer nested repetitions or a smaller \`${
    argument("path")
  }\``;
  return {
    kind: "refused",
    problems: [makeProblem(
      "pattern_too_slow",
      `The pattern did not come to an end within ${timeoutMs} ms and was stopped`,
      { at: "pattern", hint: isStored ? say`${narrow}.` : say`${narrow}, or install ripgrep.` },
    )],
  };
}

/**
 * The files that hold one of the patterns, which must be plain text.
 *
 * @throws {CodeIntelError} `cancelled` when the signal ended it.
 */
export function listFilesByScan(query: TextQuery, scope: TextScope): Promise<string[]> {
  invariant(query.fixed, "listFilesByScan takes plain text");
  const expressions = query.patterns.map((pattern) => compileScriptPattern(pattern, query))
    .flatMap((one) => one.kind === "pattern" ? [one.expression] : []);
  const { root } = scope;
  const { files } = pickRegularFiles(root, scope.files);
  const task: ScanTask = { root, files, query, expressions, offset: 0, maxResults: 0 };
  return scanHere(() => listHolding(task, scope.signal), scope.signal);
}

/** Runs a scan of plain text in this thread. */
async function scanHere<T>(scan: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await scan();
  } catch (cause) {
    if (signal?.aborted === true) throw makeCancelledError(cause);
    throw cause;
  }
}

async function scanInWorker(task: ScanTask, scope: TextScope): Promise<ScanResult | "timed_out"> {
  const timeoutMs = scope.timeoutMs ?? LIMITS.answerMs.value;
  const worker = new PatternWorker();
  try {
    return await worker.run(task, { timeoutMs, signal: scope.signal });
  } finally {
    worker.close();
  }
}

/**
 * Searches files that no folder has, a part at a time, until the bound of the call is reached.
 *
 * @throws {CodeIntelError} `cancelled` when the signal ended it; those of the store.
 */
export async function scanStored(
  query: TextQuery,
  { files, offset, maxResults, signal }: Omit<TextScope, "root">,
  stored: StoredFiles,
): Promise<TextResult> {
  const compiled = compile(query);
  if (compiled.kind === "refused") return compiled;
  const search = await stored.search(files, query);
  const { timeoutMs } = search;
  const { expressions } = compiled;
  const matches: LineMatch[] = [];
  let [total, found] = [0, 0];
  const worker = new PatternWorker();
  try {
    for (let texts = search.next(); texts.length > 0; texts = search.next()) {
      const task: ScanTask = { texts, query, expressions, offset: offset - total, maxResults };
      const result = query.fixed
        ? await scanHere(() => runScan(task, signal), signal)
        : await worker.run(task, { timeoutMs, signal });
      if (result === "timed_out") return refuseSlow(timeoutMs, { isStored: true });
      matches.push(...result.matches);
      total += result.total;
      found += result.files;
    }
  } finally {
    worker.close();
  }
  return { kind: "found", matches, total, files: found, leftOut: 0, notices: search.toNotices() };
}
