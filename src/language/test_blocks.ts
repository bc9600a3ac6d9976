/**
 * Finds the tests of a text, with the lines that each of them reaches over. By what begins tests in the language, and
 * by brackets and indentation of the masked text, not by a parser. Pure.
 */
import { languageOfPath } from "./languages.ts";
import { maskText } from "./mask.ts";

/**
 * Names that stand for more tests than before the change: two tests of one name in the same block or class, or a test
 * whose name is given to something else later.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findRepeated } from "./test_blocks.ts";
 * const before = "def test_a():\n    assert f() == 1\n";
 * const after = `${before}\ndef test_a():\n    pass\n`;
 * deepEqual(findRepeated("test_f.py", { before, after }), ["test_a"]);
 * ```
 */
export function findRepeated(
  path: string,
  { before, after }: { readonly before: string; readonly after: string },
): readonly string[] {
  const then = countRepeated(path, before);
  return [...countRepeated(path, after)]
    .filter(([name, count]) => count > (then.get(name) ?? 0)).map(([name]) => name);
}

/** How often a name is given again in the block where it has a test already. */
function countRepeated(path: string, text: string): ReadonlyMap<string, number> {
  const read = readTests(path, text);
  const inBlocks = new Map<string, number>();
  for (const { name, line } of listNames(path, read)) {
    const key = `${findBlock(read, line)} ${name}`;
    inBlocks.set(key, (inBlocks.get(key) ?? 0) + 1);
  }
  const counts = new Map<string, number>();
  for (const [key, count] of inBlocks) {
    const name = key.slice(key.indexOf(" ") + 1);
    if (count > 1) counts.set(name, (counts.get(name) ?? 0) + count - 1);
  }
  return counts;
}

/** The names with the lines, counted from 0, in which they are given. */
function listNames(
  path: string,
  { tests, lines: { code } }: ReadTests,
): readonly { readonly name: string; readonly line: number }[] {
  // A title with a place in it is another one each time.
  const named = tests.flatMap(({ name, first }) =>
    name === null || name.includes("${") ? [] : [{ name, line: first - 1 }]
  );
  const replaces = languageOfPath(path)?.tests?.replaces;
  if (replaces === undefined) return named;
  const others = code.flatMap((text, line) =>
    [...text.matchAll(replaces)].flatMap((match) => {
      const name = match.slice(1).find((group) => group !== undefined);
      return name === undefined ? [] : [{ name, line }];
    })
  );
  return [...named, ...others];
}

/** The line that opens the block in which a line stands; -1 for the top of the file. */
function findBlock({ lines: { raw, code } }: ReadTests, line: number): number {
  const indent = toIndent(raw[line] ?? "");
  for (let at = line - 1; at >= 0 && indent > 0; at--) {
    if ((code[at] ?? "").trim() !== "" && toIndent(raw[at] ?? "") < indent) return at;
  }
  return -1;
}

/** A function that judges. */
export interface JudgingHelper {
  readonly name: string;
  /** Its lines, from its head on, without the blanks around them. */
  readonly lines: readonly string[];
}

const HEAD =
  /^\s*(?:(?:export|default|async|public|private|protected|internal|static|final|pub(?:\([^)]*\))?|inline|local)\s+)*(?:(?:def|func|function\s*\*?|fn|fun|void|bool|boolean|Bool)\s+(?:\([^)]*\)\s*)?(?:self\.)?(\w+)\s*[(<]|(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|\w+\s*=>))/;
/** Names of functions that say whether something is as it should be. */
const NAME =
  /^_*(?:assert|expect|check|verif|ensure|must|should|require|equal|eq(?:$|[_A-Z])|same|is_?(?:same|equal)|matche?s?(?:$|[_A-Z]))/i;
/** How a function says that something is not as it should be. */
export const FAILS =
  /\b(?:throw|raise)\b|\bpanic!?\s*\(|(?<!def |function |func )\b(?:[tb]\.)?(?:fail|Fail|FailNow|Fatalf?|Errorf?|XCTFail)\s*\(|\b(?:process|Deno|os|sys)\.(?:_?exit|Exit)\s*\(\s*[1-9]/;
/** How it compares. */
export const COMPARES =
  /(?<![=<>!])[=!]==?(?![>=])|\bis\s+(?:not\s+)?\w|\b(?:not\s+)?in\s+\w|\b(?:deepEqual|isEqual|isDeepStrictEqual|equals?|DeepEqual|cmp\.Diff|Object\.is|isclose)\s*\(/;
const ASSERTS = /\bassert\w*\b|\bexpect\s*\(/;

/** The judging functions of a text that stand outside of its tests; those inside of others are part of them. */
export function findJudgingHelpers(path: string, text: string): readonly JudgingHelper[] {
  const { tests, lines } = readTests(path, text);
  const inTest = new Set(
    tests.flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, at) => first - 1 + at)
    ),
  );
  const helpers: JudgingHelper[] = [];
  for (let line = 0; line < lines.code.length; line++) {
    const found = inTest.has(line) ? null : HEAD.exec(lines.code[line] ?? "");
    if (found === null) continue;
    const last = findLast(lines, line, 0);
    const name = found[1] ?? found[2] ?? "";
    const code = lines.code.slice(line, last + 1);
    const whole = code.join("\n");
    const judges = NAME.test(name) || ASSERTS.test(whole) ||
      (FAILS.test(whole) && code.some((one) => COMPARES.test(one)));
    if (judges) {
      const own = lines.raw.slice(line, last + 1).map((one) => one.trim());
      helpers.push({ name, lines: own.filter((one) => one !== "") });
    }
    line = last;
  }
  return helpers;
}

/** A test by its place in the text. */
export interface TestBlock {
  /** The title or the name of the function; null where only its run knows it, as with a title that is computed. */
  readonly name: string | null;
  /** Lines counted from 1, both included: from its first attribute or decorator to its last closing bracket. */
  readonly first: number;
  readonly last: number;
}

/** What holds tests and is none itself. */
const CONTAINER = /\b(?:describe|context|suite|group|class|feature)\b/;
const CLASS = /^\s*(?:\w+\s+)*class\b/;
const QUOTED = `"((?:[^"\\\\\\n]|\\\\.)*)"|'((?:[^'\\\\\\n]|\\\\.)*)'|\`((?:[^\`\\\\]|\\\\.)*)\``;
/** A title right behind the beginning of a test, or the name of a function that is handed over. */
const TITLE = new RegExp(
  `^\\s*(?:${QUOTED}|(?:async\\s+)?function\\s+(\\w+)|[A-Za-z_]\\w*\\s*,\\s*(\\w+)\\s*\\)\\s*\\{)`,
);
/** The title among the properties of a test; one that is computed ends the search. */
const PROPERTY = new RegExp(`^\\s*\\{[\\s\\S]*?\\bname\\b(?:\\s*:\\s*(?:${QUOTED})\\s*[,}])?`);
/** Where the title of a test with a table of cases is: behind the table. */
const TABLE = /\.\s*(?:each|for)\s*[(`<]$/;
const BEHIND_TABLE = /[)`]\s*\(\s*(?=["'`])/;
/** The function that a test is, behind its attributes. */
const FUNCTION = /^[^"'`{};]{0,300}?\b(?:def|func|function|fn|void|fun)\s+(\w+)/;
/** A line that ends or opens the block of the line above that has the same indentation. */
const CLOSER = /^\s*(?:[)\]}{]|end\b)/;

/** A text in which comments are blank and strings are quotes, at their old places. */
export interface MaskedLines {
  readonly raw: readonly string[];
  readonly code: readonly string[];
}

/**
 * The tests of a text in the order in which they begin; none where the language has no row for how tests begin.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findTests } from "./test_blocks.ts";
 * const text = 'test("one", () => {\n  a();\n});\n\nfunction a() {}\n\ntest("two", a);\n';
 * deepEqual(findTests("a.test.ts", text), [
 *   { name: "one", first: 1, last: 3 },
 *   { name: "two", first: 7, last: 7 },
 * ]);
 * ```
 */
export function findTests(path: string, text: string): readonly TestBlock[] {
  return readTests(path, text).tests;
}

/** A text with its tests; without lines where the language has no row for how tests begin. */
export interface ReadTests {
  readonly tests: readonly TestBlock[];
  readonly lines: MaskedLines;
}

/** The tests of a text, with its lines. */
export function readTests(path: string, text: string): ReadTests {
  const language = languageOfPath(path);
  const begin = language?.tests?.begin;
  if (language === undefined || begin === undefined) {
    return { tests: [], lines: { raw: [], code: [] } };
  }
  const code = toCode(maskText(text, language), text);
  const lines = { raw: text.split("\n"), code: code.split("\n") };
  const blocks: TestBlock[] = [];
  let [line, lineStart] = [0, 0];
  for (const { 0: found, index } of code.matchAll(begin)) {
    const from = index + (found.length - found.trimStart().length);
    for (let end = code.indexOf("\n", lineStart); end >= 0 && end < from;) {
      [line, lineStart] = [line + 1, end + 1];
      end = code.indexOf("\n", lineStart);
    }
    const behind = code.slice(skipAttributes(code, from)).slice(0, 200);
    if (CONTAINER.test(found) || CLASS.test(behind)) continue;
    const last = findLast(lines, line, from - lineStart);
    const block = text.slice(from).split("\n", last - line + 1).join("\n");
    const name = toName(block, found.trimStart());
    blocks.push({ name, first: findFirst(lines, line) + 1, last: last + 1 });
  }
  return { tests: blocks, lines };
}

/**
 * The tests of which changed lines are part, each name once; of tests inside tests the innermost. Lines without code
 * change no test, and code between tests is none of theirs.
 *
 * @param ranges Lines counted from 1, both ends included.
 */
export function findTestsAt(
  path: string,
  text: string,
  ranges: readonly { readonly start: number; readonly end: number }[],
): readonly TestBlock[] {
  const { tests, lines: { code } } = readTests(path, text);
  const touched = new Set<TestBlock>();
  for (const { start, end } of ranges) {
    for (let line = start; line <= Math.min(end, code.length); line++) {
      if (code[line - 1]?.trim() === "") continue;
      const test = tests.findLast(({ first, last }) => first <= line && line <= last);
      if (test !== undefined) touched.add(test);
    }
  }
  const found = tests.filter((test) => touched.has(test));
  return found.filter(({ name }, at) =>
    name === null || found.findIndex((one) => one.name === name) === at
  );
}

/** The masked text with blanks for comments and quotes for strings; a backtick stays one. */
function toCode(masked: string, text: string): string {
  return masked.replaceAll("\u0001", " ")
    .replaceAll("\u0002", (_sign, at: number) => text[at] === "`" ? "`" : '"');
}

/** The last line of the test or function that begins at a column of a line; lines are counted from 0 here. */
export function findLast({ raw, code }: MaskedLines, first: number, column: number): number {
  const indent = toIndent(raw[first] ?? "");
  let head = (code[first] ?? "").slice(column);
  let [last, depth] = [first, countOpen(head)];
  for (let at = first + 1; at < code.length; at++) {
    const line = code[at] ?? "";
    if (line.trim() === "") continue;
    const own = toIndent(raw[at] ?? "");
    // A line that begins with a string at once goes on with a string of several lines.
    const goesOn = depth > 0 || own > indent || /^["`]/.test(line) ||
      own === indent && (CLOSER.test(line) || isAttributes(head));
    if (!goesOn) break;
    depth += countOpen(line);
    head = head.length > 2_000 ? head : `${head}\n${line}`;
    last = at;
  }
  return last;
}

/** The first line of the test that begins in a line: where its attributes begin. */
function findFirst({ raw, code }: MaskedLines, line: number): number {
  const indent = toIndent(raw[line] ?? "");
  let first = line;
  for (let at = line - 1; at >= 0; at--) {
    const above = code[at] ?? "";
    if (above.trim() === "") continue;
    const own = toIndent(raw[at] ?? "");
    if (own < indent) break;
    if (own > indent || CLOSER.test(above)) continue;
    if (!isAttributes(code.slice(at, first).join("\n"))) break;
    first = at;
  }
  return first;
}

/** How far a line is indented, in characters. */
export function toIndent(line: string): number {
  return line.search(/\S|$/);
}

function countOpen(code: string): number {
  return (code.match(/[([{]/g)?.length ?? 0) - (code.match(/[)\]}]/g)?.length ?? 0);
}

function isAttributes(code: string): boolean {
  return code.trim() !== "" && skipAttributes(code, 0) >= code.trimEnd().length;
}

/** Where the attributes, annotations or decorators end that begin at a place. */
function skipAttributes(code: string, from: number): number {
  const mark = /\s*(?:@[\w.:]+|#(?=!?\[)!?|(?=\[))\s*/y;
  for (let at = from;;) {
    mark.lastIndex = at;
    const found = mark.exec(code);
    if (found === null) return at;
    const next = at + found[0].length;
    at = /[([]/.test(code[next] ?? "") ? skipBrackets(code, next) : next;
  }
}

function skipBrackets(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    depth += countOpen(code[at] ?? "");
    if (depth === 0) return at + 1;
  }
  return code.length;
}

/** The name of a test by its lines and what of them begins it. */
function toName(block: string, begin: string): string | null {
  const behind = block.slice(begin.length - (/["`]$/.test(begin) ? 1 : 0));
  const table = TABLE.test(begin) ? BEHIND_TABLE.exec(behind) : null;
  const title = table === null ? behind : behind.slice(table.index + table[0].length);
  const found = TITLE.exec(title) ?? PROPERTY.exec(title) ?? FUNCTION.exec(block);
  return found?.slice(1).find((group) => group !== undefined && group !== "") ?? null;
}
