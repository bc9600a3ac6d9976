/**
 * Says which new and changed tests prove the change: those that fail on the sources of before it. A test that passes
 * there too proves nothing. Pure.
 */
import { languageOfPath } from "../../language/mod.ts";
import type { JudgedResult } from "./judge_run.ts";
import { isPassed } from "./judge_run.ts";
import { countRan } from "./report/report.ts";

/** A test file of the session, as it is now. */
export interface ChangedTestFile {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
  /** Lines that the session added or rewrote, counted from 1, both ends included. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

/** What the changed tests prove. */
export interface TestProof {
  /** Tests that pass without the change, as `path: name`. */
  readonly nothing: readonly string[];
  /** Number of tests that fail without it. */
  readonly proving: number;
  /** Why some or all of the tests could not be told apart, in a sentence; null where they could. */
  readonly unknown: string | null;
}

/** A test by its place in the text. */
interface TestBlock {
  readonly path: string;
  readonly name: string | null;
}

interface NamedTest extends TestBlock {
  readonly name: string;
}

const CONTAINER = /\b(?:describe|context|suite|group|class|feature)\b/;
/** A title right behind the beginning of a test, or the name of a function that is handed over. */
const TITLE =
  /^\s*(?:\{\s*name:\s*)?(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(?:async\s+)?function\s+(\w+)|[A-Za-z_]\w*\s*,\s*(\w+)\s*\)\s*\{)/;
/** The function that a test is, behind its attributes. */
const FUNCTION = /^[^"'`{};]{0,300}?\b(?:def|func|function|fn|void|fun)\s+(\w+)/;

/**
 * The tests whose lines the session changed, by the way in which tests begin in the language of the file.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findChangedTests } from "./proven_tests.ts";
 * const text = "def test_one():\n    assert a()\n\ndef test_two():\n    assert b()\n";
 * deepEqual(findChangedTests({ path: "test_a.py", text, ranges: [{ start: 5, end: 5 }] }), [
 *   { path: "test_a.py", name: "test_two" },
 * ]);
 * ```
 */
export function findChangedTests({ path, text, ranges }: ChangedTestFile): readonly TestBlock[] {
  const begin = languageOfPath(path)?.tests?.begin;
  if (begin === undefined) return [];
  const starts = [...text.matchAll(begin)];
  return starts.flatMap((match, at) => {
    const from = match.index + (match[0].length - match[0].trimStart().length);
    const to = starts[at + 1]?.index ?? text.length;
    if (CONTAINER.test(match[0])) return [];
    const [first, last] = [toLine(text, from), toLine(text, Math.max(from, to - 1))];
    if (!ranges.some(({ start, end }) => start <= last && end >= first)) return [];
    return [{ path, name: toName(text.slice(from, to), match[0].trimStart()) }];
  });
}

/** The name of a test; null where only its run knows it, as with a title that is computed. */
function toName(block: string, begin: string): string | null {
  const isQuoted = /["'`]$/.test(begin);
  const found = TITLE.exec(block.slice(begin.length - (isQuoted ? 1 : 0))) ?? FUNCTION.exec(block);
  return found?.slice(1).find((group) => group !== undefined && group !== "") ?? null;
}

function toLine(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", next + 1)) {
    line++;
  }
  return line;
}

/**
 * Judges the run of the changed tests on the sources of before the change.
 *
 * @param without results of that run, at least one.
 */
export function judgeProof(
  files: readonly ChangedTestFile[],
  without: readonly JudgedResult[],
): TestProof {
  const all = files.flatMap(findChangedTests);
  const tests = all.flatMap(({ path, name }) => name === null ? [] : [{ path, name }]);
  const isWhole = tests.length === all.length;
  const reports = without.flatMap(({ report }) => report ?? []);
  if (without.every(isPassed)) {
    const ran = reports.reduce((sum, report) => sum + countRan(report), 0);
    if (reports.length > 0 && ran === 0) return unknown("no test ran without the change");
    const nothing = isWhole && tests.length > 0
      ? tests.map(toText)
      : files.map(({ path }) => `${path}: all of its tests`);
    return { nothing, proving: 0, unknown: null };
  }
  if (without.some(({ timedOut, cancelled }) => timedOut || cancelled)) {
    return unknown("the run without the change took too long");
  }
  const broken = without.filter((result) => !isPassed(result));
  const isTold = broken.every(({ report }) => report?.isComplete === true);
  if (!isTold) {
    return unknown(
      "the run fails without the change, and its output does not name each test that fails",
    );
  }
  if (tests.length === 0) return unknown("the changed tests have no names that are known");
  const ran = reports.reduce((sum, report) => sum + countRan(report), 0);
  const failed = reports.flatMap(({ failures }) => failures.map(({ name }) => name));
  // What breaks before its tests, such as a build, lets none of them pass.
  const nothing = ran === 0 ? [] : tests.filter((test) => !isFailed(test, failed));
  return {
    nothing: nothing.map(toText),
    proving: tests.length - nothing.length,
    unknown: isWhole ? null : "some of the changed tests have titles that only their run knows",
  };
}

function unknown(why: string): TestProof {
  return { nothing: [], proving: 0, unknown: why };
}

function toText({ path, name }: NamedTest): string {
  return `${path}: ${name}`;
}

/** Whether a runner names the test among what failed, or its whole file, as one that could not be loaded. */
function isFailed({ path, name }: NamedTest, failed: readonly string[]): boolean {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const wanted = toPattern(name);
  return failed.some((one) =>
    wanted.test(one) || one === path || one.endsWith(`/${path}`) || path.endsWith(`/${one}`) ||
    one === stem || one.endsWith(`.${stem}`)
  );
}

/** A title may have places that each run fills: `adds %i and %i`, `adds ${a}`, `adds $a`. */
function toPattern(name: string): RegExp {
  const parts = name.split(/%[a-zA-Z#%]|\$\{[^}]*\}|\$\w+|\{\w*\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(?:^|[^\\w])${parts.join(".*")}(?:$|[^\\w])`);
}
