/** Which test files the session took away, as a whole or by emptying them. */
import type { Language } from "../backends/mod.ts";
import { languageOfPath, maskText, toTestName } from "../backends/mod.ts";
import type { Change, Repository } from "../git/mod.ts";
import { readBlobById } from "../git/mod.ts";

/** A test file that tests nothing any more. Paths are relative to the worktree. */
export interface RemovedTestFile {
  /** Its name as a test. */
  readonly path: string;
  /** Its name among the changes: the present one of a file that was renamed. */
  readonly changedPath: string;
  readonly how: "deleted" | "emptied" | "renamed";
}

/**
 * Test files among changes that are gone, are left without a test, or have a name under which no runner
 * looks for them. Renamed test files that are tests still are none.
 *
 * @param changes with line counts, so that files which only grew are not read.
 */
export async function findRemovedTests(
  repo: Repository,
  changes: readonly Change[],
): Promise<readonly RemovedTestFile[]> {
  const found = await Promise.all(changes.map(async (change) => {
    const how = await judge(repo, change);
    return how === null
      ? []
      : [{ path: change.from ?? change.path, changedPath: change.path, how }];
  }));
  return found.flat();
}

async function judge(
  repo: Repository,
  change: Change,
): Promise<RemovedTestFile["how"] | null> {
  const before = change.from ?? change.path;
  if (change.kind === "added" || toTestName(before) === null) return null;
  if (change.kind === "deleted" || change.kind === "type") return "deleted";
  if (toTestName(change.path) === null) return "renamed";
  if (change.removedLines === 0) return null;
  const now = await readBlobById(repo, change.newOid);
  if (countTests(change.path, now) > 0) return null;
  const then = await readBlobById(repo, change.oldOid);
  return isEmptied(change.path, then, now) ? "emptied" : null;
}

/**
 * How a test begins, in code without comments whose strings are quotes throughout. Languages without a row count as
 * emptied only where no line of code is left.
 */
const TESTS: Readonly<Record<string, RegExp>> = {
  ...toRows(
    ["JavaScript", "TypeScript", "TSX", "Vue", "Svelte"],
    /(?:\bDeno\.|(?<![.\w$]))(?:it|test|describe|context|suite|specify|bench)\s*(?:\.\s*\w+\s*)*[(`<]/g,
  ),
  Python: /^\s*(?:async\s+)?def\s+test|^\s*class\s+\w*Test/gm,
  Go: /^func\s+(?:Test|Benchmark|Fuzz|Example)/gm,
  Rust: /#\[\s*(?:[\w:]+::)?(?:test|rstest|bench|case)\b|\b(?:proptest|quickcheck)!/g,
  ...toRows(
    ["Java", "Kotlin", "Scala"],
    /@\w*Test\w*\b|@(?:Property|Example|Theory)\b|\b(?:test|it|should|describe|context|feature|scenario)\s*[({]|\b(?:should|in|when)\s*\{|\bvoid\s+test\w*\s*\(/g,
  ),
  "C#": /\[\s*(?:[\w.]*Test\w*|Fact|Theory)\b/g,
  PHP: /\bfunction\s+test\w*\s*\(|#\[\s*(?:\\?[\w\\]*\\)?Test\b|\b(?:it|test|describe)\s*\(/g,
  Ruby: /\b(?:it|test|describe|context|specify|scenario|feature)\b\s*[("]|\bdef\s+test_/g,
  Swift: /\bfunc\s+test\w*\s*\(|@Test\b/g,
  Elixir: /\b(?:test|property|describe|doctest)\b[\s(]/g,
  Dart: /\b(?:test|testWidgets|group)\s*\(/g,
  ...toRows(["C", "C++"], /\b(?:TEST|SCENARIO|BOOST_)\w*\s*\(|\bvoid\s+test\w*\s*\(/g),
  Zig: /^\s*test\b/gm,
};

function toRows(languages: readonly string[], tests: RegExp): Readonly<Record<string, RegExp>> {
  return Object.fromEntries(languages.map((language) => [language, tests]));
}

function countTests(path: string, text: string): number {
  const language = languageOfPath(path);
  const pattern = TESTS[language?.name ?? ""];
  if (language === undefined || pattern === undefined) return 0;
  return [...toCode(text, language).matchAll(pattern)].length;
}

/** Whether a text without any known test had one before, or has no code at all any more. */
function isEmptied(path: string, before: string, now: string): boolean {
  return countTests(path, before) > 0 || (!hasCode(path, now) && hasCode(path, before));
}

/** Whether anything but comments, blank lines and brackets is left. */
function hasCode(path: string, text: string): boolean {
  const language = languageOfPath(path);
  return /[\w"]/.test(language === undefined ? text : toCode(text, language));
}

/** A text without comments, every character of its strings a quote. */
function toCode(text: string, language: Language): string {
  return maskText(text, language).replaceAll("\u0001", "").replaceAll("\u0002", '"');
}
