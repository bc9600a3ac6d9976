/** Says how changed tests fail without the change: by what they assert, or only since a name is missing there. */
import { findFailures } from "../evidence/runs/proven_tests.ts";
import type { JudgedResult } from "../evidence/runs/judge_run.ts";
import { isPassed } from "../evidence/runs/judge_run.ts";
import type { ServerRunProof } from "../phase/check_findings.ts";
import { countRan } from "../runners/report.ts";
import { languageOfPath } from "../language/languages.ts";

/** Changed tests that fail only since something that they name is not there. */
export interface MissingNames {
  /** As `path: name`. */
  readonly tests: readonly string[];
  /** What is not there, as the runs call it; empty where they do not name it. */
  readonly names: readonly string[];
}

/** A result with the end of what was printed. */
type PrintedResult = JudgedResult & { readonly outputTail?: string };

const MOST_NAMES = 5;

/** Those of the changed tests that fail without the change, and say nothing of what it does. */
export function findMissingNames(
  { tests, nothing }: Pick<ServerRunProof, "tests" | "nothing">,
  without: readonly PrintedResult[],
): MissingNames {
  const failed = without.filter((result) => !isPassed(result));
  const found = tests.filter((test) => !nothing.includes(test)).flatMap((test) => {
    const names = readMissing(test, failed);
    return names === null ? [] : [{ test, names }];
  });
  const names = new Set(found.flatMap((one) => one.names));
  return { tests: found.map(({ test }) => test), names: [...names].slice(0, MOST_NAMES) };
}

/** The names that a test misses; null where it fails by something else, or does not fail. */
function readMissing(
  test: string,
  failed: readonly PrintedResult[],
): readonly string[] | null {
  const at = test.indexOf(": ");
  const [path, name] = [test.slice(0, at), test.slice(at + 2)];
  const pattern = languageOfPath(path)?.tests?.missing;
  if (pattern === undefined) return null;
  const printed = failed.map(({ outputTail = "" }) => outputTail).join("\n");
  const reports = failed.flatMap(({ report }) => report ?? []);
  const failures = findFailures({ path, name }, reports);
  const ran = reports.reduce((sum, report) => sum + countRan(report), 0);
  // Where nothing ran the build failed; what it printed is all there is.
  if (failures.length === 0 && ran > 0) return null;
  const lines = failures.map(({ line }) => line).filter((line) => line !== "");
  const isNamed = lines.length > 0 && lines.every((line) => pattern.test(line));
  const isSaid = lines.every((line) => pattern.test(line) || isWithoutCause(line)) &&
    pattern.test(printed);
  if (!isNamed && !isSaid) return null;
  const texts = isNamed ? lines : [printed];
  return texts.flatMap((text) => listNames(text, pattern));
}

/** Whether a line only says that something could not be loaded or built. */
function isWithoutCause(line: string): boolean {
  return /^(?:.*\b(?:(?:test )?failed|build failed|exit(?:ed)? (?:code|status)|Compilation (?:error|failure)|Traceback|Error while importing|ImportError while importing)\b.*|\s*[\^~]+\s*)$/i
    .test(line);
}

function listNames(text: string, pattern: RegExp): readonly string[] {
  const all = new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`);
  return [...text.matchAll(all)].flatMap(([, ...groups]) =>
    groups.find((group) => group !== undefined && group !== "") ?? []
  );
}
