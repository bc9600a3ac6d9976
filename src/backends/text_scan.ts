/**
 * The built-in text search for machines without ripgrep, with the same answers. Expressions run in a
 * worker that is terminated at the time limit: JavaScript's matcher can take for ever on one line, and
 * nothing in the same thread could end it. Plain text cannot run away and needs no worker.
 */
import { CodeIntelError, invariant } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { toProblem } from "../base/problem.ts";
import { argument, say, send } from "../base/text/words.ts";
import { pickRegularFiles } from "./regular_files.ts";
import { toScriptPattern } from "./script_pattern.ts";
import { listHolding, runScan } from "./text_scan_core.ts";
import type { ScanResult, ScanTask } from "./text_scan_core.ts";
import type { TextQuery, TextResult, TextScope } from "./text_query.ts";
import { checkPatterns, toPatternProblem } from "./text_query.ts";

/**
 * Searches without ripgrep.
 *
 * @throws {CodeIntelError} `cancelled` when the signal ended it.
 */
export async function scanText(query: TextQuery, scope: TextScope): Promise<TextResult> {
  const early = checkPatterns(query);
  if (early.length > 0) return { kind: "refused", problems: early };
  const compiled = query.patterns.map((pattern) => toScriptPattern(pattern, query));
  const problems = compiled.flatMap((one, index) =>
    one.kind === "pattern" ? [] : [toPatternProblem(query.patterns[index] ?? "", one.reason, {
      index,
      count: compiled.length,
      ...(one.position === undefined ? {} : { position: one.position }),
    })]
  );
  if (problems.length > 0) return { kind: "refused", problems };
  const { files, leftOut } = pickRegularFiles(scope.root, scope.files);
  const task: ScanTask = {
    root: scope.root,
    files,
    query,
    expressions: compiled.flatMap((one) => one.kind === "pattern" ? [one.expression] : []),
    offset: scope.offset,
    maxResults: scope.maxResults,
  };
  const result = query.fixed
    ? await scanHere(() => runScan(task, scope.signal), scope.signal)
    : await scanInWorker(task, scope);
  if (result !== "timed_out") return { kind: "found", notices: [], leftOut, ...result };
  const timeoutMs = scope.timeoutMs ?? LIMITS.backendTimeoutMs.value;
  return {
    kind: "refused",
    problems: [toProblem(
      "pattern_too_slow",
      `The pattern did not come to an end within ${timeoutMs} ms and was stopped`,
      {
        at: "pattern",
        hint: say`${send("fixed", true)}, use fewer nested repetitions or a smaller \`${
          argument("path")
        }\`, or install ripgrep.`,
      },
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
  const expressions = query.patterns.map((pattern) => toScriptPattern(pattern, query))
    .flatMap((one) => one.kind === "pattern" ? [one.expression] : []);
  const { root } = scope;
  const { files } = pickRegularFiles(root, scope.files);
  const task: ScanTask = { root, files, query, expressions, offset: 0, maxResults: 0 };
  return scanHere(() => listHolding(task, scope.signal), scope.signal);
}

async function scanHere<T>(scan: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await scan();
  } catch (cause) {
    if (signal?.aborted === true) throw toCancelled(cause);
    throw cause;
  }
}

function scanInWorker(task: ScanTask, scope: TextScope): Promise<ScanResult | "timed_out"> {
  const { promise, resolve, reject } = Promise.withResolvers<ScanResult | "timed_out">();
  if (scope.signal?.aborted === true) return Promise.reject(toCancelled(scope.signal.reason));
  const worker = new Worker(new URL("./text_scan_worker.ts", import.meta.url), { type: "module" });
  const timer = setTimeout(
    () => resolve("timed_out"),
    scope.timeoutMs ?? LIMITS.backendTimeoutMs.value,
  );
  const cancel = () => reject(toCancelled(scope.signal?.reason));
  scope.signal?.addEventListener("abort", cancel, { once: true });
  worker.onmessage = (event: MessageEvent<{ result?: ScanResult; error?: string }>) => {
    if (event.data.result !== undefined) resolve(event.data.result);
    else reject(new Error(`The scan failed: ${event.data.error}`));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`The scan failed: ${event.message}`));
  };
  worker.postMessage(task);
  return promise.finally(() => {
    clearTimeout(timer);
    scope.signal?.removeEventListener("abort", cancel);
    worker.terminate();
  });
}

function toCancelled(cause: unknown): CodeIntelError {
  return new CodeIntelError("cancelled", "Cannot finish the scan: the call was cancelled", {
    cause,
  });
}
