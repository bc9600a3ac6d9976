/**
 * Finds what makes tests say less: assertions that are gone, tests that are switched off, expected values that were
 * changed, snapshots, and settings of the test runner. Code is compared by the parts of its syntax trees.
 */
import { clipChange, clipLine } from "../../base/text/clip.ts";
import { without } from "../../base/without.ts";
import { languageOfPath } from "../../language/languages.ts";
import { parseTestName } from "../../language/test_names.ts";
import type { DiffedFile, DiffLine } from "./diffed_file.ts";
import type { FunctionNames, MovedTest, ReadFile } from "./moved_tests.ts";
import { findMovedTests, leaveOut, NO_NAMES } from "./moved_tests.ts";
import type { TestBlock, TestCode } from "./read_tests.ts";
import { findRepeatedTests, readTests, removeComments } from "./read_tests.ts";
import type { ReplaceableFiles } from "./replaced_sources.ts";
import { findReplacedSources } from "./replaced_sources.ts";
import { findSteering, maySteer } from "./runner_settings.ts";
import type { TestFact, TestFacts } from "./test_facts.ts";
import { ALONE, findAssertionHelpers, readTestFacts } from "./test_facts.ts";

/** What weakens the tests of one file in one way. */
export interface WeakenedTest {
  /** Relative to the worktree. */
  readonly path: string;
  readonly kind:
    | "assertions_removed"
    | "expectation_changed"
    | "switched_off"
    | "early_return"
    | "tests_removed"
    | "test_repeated"
    | "sources_replaced"
    | "snapshot_changed"
    | "runner_changed";
  /** How often, and the first lines. */
  readonly what: string;
}

/** Files and folders beside the sources that hold what tests assert with. */
const SUPPORT =
  /(?:^|\/)(?:testing|test[-_]?(?:utils?|helpers?|support|lib|kit|asserts?|assertions))(?:\/|\.\w+$)/i;
/** What stands above the code of a file, whose texts are names of files. */
const IMPORT =
  /^\s*(?:import|export\s.*\bfrom|from|use|using|require\w*|include|#include|package|mod)\b|\brequire\(/;
const QUOTED = `"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\``;
const LITERAL = new RegExp(
  `${QUOTED}|\\b\\d[\\w.]*\\b|\\b(?:true|false|True|False|null|None|nil|undefined)\\b`,
  "g",
);
/** What a test expects: literals, and the words that say how it is compared. */
const EXPECTED = new RegExp(
  `${LITERAL.source}|\\bnot\\b|\\b(?:to[A-Z]|assert|is[A-Z]|equal|throws|rejects)\\w*|\\w+Equal\\b|[<>=!]=|[<>]`,
  "g",
);
/** The table of cases on the line on which a test begins: of a decorator or an attribute, or before its title. */
const TABLE =
  /^\s*(?:@|#?\[).*(?:param|values|csv|source|cases?|rows?|data|with|each).*|^.*\.each\s*\(.*\](?=\s*\)\s*\()|^.*\.each`.*/i;
const MOST_EXAMPLES = 3;
const EXAMPLE_CHARS = 120;

/** Whether the lines of a changed file have to be read at all. */
export function mayWeakenTests(path: string): boolean {
  return maySteer(path) || isOfTests(path);
}

/** Whether a file is a test, or code that helps tests. */
function isOfTests(path: string): boolean {
  return parseTestName(path) !== null ||
    (SUPPORT.test(path) && languageOfPath(path)?.nature === "code");
}

/**
 * What weakens the tests among changed files; nothing of files that are new, except settings of a runner and what
 * replaces sources. Tests that moved, and those of functions that are gone, are told apart.
 */
export async function findWeakenedTests(
  files: readonly DiffedFile[],
  listFiles: () => Promise<ReplaceableFiles> = () => Promise.resolve({ all: [], changed: [] }),
  names: FunctionNames = NO_NAMES,
): Promise<{ readonly weakened: readonly WeakenedTest[]; readonly moved: readonly MovedTest[] }> {
  const read = await Promise.all(files.map(async (file): Promise<ReadFile> => ({
    file,
    then: await readTests(file.path, file.kind === "added" ? "" : file.before),
    now: await readTests(file.path, file.kind === "deleted" ? "" : file.after),
  })));
  const moved = findMovedTests(read.filter(({ file }) => isOfTests(file.path)), names);
  const found = await Promise.all(read.map(async (one) => {
    const { file: { path }, now: { parts } } = one;
    const replaced = await findReplacedSources(one.file, parts, listFiles);
    const blocks = moved.flatMap((test) => test.path === path ? [test.block] : []);
    return [...makeFindings(path, "sources_replaced", replaced), ...compareFile(one, blocks)];
  }));
  return { weakened: found.flat(), moved };
}

function compareFile(
  { file, then, now }: ReadFile,
  moved: readonly TestBlock[],
): readonly WeakenedTest[] {
  const { path, kind } = file;
  const steering = findSteering(file);
  if (steering !== null) return makeFindings(path, steering.kind, steering.lines);
  if (kind === "added" || kind === "deleted" || !isOfTests(path)) return [];
  const removed = file.removed.filter(({ line }) =>
    !moved.some(({ first, last }) => first <= line && line <= last)
  );
  return compareTests({ ...file, removed }, leaveOut(then, moved), now);
}

function compareTests(file: DiffedFile, then: TestCode, now: TestCode): readonly WeakenedTest[] {
  const { path } = file;
  const judges = new Set(
    [...findAssertionHelpers(then), ...findAssertionHelpers(now)].map(({ name }) => name),
  );
  const [old, fresh] = [then, now].map((code) => readTestFacts(path, code, judges)) as [
    TestFacts,
    TestFacts,
  ];
  const names = new Set(then.tests.map(({ name }) => name));
  const gone = without(then.tests, now.tests, ({ name }) => name);
  const isNew = ({ line, text }: TestFact) => {
    const test = now.tests.findLast(({ first, last }) => first <= line && line <= last);
    return test !== undefined && !names.has(test.name) && gone.length === 0 && !ALONE.test(text);
  };
  const switches = diff(old.switches, fresh.switches.filter((fact) => fact.isSure || !isNew(fact)));
  const leaves = diff(old.leaves, fresh.leaves.filter((fact) => !isNew(fact)));
  const asserts = diff(old.asserts, fresh.asserts);
  const paired = pair(asserts);
  const changed = [
    ...paired.changed,
    ...asserts.added.filter(({ isSure }) => isSure).map(({ shown }) => shown),
    ...findOtherValues(file, { old, fresh, then, now }),
  ];
  const lines = file.before.split("\n");
  const removed = gone.map(({ first }) => lines[first - 1] ?? "");
  const fewer = then.tests.length - now.tests.length;
  return [
    ...makeFindings(path, "test_repeated", findRepeatedTests(path, then, now)),
    ...(fewer <= 0 ? [] : makeFindings(path, "tests_removed", removed, fewer)),
    ...makeFindings(path, "switched_off", listNewlyAdded(switches)),
    ...makeFindings(path, "early_return", listNewlyAdded(leaves)),
    ...makeFindings(path, "assertions_removed", paired.gone),
    ...makeFindings(path, "expectation_changed", changed),
  ];
}

/** What stands on one side alone. */
function diff(
  old: readonly TestFact[],
  fresh: readonly TestFact[],
): { readonly removed: readonly TestFact[]; readonly added: readonly TestFact[] } {
  const text = (fact: TestFact) => fact.text;
  return { removed: without(old, fresh, text), added: without(fresh, old, text) };
}

/** What was added, where that is more than was taken away. */
function listNewlyAdded({ removed, added }: ReturnType<typeof diff>): readonly string[] {
  return added.length <= removed.length ? [] : added.map(({ shown }) => shown);
}

/** Removed assertions by what became of them: one with another expectation, or none. Renamed code is neither. */
function pair({ removed, added }: ReturnType<typeof diff>): {
  readonly changed: readonly string[];
  readonly gone: readonly string[];
} {
  const toExpected = ({ text }: TestFact) => (text.match(EXPECTED) ?? []).join(" ");
  const others = without(removed, added, toExpected);
  const left = without(added, removed, toExpected);
  return {
    changed: others.slice(0, left.length).map(({ shown }, at) =>
      clipChange(shown, left[at]?.shown ?? "", EXAMPLE_CHARS)
    ),
    gone: others.slice(left.length).map(({ shown }) => shown),
  };
}

/** Lines of tables and variables whose values alone are others now. */
function findOtherValues(
  { path, before, after, removed, added }: DiffedFile,
  { old, fresh, then, now }: {
    readonly old: TestFacts;
    readonly fresh: TestFacts;
    readonly then: TestCode;
    readonly now: TestCode;
  },
): readonly string[] {
  const language = languageOfPath(path);
  const take = (
    text: string,
    lines: readonly DiffLine[],
    facts: TestFacts,
    { tests }: TestCode,
  ) => {
    const code = removeComments(text, language);
    const begins = new Set(tests.map(({ first }) => first));
    return lines.flatMap(({ line, text: own }) => {
      if (code[line - 1]?.trim() === "" || facts.lines.has(line) || IMPORT.test(own)) return [];
      // Of the line of a title the table counts alone.
      const table = begins.has(line) ? TABLE.exec(own)?.[0] ?? "" : own;
      return table === "" ? [] : [table.trim()];
    });
  };
  const gone = take(before, removed, old, then);
  const come = take(after, added, fresh, now);
  const toForm = (line: string) => line.replaceAll(LITERAL, "§");
  const left = without(come, gone, (line) => line);
  return without(gone, come, (line) => line).flatMap((line) => {
    const form = toForm(line);
    if (form === line) return [];
    const same = left.findIndex((one) => toForm(one) === form);
    const at = same < 0 ? left.findIndex((one) => isShorter(line, one)) : same;
    return at < 0 ? [] : [clipChange(line, left.splice(at, 1)[0] ?? "", EXAMPLE_CHARS)];
  });
}

/** Whether a line has other rows than before, and not only more of them. */
function isShorter(before: string, now: string): boolean {
  const toFrame = (line: string) =>
    line.replaceAll(LITERAL, "§").replaceAll(/[\s,;()[\]{}§]+/g, "§");
  const literals = (line: string) => line.match(LITERAL) ?? [];
  return toFrame(before) === toFrame(now) &&
    without(literals(before), literals(now), (one) => one).length > 0;
}

function makeFindings(
  path: string,
  kind: WeakenedTest["kind"],
  lines: readonly string[],
  count = lines.length,
): readonly WeakenedTest[] {
  if (lines.length === 0) return [];
  const examples = lines.slice(0, MOST_EXAMPLES).map((line) => clipLine(line, EXAMPLE_CHARS));
  return [{ path, kind, what: [`${count}`, ...examples].join(" | ") }];
}
