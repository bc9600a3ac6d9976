/**
 * What was seen when the project's tests ran: which test ran which function, and which function called which. The core
 * asks for it here; the feature that watches runs gives it. That a function ran does not say that its result was checked.
 */
import { clip } from "../base/text/clip.ts";
import type { SharedKey } from "./read/view.ts";

/** A function of the project, as the index names it. */
export interface FunctionName {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** Qualified name: `Class.method`. */
  readonly name: string;
}

/** What one record is of: a test, one that has what its neighbours ran too (`group`), or a larger part of the suite. */
export type TestUnit = "test" | "group" | "file" | "package";

/** A test, or a part of the suite, that was recorded. */
export interface SeenTest {
  /** As its runner names it: `tests/test_a.py::test_b[1]`; of a whole file its path. */
  readonly name: string;
  /** Its file, relative to the project. */
  readonly file: string;
  readonly unit: TestUnit;
  /** Functions of the project that it ran. The fewer, the nearer it is to each of them. */
  readonly functions: number;
  /** How long it took, in milliseconds; 0 where nothing measured it. */
  readonly ms: number;
  /** Whether its file has the same content as when it ran. */
  readonly isCurrent: boolean;
}

/** What the records say of one function. `not recorded`: its file was not there, or was another one, in each recorded run. */
export type SeenFunction = "run by tests" | "run at import" | "not run" | "not recorded";

/** The tests that ran some functions. */
export interface SeenTests {
  /** Nearest first: those that ran more of the functions, then those that ran less of everything else. */
  readonly tests: readonly SeenTest[];
  /** What is known of each of the functions, in the order in which they were asked. */
  readonly functions: readonly {
    readonly seen: SeenFunction;
    /** Whether its file has the same content as when it ran. */
    readonly isCurrent: boolean;
  }[];
}

/** A call that happened, from another file. */
export interface SeenCall {
  readonly caller: FunctionName;
  /** 1-based line of the call in the caller's file as it was then; null where it is not known. */
  readonly line: number | null;
  /** Whether the caller's file has the same content as when it called. */
  readonly isCurrent: boolean;
}

/** A command that was recorded, to be run at the top of the project. */
export interface RecordedCommand {
  readonly run: readonly string[];
  /** Files of the tests that it ran. */
  readonly files: ReadonlySet<string>;
}

/** How much of the project's tests the records hold. */
export interface SeenExtent {
  /** Tests of the last whole run that are recorded. */
  readonly recorded: number;
  /** Tests that the runners counted in that run; null where they counted none. */
  readonly counted: number | null;
  /** What most of the records are of. */
  readonly unit: TestUnit;
  /** ISO time of that run. */
  readonly recordedAt: string;
  /** The commit that was checked out then; null without git. */
  readonly commit: string | null;
  /** How many commits HEAD is ahead of it; null where that is not known. */
  readonly commitsAgo: number | null;
  /** Files whose content is another one than in that run, new and removed ones among them. */
  readonly changed: readonly string[];
  /** The commands that were recorded on this machine; absent where all records came from elsewhere. */
  readonly commands?: readonly RecordedCommand[];
}

/** What is known in one state of the files. */
export interface SeenState {
  readonly extent: SeenExtent;
  /** Tests that ran any of the functions. */
  findTests(functions: readonly FunctionName[]): SeenTests;
  /** Functions of other files that were seen to call one, by path and line. */
  findCallers(callee: FunctionName): readonly SeenCall[];
}

/** Reads what was seen of a project. */
export interface SeenRuns {
  /** What is known for the files as they are now; null where no run was ever recorded. Never fails. */
  load(): Promise<SeenState | null>;
}

/** Records of runs that travel with what is shared. */
export interface SharedRecords {
  /** The keys of the runs that this machine gives: those of the last whole record that it made. */
  list(): Promise<readonly SharedKey[]>;
  /**
   * A run as others can read it; null where nothing is left of it to give.
   *
   * @param mayGive says of the short hash of a content whether others may know of it.
   */
  read(key: SharedKey, mayGive: (hash: string) => boolean): Promise<Uint8Array | null>;
  /** The packs that were taken, by name: why one is refused, or an empty text. */
  readPacks(): Promise<ReadonlyMap<string, string>>;
  /**
   * Takes the runs of a pack.
   *
   * @throws {UnfitRecord} where one is in no form.
   * @throws {CodeIntelError} `io_failed`, `disk_full`, `busy`.
   */
  take(
    pack: { readonly name: string; readonly maker: string },
    records: readonly Uint8Array[],
  ): Promise<void>;
}

/** Where no feature watches runs. */
export const NO_RUNS: SeenRuns = { load: () => Promise.resolve(null) };

function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}

/** `14 tests`, `1 test file`, `3 neighbouring tests`. */
function formatUnits(unit: TestUnit, count: number, prefix = formatNumber(count)): string {
  const what = unit === "test" ? unit : unit === "group" ? "neighbouring test" : `test ${unit}`;
  return `${prefix} ${what}${count === 1 ? "" : "s"}`;
}

/** How many tests ran a function: `14 tests`; of neighbours that were recorded together `some of 14 neighbouring tests`. */
export function formatRan(unit: TestUnit, count: number): string {
  return `${unit === "group" ? "some of " : ""}${formatUnits(unit, count)}`;
}

/** The unit that is said of some tests. */
export function findUnit(tests: readonly Pick<SeenTest, "unit">[]): TestUnit {
  const units = new Set(tests.map(({ unit }) => unit));
  const [first = "test"] = units;
  return units.has("group") ? "group" : units.size > 1 ? "test" : first;
}

/** What replies say of the extent: `recorded for 812 of 1,010 tests, 3 commits ago`. Pure. */
export function formatExtent({ recorded, counted, unit, commitsAgo, changed }: SeenExtent): string {
  const isAll = counted === null || counted === recorded;
  const of = isAll ? "" : ` of ${formatNumber(counted)}`;
  const units = formatUnits(unit, isAll ? recorded : counted, `${formatNumber(recorded)}${of}`);
  const many = (value: number, word: string) =>
    `${formatNumber(value)} ${word}${value === 1 ? "" : "s"}`;
  const age = commitsAgo === null || commitsAgo === 0 ? "" : `, ${many(commitsAgo, "commit")} ago`;
  const since = changed.length === 0 ? "" : `, ${many(changed.length, "file")} changed since`;
  return `recorded for ${units}${age}${since}`;
}

/** How Go names a test of a package: `example.com/shop.TestAdd`. */
const OF_PACKAGE = /^[^\s:]*?\.(?=(?:Test|Example|Fuzz|Benchmark)[^\s.]*(?:\/|$))/;

/** The name of a test without its file or package; of a whole file its name without its folder. */
export function formatTestTitle({ name, file }: Pick<SeenTest, "name" | "file">): string {
  if (name === file) return file.slice(file.lastIndexOf("/") + 1);
  return name.startsWith(file)
    ? name.slice(file.length).replace(/^[\s:>]+/, "")
    : name.replace(OF_PACKAGE, "");
}

/** Titles of tests by their file, in their order. */
export function groupTitles(
  tests: readonly Pick<SeenTest, "name" | "file" | "unit">[],
): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(tests, ({ file }) => file);
  return new Map([...groups].map(([file, own]) => {
    return [file, own.filter(({ unit }) => unit !== "file").map(formatTestTitle)];
  }));
}

/**
 * What replies say of one function: `run by 14 tests, nearest test_a.py: test_b`. Null where nothing was recorded of it.
 *
 * @param found the tests of this function alone; none where their number is not to be said.
 */
export function formatRunBy({ tests, functions: [own] }: SeenTests): string | null {
  if (own === undefined || own.seen === "not recorded") return null;
  const past = own.isCurrent ? "" : "; its file changed since";
  const [nearest] = tests;
  if (own.seen === "not run") return `not run by any recorded test${past}`;
  if (own.seen === "run at import" || nearest === undefined) return `${own.seen}${past}`;
  const { file, name } = nearest;
  const unit = findUnit(tests);
  const base = name === file ? "" : `${file.slice(file.lastIndexOf("/") + 1)}: `;
  const title = clip(`${base}${formatTestTitle(nearest)}`, MAX_TITLE_CHARS);
  const word = unit === "group" ? "such as" : "nearest";
  return `run by ${formatRan(unit, tests.length)}, ${word} \`${title}\`${past}`;
}

/** Longer names of tests are cut. */
const MAX_TITLE_CHARS = 90;

/** Whether every test was recorded on the files as they are now; `except` may have changed, since they are asked about. */
export function isWholeExtent(
  { recorded, counted, changed }: SeenExtent,
  except: readonly string[] = [],
): boolean {
  return counted !== null && recorded >= counted &&
    changed.every((path) => except.includes(path));
}
