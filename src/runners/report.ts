/**
 * What a test runner said of a run: how many tests ran, which failed, which were left out. Pure. The formats
 * are in the rows of the runners.
 */

/** A test that failed, or a file whose tests could not even begin. */
export interface Failure {
  /** As the runner names it, stable from run to run. */
  readonly name: string;
  /** First line of the message; empty where the output has none. */
  readonly line: string;
}

/** Counts of one test file. */
export interface FileCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What a runner said of its tests. */
export interface TestReport {
  /** Name of the runner, with its version where the output has it. */
  readonly runner: string;
  /** What is counted: `go test` without `-v` says only how its packages did. */
  readonly unit: "tests" | "packages";
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Files, suites or builds that broke before their tests could run; they are among `failures`. */
  readonly errors: number;
  readonly failures: readonly Failure[];
  /** What ended in the middle and why, such as `a package (panic)`: tests behind it did not run. Absent where nothing did. */
  readonly cut?: readonly string[];
  /** Whether `failures` names everything that failed. */
  readonly isComplete: boolean;
  /** Names of tests that passed and that were skipped; absent where the output does not name all of them. */
  readonly names?: { readonly passed: readonly string[]; readonly skipped: readonly string[] };
  /** Counts by test file; absent where the output has none. */
  readonly files?: Readonly<Record<string, FileCount>>;
}

/** Reads the lines of an output; null where it is not of this runner. */
export type ReportFormat = (lines: readonly string[]) => TestReport | null;

/** Number of tests that came to a verdict. */
export function countRan({ passed, failed }: Pick<TestReport, "passed" | "failed">): number {
  return passed + failed;
}

/** Number of tests that failed, with what broke before its tests could run. */
export function countFailed({ failed, errors }: Pick<TestReport, "failed" | "errors">): number {
  return failed + errors;
}

const MOST_FAILURES = 500;
/** Above this number of tests only counts are kept, so that the stored run stays small. */
const MOST_NAMES = 5_000;
const MOST_FILES = 2_000;
const MOST_CUT = 20;
const NAME_CHARS = 300;
const LINE_CHARS = 200;

/** Words and signs of runners for tests that passed, and for those that were left out. */
const PASSED = /^(?:ok|pass(?:ed)?|✓|✔)$/i;
const SKIPPED = /^(?:ignored|skip(?:ped)?|expected failure|↓|not run \(disabled\))$/i;

type Counts = Pick<TestReport, "passed" | "failed" | "skipped">;

/** Collects what the lines of an output say, and makes the report of it. */
export class Tally {
  readonly #runner: string;
  readonly #passed = new Set<string>();
  readonly #skipped = new Set<string>();
  readonly #failures = new Map<string, string>();
  readonly #files = new Map<string, { passed: number; failed: number; skipped: number }>();
  readonly #cut = new Set<string>();
  /** The test of each part that failed. */
  readonly #parts: string[] = [];
  #errors = 0;
  #unnamedErrors = 0;

  constructor(runner: string, version = "") {
    this.#runner = version === "" ? runner : `${runner} ${version}`;
  }

  pass(name: string, file?: string): void {
    addNew(this.#passed, normaliseName(name));
    this.inFile(file, "passed");
  }

  skip(name: string, file?: string): void {
    addNew(this.#skipped, normaliseName(name));
    this.inFile(file, "skipped");
  }

  fail(name: string, line = "", file?: string): void {
    this.explain(name, line);
    this.inFile(file, "failed");
  }

  /** Notes a test by the word for its outcome; one that neither passed nor was skipped failed. */
  note(how: string, name: string, line = "", file?: string): void {
    if (PASSED.test(how)) this.pass(name, file);
    else if (SKIPPED.test(how)) this.skip(name, file);
    else this.fail(name, line, file);
  }

  /** A failure of a list in which each stands for a test of its own, also where two have the same name. */
  failNext(name: string, line = "", file?: string): void {
    const first = normaliseName(name);
    let unique = first;
    for (let copy = 2; this.#failures.has(unique); copy++) unique = `${first} (${copy})`;
    this.#failures.set(unique, line.trim().slice(0, LINE_CHARS));
    this.inFile(file, "failed");
  }

  /** A part of a test that failed: it is compared by itself, and counts as its test. */
  failPart(test: string, which: string, line: string): void {
    this.failNext(`${test} ${which}`, line);
    this.#parts.push(normaliseName(test));
  }

  /** Tests that failed in parts alone, and how many more failures than tests that makes. */
  readParts(): { readonly tests: number; readonly more: number } {
    const tests = new Set(this.#parts.filter((test) => !this.#failures.has(test))).size;
    return { tests, more: this.#parts.length - tests };
  }

  /** What broke before its tests could run. */
  error(name: string, line = ""): void {
    this.explain(name, line);
    this.#errors++;
  }

  /** Something broke that the output does not name. */
  errors(count: number): void {
    this.#errors += count;
    this.#unnamedErrors += count;
  }

  /** What ended before all of its tests had run. */
  cut(name: string): void {
    this.#cut.add(normaliseName(name));
  }

  /** Names a failure, or adds the message of one that is named already. */
  explain(name: string, line: string): void {
    const key = normaliseName(name);
    const known = this.#failures.get(key) ?? "";
    this.#failures.set(key, known !== "" ? known : line.trim().slice(0, LINE_CHARS));
  }

  /** One more test of a file; nothing where the file is not known. */
  inFile(file: string | undefined, how: keyof FileCount, times = 1): void {
    if (file === undefined || file === "" || times === 0) return;
    const path = file.replace(/^\.\//, "");
    const count = this.#files.get(path) ?? { passed: 0, failed: 0, skipped: 0 };
    count[how] += times;
    this.#files.set(path, count);
  }

  /** @param counts those of the runner's own summary, which go before those of the named tests. */
  toReport(counts?: Counts, unit: TestReport["unit"] = "tests"): TestReport {
    const { more } = this.readParts();
    const own = {
      passed: this.#passed.size,
      failed: this.#failures.size - this.#errors + this.#unnamedErrors - more,
      skipped: this.#skipped.size,
    };
    const { passed, failed, skipped } = counts ?? own;
    const isNamed = passed === own.passed && skipped === own.skipped &&
      passed + skipped <= MOST_NAMES && unit === "tests";
    const failures = [...this.#failures].map(([name, line]) => ({ name, line }));
    const isWhole = unit === "packages"
      ? this.#unnamedErrors === 0
      : failures.length - more >= failed + this.#errors;
    return {
      runner: this.#runner,
      unit,
      passed,
      failed,
      skipped,
      errors: this.#errors,
      failures: failures.slice(0, MOST_FAILURES),
      ...(this.#cut.size > 0 ? { cut: [...this.#cut].slice(0, MOST_CUT) } : {}),
      isComplete: isWhole && failures.length <= MOST_FAILURES,
      ...(isNamed ? { names: { passed: [...this.#passed], skipped: [...this.#skipped] } } : {}),
      ...(this.#hasEveryFile(passed + failed + skipped)
        ? { files: Object.fromEntries(this.#files) }
        : {}),
    };
  }

  /** Counts of some files alone would make a file that ran look as if it had not. */
  #hasEveryFile(total: number): boolean {
    let sum = 0;
    for (const { passed, failed, skipped } of this.#files.values()) {
      sum += passed + failed + skipped;
    }
    return this.#files.size > 0 && this.#files.size <= MOST_FILES && sum === total;
  }
}

/** Names that come twice, as in two binaries of one crate, are distinguished by a number. */
function addNew(names: Set<string>, name: string): void {
  let unique = name;
  for (let copy = 2; names.has(unique); copy++) unique = `${name} (${copy})`;
  names.add(unique);
}

/** A name without what differs from run to run: addresses of objects, and times. */
function normaliseName(name: string): string {
  return name.trim().replace(/\b0x[0-9a-f]{4,}\b/gi, "0x…")
    .replace(/\s*\((?:[\d.]+ ?(?:ns|µs|ms|s|sec|m)\s*)+\)$/, "").slice(0, NAME_CHARS);
}

/** The number of a group of a match; 0 where it did not take part. */
export function parseCount(text: string | undefined): number {
  return Number(text ?? 0);
}

/** The sum of the numbers that stand before words: `3 passed, 1 skipped`. */
export function sumOf(text: string | undefined, ...words: readonly string[]): number {
  const read = (word: string) => parseCount(new RegExp(`(\\d+) ${word}\\b`).exec(text ?? "")?.[1]);
  return words.reduce((sum, word) => sum + read(word), 0);
}

/** The sum of the numbers that stand behind names: `failures=3`, `Failures: 3`. */
export function valueOf(text: string | undefined, ...names: readonly string[]): number {
  const read = (name: string) =>
    parseCount(new RegExp(`(?<!\\w )\\b${name}(?:=|: )(\\d+)`).exec(text ?? "")?.[1]);
  return names.reduce((sum, name) => sum + read(name), 0);
}

/** The group of the first line that a pattern finds. */
export function findGroup(lines: readonly string[], pattern: RegExp): string | undefined {
  return lines.map((line) => pattern.exec(line)?.[1]).find(Boolean);
}

/** The first line after `at` that is not blank. */
export function nextLine(lines: readonly string[], at: number): string {
  for (let next = at + 1; next < lines.length && next < at + 6; next++) {
    const line = lines[next]?.trim() ?? "";
    if (line !== "") return line;
  }
  return "";
}

/** The printed report with the names and files of a written one; as printed where the two do not count alike. */
export function addWritten(printed: TestReport | null, written: TestReport): TestReport {
  if (printed === null) return written;
  const isAlike = (["passed", "failed", "skipped", "errors"] as const)
    .every((what) => printed[what] === written[what]);
  if (!isAlike) return printed;
  const { names, files } = written;
  return {
    ...printed,
    ...(names === undefined ? {} : { names }),
    ...(files === undefined ? {} : { files }),
  };
}
