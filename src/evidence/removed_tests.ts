/** Finds the test files that the session removed, as a whole or by emptying them. */
import type { TreePath } from "../base/paths.ts";
import type { Language } from "../language/mod.ts";
import { languageOfPath, maskText, toTestName } from "../language/mod.ts";
import type { Change, Repository } from "../git/mod.ts";
import { readBlobById } from "../git/mod.ts";

/** A test file that tests nothing any more. Paths are relative to the worktree. */
export interface RemovedTestFile {
  /** The path under which it was a test. */
  readonly path: TreePath;
  /** Its path among the changes: for a renamed file, the present one. */
  readonly changedPath: TreePath;
  readonly how: "deleted" | "emptied" | "renamed";
}

/**
 * Test files among the changes that are gone, are left without a test, or have a name under which
 * no runner looks for them. A renamed file that is still a test is not one of them.
 *
 * @param changes of which only those of test files are read: a line more can switch all tests off.
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
  const now = await readBlobById(repo, change.newOid);
  if (countTests(change.path, now).running > 0) return null;
  const then = await readBlobById(repo, change.oldOid);
  return isEmptied(change.path, then, now) ? "emptied" : null;
}

/**
 * How a test begins, by language, in code without comments whose strings are masked with quotes. A
 * language without a row has emptied tests only where no line of code is left.
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

/** Number of tests in a text, and of those that a runner runs. */
interface TestCount {
  readonly all: number;
  readonly running: number;
}

function countTests(path: string, text: string): TestCount {
  const language = languageOfPath(path);
  const pattern = TESTS[language?.name ?? ""];
  if (language === undefined || pattern === undefined) return { all: 0, running: 0 };
  const code = toCode(text, language);
  const all = [...code.matchAll(pattern)].length;
  const skips = SKIPS[language.name];
  return { all, running: skips === undefined ? all : countRunning(code, pattern, skips) };
}

/** How a language switches tests off, in the masked code that {@link TESTS} reads. */
interface Skips {
  /** How a single test begins, where {@link TESTS} also matches what holds tests. */
  readonly test?: RegExp;
  /** How a test begins that is not run. */
  readonly one: RegExp;
  /** A mark that stops all tests of the file. */
  readonly all?: RegExp;
  /** How a block begins of which no test runs, up to its closing bracket. */
  readonly block?: RegExp;
}

const SKIPS: Readonly<Record<string, Skips>> = {
  ...Object.fromEntries(
    ["JavaScript", "TypeScript", "TSX", "Vue", "Svelte"].map((language) => [language, {
      test: /(?:\bDeno\.|(?<![.\w$]))(?:it|test|specify|bench)\s*(?:\.\s*\w+\s*)*[(`<]/g,
      one:
        /(?:\bDeno\.|(?<![.\w$]))(?:it|test|specify|bench)\s*\.\s*(?:skip|todo|ignore)\s*(?:\.\s*\w+\s*)*[(`<]/g,
      block:
        /(?:\bx(?:describe|context)|\b(?:describe|context|suite)\s*\.\s*(?:skip|ignore))\s*\(/g,
    }]),
  ),
  Python: {
    test: /^\s*(?:async\s+)?def\s+test/gm,
    one:
      /^\s*@(?:pytest\.mark\.skip|unittest\.skip|skip)\b(?!if)[^\n]*\n(?:\s*@[^\n]*\n)*\s*(?:async\s+)?def\s+test/gm,
    all:
      /^pytestmark\s*=\s*pytest\.mark\.skip\b|^\s*pytest\.skip\([^\n]*allow_module_level|^@(?:pytest\.mark\.skip|unittest\.skip)\b[^\n]*\n(?:@[^\n]*\n)*class\s+\w*Test/m,
  },
  Go: { one: /^func\s+(?:Test|Benchmark|Fuzz)\w*\([^)]*\)\s*\{\s*\w+\.Skip(?:Now|f)?\(/gm },
  Rust: { one: /#\[\s*ignore\b/g },
  ...Object.fromEntries(
    ["Java", "Kotlin", "Scala"].map((language) => [language, {
      one: /@(?:Disabled|Ignore)\b(?=(?:[^{};]|\([^)]*\))*\b(?:void|fun|def)\b)/g,
      all: /@(?:Disabled|Ignore)\b(?:(?!\b(?:void|fun|def)\b)[^{};])*\bclass\b/,
    }]),
  ),
  "C#": { one: /\[\s*Ignore\b|\bSkip\s*=/g },
};

function countRunning(code: string, tests: RegExp, { test, one, all, block }: Skips): number {
  if (all?.test(code) === true) return 0;
  const rest = block === undefined ? code : withoutBlocks(code, block);
  const count = (pattern: RegExp) => [...rest.matchAll(pattern)].length;
  return Math.max(0, count(test ?? tests) - count(one));
}

/** The code without what stands between the brackets that `block` opens. */
function withoutBlocks(code: string, block: RegExp): string {
  let rest = "";
  let from = 0;
  for (const match of code.matchAll(block)) {
    if (match.index < from) continue;
    rest += code.slice(from, match.index);
    let open = 1;
    from = match.index + match[0].length;
    while (from < code.length && open > 0) {
      const sign = code[from++];
      open += sign === "(" ? 1 : sign === ")" ? -1 : 0;
    }
  }
  return rest + code.slice(from);
}

/** Whether a text that had a running test has none any more, or has no code at all. */
function isEmptied(path: string, before: string, now: string): boolean {
  const [then, left] = [countTests(path, before), countTests(path, now)];
  if (then.running > 0 && left.running === 0) return true;
  return (then.all > 0 && left.all === 0) || (!hasCode(path, now) && hasCode(path, before));
}

/** Whether a text has more than comments, blank lines and brackets. */
function hasCode(path: string, text: string): boolean {
  const language = languageOfPath(path);
  return /[\w"]/.test(language === undefined ? text : toCode(text, language));
}

/** A text without comments, with every character of its strings replaced by a quote. */
function toCode(text: string, language: Language): string {
  return maskText(text, language).replaceAll("\u0001", "").replaceAll("\u0002", '"');
}
