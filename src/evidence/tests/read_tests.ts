/** Finds the tests of a text: which there are, how far each reaches, which of them are switched off. */
import { BoundedMap, getOrInsert } from "../../base/once.ts";
import type { TestRow } from "../../language/language_row.ts";
import type { Language } from "../../language/languages.ts";
import { languageOfPath } from "../../language/languages.ts";
import { splitComments } from "../../language/mask.ts";
import type { CodePart } from "../../syntax/code_parts.ts";
import { readCode } from "../../syntax/code_parts.ts";

/** A test by its place in the text. */
export interface TestBlock {
  /** The title or the name of the function; null where only its run knows it, as with a title that is computed. */
  readonly name: string | null;
  /** Lines counted from 1, both included: from its first attribute or decorator to its last closing bracket. */
  readonly first: number;
  readonly last: number;
  /** Where the block begins that holds it. */
  readonly block: number;
  /** Whether no runner runs it, for itself or for what holds it. */
  readonly isOff: boolean;
}

/** A text with its tests. */
export interface TestCode {
  readonly parts: readonly CodePart[];
  readonly tests: readonly TestBlock[];
}

/** A first statement by which a test leaves itself out. */
const LEAVES_OUT =
  /^(?:\w+\.Skip(?:f|Now)?|pytest\.skip|(?:self|this|\$this)(?:\.|->)(?:skip\w*|markTestSkipped)|GTEST_SKIP)\(/;
const QUOTED = /^(["'`])([^]*)\1$/;

/** Longer texts are not remembered, so that the memory of them all stays small. */
const MOST_KNOWN_CHARS = 50_000;

/** Both sides of so many files: the checks of one call, and the next call on the same files, read a text once. */
const known = new BoundedMap<string, Promise<TestCode>>(100);

/** Reads a text with its tests in the order in which they begin. */
export async function readTests(path: string, text: string): Promise<TestCode> {
  const language = languageOfPath(path);
  // A diff gives a text without the end of its last line, the store with it.
  const code = text.trimEnd();
  const read = async () => {
    const parts = await readCode(code, language);
    return { parts, tests: listTests(parts, language?.tests) };
  };
  if (code.length > MOST_KNOWN_CHARS) return await read();
  return await getOrInsert(known, `${language?.name}\0${code}`, read);
}

function listTests(parts: readonly CodePart[], row: TestRow | undefined): readonly TestBlock[] {
  if (row === undefined) return [];
  const { functions, calls, off, offFile } = row;
  const isOff = ({ kind, head, body }: CodePart) =>
    (/call|function|class/.test(kind) && off?.test(head) === true) || LEAVES_OUT.test(body);
  const isFileOff = parts.some(({ isTop, statement }) => isTop && offFile?.test(statement));
  const holders = parts.filter((part) => part.kind !== "comparison" && isOff(part));
  const found = parts.filter(({ kind, head }) =>
    kind === "function" ? functions?.test(head) : kind === "call" && calls?.test(head)
  );
  // A call of what a call gives back, such as `it.each(table)("title")`, is one test.
  return [
    ...Map.groupBy(
      found,
      ({ first, block, kind, statement }) =>
        kind === "call" ? `${first} ${block} ${statement}` : `${first} ${block}`,
    ).values(),
  ]
    .map((same) => {
      const [{ first, last, block }] = same as [CodePart];
      const name = same.map(readTestName).find((one) => one !== null) ?? null;
      const isInside = holders.some((holder) => holder.first <= first && last <= holder.last);
      return { name, first, last, block, isOff: isFileOff || isInside };
    });
}

/** The title of a call, or the name of a function. */
function readTestName({ kind, head, name, args, inner }: CodePart): string | null {
  if (kind === "function") {
    // Macros of C name the test behind its suite, Zig in quotes.
    return /^[A-Z_]+\s*\(.*?(\w+)\s*\)$/.exec(head)?.[1] ?? /^test\s*"(.*)"/.exec(head)?.[1] ??
      name;
  }
  for (const title of [args[0], inner[0]]) {
    const quoted = QUOTED.exec(title ?? "")?.[2];
    if (quoted !== undefined) return quoted;
  }
  const [first = ""] = args;
  if (first.startsWith("{")) return /\bname\s*:\s*(["'`])(.*?)\1/.exec(first)?.[2] ?? null;
  if (/^[A-Z_]+$/.test(head)) return args.at(-1) ?? null;
  return /^(?:async\s+)?function\s+(\w+)/.exec(first)?.[1] ?? null;
}

/**
 * The tests of which changed lines are part, each name once; of tests inside tests the innermost. Lines without code
 * change no test, and code between tests is none of theirs.
 *
 * @param ranges Lines counted from 1, both ends included.
 */
export async function findTestsAt(
  path: string,
  text: string,
  ranges: readonly { readonly start: number; readonly end: number }[],
): Promise<readonly TestBlock[]> {
  const { tests } = await readTests(path, text);
  const code = removeComments(text, languageOfPath(path));
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

/** The lines of a text without comments. */
export function removeComments(text: string, language: Language | undefined): readonly string[] {
  return (language === undefined ? text : splitComments(text, language).code).split("\n");
}

/**
 * Names that stand for more tests than before: two tests of one name in the same block or class, or a test whose name is
 * given to something else later.
 */
export function findRepeatedTests(
  path: string,
  before: TestCode,
  after: TestCode,
): readonly string[] {
  const language = languageOfPath(path);
  const then = countRepeated(before, language);
  return [...countRepeated(after, language)]
    .filter(([name, count]) => count > (then.get(name) ?? 0)).map(([name]) => name);
}

/** How often a name is given again in the block where it has a test already. */
function countRepeated(
  { tests, parts }: TestCode,
  language: Language | undefined,
): ReadonlyMap<string, number> {
  const again = language?.tests?.again;
  const others = again === undefined ? [] : parts.flatMap(({ kind, head, name, block }) => {
    const given = kind === "class" ? name : kind === "assignment" ? head : "";
    return again.test(given) ? [{ name: given, block }] : [];
  });
  const counts = new Map<string, number>();
  // A title with a place in it is another one each time.
  const named = [...tests, ...others].filter(({ name }) => name !== null && !name.includes("${"));
  for (const same of Map.groupBy(named, ({ name, block }) => `${block} ${name}`).values()) {
    const name = same[0]?.name ?? "";
    if (same.length > 1) counts.set(name, (counts.get(name) ?? 0) + same.length - 1);
  }
  return counts;
}
