/**
 * Reads a diff for what makes tests say less: assertions that are gone, tests that are switched off, expected
 * values that were changed, snapshots, and settings of the test runner. Pure.
 */
import { toCanonicalJson } from "../base/text/json_record.ts";
import { clipChange, clipLine } from "../base/text/clip.ts";
import { parseJsonc } from "../base/text/jsonc.ts";
import { languageOfPath } from "../language/languages.ts";
import { COMPARES, FAILS, findJudgingHelpers, findRepeated } from "../language/test_blocks.ts";
import { toTestName } from "../language/test_names.ts";
import { joinPatterns, RUNNERS, STEERS } from "../runners/runners.ts";
import type { DiffedFile } from "./weakened/diffed_file.ts";
import type { ReplaceableFiles } from "./weakened/replaced_sources.ts";
import { findReplacedSources } from "./weakened/replaced_sources.ts";

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

const ASSERTION =
  /(?<![.\w])(?:eq|ok|same|is|check\w*)\s*\(|\bt\.(?:is|not|ok|notOk|true|false|truthy|falsy|like|same|regex|snapshot)\(|\b(?:assert\w*|expect\w*|should|deepEqual|strictEqual|notEqual|equals?|throws|rejects|raises|assert_\w+|ASSERT_\w+|EXPECT_\w+|REQUIRE\w*|CHECK\w*|verify)\s*(?:\.\w+\s*)*[!(]|^\s*assert\b|\bt\.(?:Error|Fatal)f?\(|\brequire\.[A-Z]\w*\(|\.should\b/;
const SWITCH = new RegExp(joinPatterns(RUNNERS.map(({ switches }) => switches)));
/** A switch that leaves out the other tests. */
const ALONE = /\bonly\b/;
/** A judging helper that is content with everything. */
const CONTENT = /\breturn\s+(?:true|True|Ok\(\(\)\))\b|=>\s*true\b/;
/** A line before a test that says how it runs. */
const DECORATOR = /^\s*(?:@|#\[|\[)/;
const MOST_DECORATOR_LINES = 12;
/** A way out of a test before its end: a return without a value, also behind a condition, or the end of the run. */
const LEAVES =
  /\breturn(?:\s+(?:undefined|void 0|Promise\.resolve\(\)|Ok\(\(\)\)))?\s*;?\s*\}?\s*(?:(?:\/\/|#).*)?$|\b(?:process|Deno|System|Environment|os|sys)\.(?:_?exit|Exit)\s*\(|\bpytest\.exit\s*\(|^\s*exit[\s(]+0\b/;
/** Code that never runs, or a failure that nobody sees. */
const MUTED =
  /\bif\s*\(?\s*(?:false|False|0)\s*\)?\s*[:{]|^\s*#\s*if\s+0\b|\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}|\.catch\(\s*(?:\(\w*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null)\s*\)|^\s*except\b[^:]*:\s*pass\b|^\s*except(?:\s[^:]*\b(?:AssertionError|BaseException)\b[^:]*)?\s*:|\bsuppress\([^)]*\b(?:AssertionError|(?:Base)?Exception)\b/;
/** A line that is a comment, or goes on with one. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?![[!]|\s*(?:if|endif|else|include)\b)|--\s)/;
/** What stands above the code of a file, whose texts are names of files. */
const IMPORT =
  /^\s*(?:import|export\s.*\bfrom|from|use|using|require\w*|include|#include|package|mod)\b|\brequire\(/;
const SNAPSHOT =
  /(?:^|\/)__(?:image_)?snapshots__\/|\.(?:snap|snapshot|ambr|golden|expected|stdout|stderr)$|\.(?:approved|verified|expected)\.\w+$|(?:^|\/)(?:goldens?|expected)\//;
/** Lines that steer runners in files that say other things too. */
const STEERING_LINES = RUNNERS.flatMap(({ settings }) => settings?.lines ?? []);
/** An assertion that compares a value with itself. */
const TAUTOLOGY =
  /\bexpect\(\s*(.+?)\s*\)(?:\.\w+)*\.\w+\(\s*\1\s*\)|\bassert\s+(.+?)\s*==\s*\2\s*(?:,|$)|\b\w*(?:[Ee]quals?|[Ss]ame|_eq!?)\w*\s*!?\(\s*([^,()]+(?:\([^()]*\))?)\s*,\s*\3\s*[,)]|\b(?:if|return|unless|while)\b[\s(]*([\w.]+)\s*(?:[!=]==?|is(?:\s+not)?)\s*\4(?![\w.([])/;
/** What a test expects: literals, and the words that say how it is compared. */
const EXPECTED =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\b\d[\w.]*|\b(?:true|false|null|None|nil|undefined|not|True|False)\b|\b(?:to[A-Z]\w*|assert\w+|is[A-Z]\w*|equal\w*|\w+Equal|throws|rejects)\b|[<>=!]=|[<>]/g;
const MOST_EXAMPLES = 3;
const EXAMPLE_CHARS = 120;

/**
 * What weakens the tests among changed files; nothing of files that are new, save settings of a runner and what
 * replaces sources.
 */
export function findWeakenedTests(
  files: readonly DiffedFile[],
  replaceable: ReplaceableFiles = { all: [], changed: [] },
): readonly WeakenedTest[] {
  return files.flatMap((file) => {
    const replaced = findReplacedSources(file, replaceable);
    return [
      ...(replaced.length === 0 ? [] : [toFinding(file, "sources_replaced", replaced)]),
      ...readFile(file),
    ];
  });
}

function readFile(file: DiffedFile): readonly WeakenedTest[] {
  if (STEERS.test(file.path)) return [toFinding(file, "runner_changed", toEither(file))];
  if (file.kind === "added") return [];
  const steering = findSteering(file.path);
  const lines = steering === null || isSteeredAsBefore(file, steering)
    ? []
    : toEither(file).filter((line) => steering.test(line));
  if (lines.length > 0) return [toFinding(file, "runner_changed", lines)];
  if (SNAPSHOT.test(file.path)) return [toFinding(file, "snapshot_changed", toEither(file))];
  return !isOfTests(file.path) || file.kind === "deleted" ? [] : readTestFile(file);
}

/** What steers runners in the lines of a file; null where nothing does. */
function findSteering(path: string): RegExp | null {
  const lines = STEERING_LINES.filter(([name]) => name.test(path)).map(([, line]) => line);
  return lines.length === 0 ? null : new RegExp(joinPatterns(lines));
}

/**
 * Whether a JSON file says the same to a runner as before, at the same places: a member that came
 * beside, and the comma that it needs, change nothing.
 */
function isSteeredAsBefore({ path, before, after }: DiffedFile, steering: RegExp): boolean {
  if (!/\.jsonc?$/.test(path) || before === undefined || after === undefined) return false;
  const [old, now] = [before, after].map((text) => listSteering(text, steering));
  return old !== null && old === now;
}

/** The members of a JSON text that steer a runner, with their places, as one text; null for none. */
function listSteering(text: string, steering: RegExp): string | null {
  const parsed = parseJsonc(text);
  if (parsed.kind !== "value") return null;
  const found: unknown[] = [];
  const walk = (value: unknown, place: readonly string[]): void => {
    if (typeof value !== "object" || value === null || place.length > MOST_NESTED) return;
    for (const [key, member] of Object.entries(value)) {
      const here = [...place, key];
      if (steering.test(`${JSON.stringify(key)}: `)) found.push([here, member]);
      walk(member, here);
    }
  };
  walk(parsed.value, []);
  return toCanonicalJson(
    found.toSorted((a, b) => toCanonicalJson(a) < toCanonicalJson(b) ? -1 : 1),
  );
}

/** Settings of runners do not lie deeper. */
const MOST_NESTED = 20;

/** Whether the lines of a changed file have to be read at all. */
export function mayWeakenTests(path: string): boolean {
  return STEERS.test(path) || SNAPSHOT.test(path) || isOfTests(path) ||
    STEERING_LINES.some(([name]) => name.test(path));
}

/** Files and folders beside the sources that hold what tests assert with. */
const SUPPORT =
  /(?:^|\/)(?:testing|test[-_]?(?:utils?|helpers?|support|lib|kit|asserts?|assertions))(?:\/|\.\w+$)/i;

/** Whether a file is a test, or code that helps tests. */
function isOfTests(path: string): boolean {
  return toTestName(path) !== null ||
    (SUPPORT.test(path) && languageOfPath(path)?.nature === "code");
}

function readTestFile(whole: DiffedFile): readonly WeakenedTest[] {
  const file = withoutComments(whole);
  const begin = languageOfPath(file.path)?.tests?.begin;
  const count = (lines: readonly string[]) =>
    begin === undefined ? 0 : [...lines.join("\n").matchAll(begin)].length;
  const begins = (line: string) => count([line]) > 0;
  const fewer = count(file.removed) - count(file.added);
  const told = { removed: file.removed, added: withoutOwnSwitches(file, begins) };
  const switches = withoutMoved(told, (line) => SWITCH.test(line) || MUTED.test(line));
  const enclosed = whole.runs.filter(opensComment).flat();
  const switched = [
    ...switches.added.length <= switches.removed.length ? [] : switches.added,
    ...enclosed,
  ];
  const helpers = toHelpers(whole);
  const asserting = (line: string) => ASSERTION.test(line) || helpers.judges(line);
  const returns = withoutMoved(
    file,
    (line) => LEAVES.test(line) || (CONTENT.test(line) && helpers.has(line)),
  );
  const asserts = withoutMoved(file, (line) => asserting(line) && !begins(line));
  const paired = pair(asserts);
  const { gone } = paired;
  const others = withoutMoved(file, (line) => !asserting(line) && !IMPORT.test(line));
  const changed = [
    ...paired.changed,
    ...asserts.added.filter((line) => TAUTOLOGY.test(line)),
    ...findOtherValues(others, begins),
  ];
  const { path, before = "", after = "" } = whole;
  const repeated = findRepeated(path, { before, after });
  return [
    ...(repeated.length === 0 ? [] : [toFinding(file, "test_repeated", repeated)]),
    ...(fewer <= 0 ? [] : [toFinding(file, "tests_removed", file.removed.filter(begins), fewer)]),
    ...(switched.length === 0 ? [] : [toFinding(file, "switched_off", switched)]),
    ...(returns.added.length <= returns.removed.length
      ? []
      : [toFinding(file, "early_return", returns.added)]),
    ...(gone.length === 0 ? [] : [toFinding(file, "assertions_removed", gone)]),
    ...(changed.length === 0 ? [] : [toFinding(file, "expectation_changed", changed)]),
  ];
}

/** What the own functions of a test file have to do with a line: whether it is part of one that judges, or asks one. */
function toHelpers({ path, before = "", after = "" }: DiffedFile): {
  readonly has: (line: string) => boolean;
  readonly judges: (line: string) => boolean;
} {
  const helpers = [before, after].flatMap((text) => findJudgingHelpers(path, text));
  const lines = new Set(helpers.flatMap((helper) => helper.lines));
  const names = [...new Set(helpers.map(({ name }) => name))].filter((name) => name !== "");
  const calls = new RegExp(
    names.length === 0 ? "^(?!)" : `(?<![.\\w])(?:${names.join("|")})\\s*\\(`,
  );
  const has = (line: string) => lines.has(line.trim());
  return {
    has,
    judges: (line) => has(line) ? FAILS.test(line) || COMPARES.test(line) : calls.test(line),
  };
}

/** The lines that are code: an assertion in a comment asserts nothing. */
function withoutComments(file: DiffedFile): DiffedFile {
  const toCode = (lines: readonly string[]) => lines.filter((line) => !COMMENT.test(line));
  const { removed, added, runs } = file;
  return { ...file, removed: toCode(removed), added: toCode(added), runs: runs.map(toCode) };
}

/** Whether added lines open or end a comment, but not both: what stands between them runs no more. */
function opensComment(run: readonly string[]): boolean {
  const text = run.join("\n");
  const count = (sign: RegExp) => text.match(sign)?.length ?? 0;
  return run.some((line) => /^\s*(?:\/\*|\*\/)\s*$/.test(line)) &&
    count(/\/\*/g) !== count(/\*\//g);
}

const LITERAL =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\b\d[\w.]*\b|\b(?:true|false|True|False|null|None|nil)\b/g;

/** Lines of tables and variables whose values alone are others now. */
function findOtherValues(
  { removed, added }: Lines,
  begins: (line: string) => boolean,
): readonly string[] {
  const toForm = (line: string) => line.replaceAll(LITERAL, "§");
  const left = added.filter((line) => !begins(line));
  return removed.flatMap((line) => {
    const form = toForm(line);
    if (form === line || begins(line)) return [];
    const at = left.findIndex((one) => toForm(one) === form);
    return at < 0 ? [] : [toChange(line, left.splice(at, 1)[0])];
  });
}

/** The added lines, save those that switch off a test which is new itself: it leaves out nothing that ran before. */
function withoutOwnSwitches(
  { runs, removed }: DiffedFile,
  begins: (line: string) => boolean,
): readonly string[] {
  const before = new Set(removed.filter(begins).map((line) => line.trim()));
  const isNew = (line: string) => begins(line) && !before.has(line.trim());
  return runs.flatMap((run) =>
    run.filter((line, at) => {
      if (!SWITCH.test(line) || ALONE.test(line)) return true;
      if (begins(line)) return before.size > 0;
      const test = DECORATOR.test(line)
        ? run.slice(at + 1, at + MOST_DECORATOR_LINES).find(begins)
        : run.slice(0, at).findLast(begins);
      return !isNew(test ?? "");
    })
  );
}

type Lines = Pick<DiffedFile, "removed" | "added">;

/** The lines that fit, without those that stand on both sides: they only moved. */
function withoutMoved({ removed, added }: Lines, fits: (line: string) => boolean): Lines {
  const left = added.filter(fits).map((line) => line.trim());
  const gone = removed.filter(fits).map((line) => line.trim()).filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { removed: gone, added: left };
}

/** Removed assertions by what became of them: one with another expectation, or none. Renamed code is neither. */
function pair({ removed, added }: Lines): {
  readonly changed: readonly string[];
  readonly gone: readonly string[];
} {
  const toExpected = (line: string) => (line.match(EXPECTED) ?? []).join(" ");
  const left = [...added];
  const others = removed.filter((line) => {
    const at = left.findIndex((one) => toExpected(one) === toExpected(line));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const changed = others.slice(0, left.length).map((line, at) => toChange(line, left[at]));
  return { changed, gone: others.slice(left.length) };
}

function toChange(before: string, after = ""): string {
  return clipChange(before, after, EXAMPLE_CHARS);
}

function toEither({ removed, added }: Lines): readonly string[] {
  return [...removed.map((line) => `- ${line.trim()}`), ...added.map((line) => `+ ${line.trim()}`)];
}

function toFinding(
  { path }: DiffedFile,
  kind: WeakenedTest["kind"],
  lines: readonly string[],
  count = lines.length,
): WeakenedTest {
  const examples = lines.slice(0, MOST_EXAMPLES).map((line) => clipLine(line, EXAMPLE_CHARS));
  return { path, kind, what: [`${count}`, ...examples].join(" | ") };
}
