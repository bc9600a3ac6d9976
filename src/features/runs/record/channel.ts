/**
 * Reads what tracers wrote inside of the project's processes: one file for each process, one JSON object a line. A test can
 * write there too, so nothing is trusted: a wrong row is dropped, each list has a bound, and both are told. Pure.
 */
import { isRecord, parseJson } from "../../../base/text/json_record.ts";
import type { JsonRecord } from "../../../base/text/json_record.ts";
import { parseRepoPath } from "../../../base/repo_path.ts";
import type { RanFunction, RecordedCall, RecordedTest, Recording } from "./recording.ts";

/** The variable that names the folder of the channel, for every tracer. */
export const CHANNEL_VARIABLE = "CODE_INTEL_RUNS";
/** The variable that names the folder of the run, which paths are relative to. */
export const ROOT_VARIABLE = "CODE_INTEL_RUNS_ROOT";

/** Bounds of one record (guessed: twice the largest suites that are known to us). */
const MOST = { functions: 200_000, tests: 100_000, facts: 30_000_000, calls: 500_000 } as const;
/** Longest line, and longest text in it, in characters. */
const MOST_LINE = 4_194_304;
const MOST_TEXT = 4_000;
/** The worst outcome of a test counts where several processes tell one. */
const OUTCOMES = ["unknown", "skipped", "passed", "failed"] as const;
const UNITS = ["test", "group", "file", "package"] as const;

/** The note of a run that did not come to its end. */
export const STOPPED =
  "The run ended before all of its tests had run: mend what fails, or record without the option that stops at a failure.";
/** The note of a run of some of the tests. */
export const SELECTED =
  "An option, a setting or `only` left tests out: record a command that runs all of them.";

/** What a tracer knows to be missing, by the word that it writes in a row of its end. */
const MISSING = new Map([
  ["coverage", "A process counts coverage itself and was not watched: record without coverage."],
  ["stopped", STOPPED],
  ["selected", SELECTED],
]);

/** A test while it is put together. */
type OpenTest = { -readonly [Key in keyof RecordedTest]: RecordedTest[Key] };

/** What a record is read with. */
export interface ChannelOptions {
  /** Absolute real path of the folder of the run; rows of processes with another one are dropped. */
  readonly root: string;
  /** The function of the project that a tracer tells; null for one that is not looked at. */
  readonly place: (told: RanFunction) => RanFunction | null;
  /** The file of a test that a tracer tells, empty for none; absent where it tells the path itself. */
  readonly findFile?: (told: string) => string;
}

/**
 * Puts the files of the processes together: `startProcess()`, then `addLine()` for each of its lines, and `toRecording()`
 * at the end. Tests of several processes with the same name are one test.
 */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #functions: RanFunction[] = [];
  readonly #positions = new Map<string, number>();
  readonly #tests = new Map<string, OpenTest>();
  readonly #merged = new Set<string>();
  readonly #loaded = new Set<number>();
  readonly #calls = new Map<string, RecordedCall>();
  readonly #reasons = new Set<string>();
  /** What the present process calls its functions; -1 for one that is not looked at. */
  #ids = new Map<number, number>();
  /** Whether it ended well, or writes each fact at once so that nothing is lost when it is killed. */
  #isComplete = true;
  #bails = false;
  #runner = "";
  #facts = 0;
  #cut = 0;
  #wrong = 0;
  #unended = 0;
  #processes = 0;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /** Begins the file of another process. */
  startProcess(): void {
    if (!this.#isComplete) this.#unended++;
    this.#ids = new Map();
    this.#isComplete = false;
  }

  /** Takes one line without its end; a line that is no row of a tracer is counted and dropped. */
  addLine(text: string): void {
    const row = text.length > MOST_LINE ? null : parseJson(text);
    if (!isRecord(row) || !this.#addRow(row)) this.#wrong++;
  }

  /** Notes why something is missing. */
  lack(why: string): void {
    this.#reasons.add(why);
  }

  /** Tells that a file, or the rest of one, was not read. */
  cut(): void {
    this.#cut++;
  }

  /** What all processes told. */
  toRecording(): Recording {
    this.startProcess();
    const failed = this.#tests.values().some(({ outcome }) => outcome === "failed");
    if (this.#bails && failed) this.#reasons.add(STOPPED);
    const notes = [
      this.#processes === 0 && this.#reasons.size === 0
        ? "No process of the run wrote a record."
        : "",
      count(this.#unended, "process", "es", "ended before its tracer could write its last row"),
      count(this.#wrong, "row", "s", "of the tracer could not be read"),
      count(this.#cut, "fact", "s", "did not fit into the bounds of a record"),
      ...this.#reasons,
    ].filter((note) => note !== "");
    return {
      runner: this.#runner,
      functions: this.#functions,
      tests: [...this.#tests.values()].map((test) =>
        this.#merged.has(test.name) ? { ...test, ran: [...new Set(test.ran)] } : test
      ),
      loaded: [...this.#loaded],
      calls: [...this.#calls.values()],
      isWhole: notes.length === 0,
      notes,
    };
  }

  /** False where the row is none. */
  #addRow({ process, fn, test, loaded, calls, end }: JsonRecord): boolean {
    if (isRecord(process)) return this.#addProcess(process);
    if (Array.isArray(fn)) return this.#addFunction(fn);
    if (isRecord(test)) return this.#addTest(test);
    if (Array.isArray(loaded)) {
      const found = this.#find(loaded);
      found?.forEach((position) => this.#loaded.add(position));
      return found !== null;
    }
    if (Array.isArray(calls)) return calls.every((call) => this.#addCall(call));
    // The runner stops at failures: whether there was one is known at the end.
    if (end === "bail") return this.#bails = true;
    const reason = MISSING.get(String(end));
    if (reason !== undefined) this.#reasons.add(reason);
    // A process that begins another file of tests is open again.
    this.#isComplete = end !== false;
    return typeof end === "boolean" || reason !== undefined;
  }

  #addProcess({ runner, root, direct }: JsonRecord): boolean {
    if (root !== this.#options.root) return false;
    if (this.#runner === "" && isText(runner)) this.#runner = runner;
    this.#processes++;
    this.#isComplete = direct === true;
    return true;
  }

  #addFunction([id, path, line, name]: readonly unknown[]): boolean {
    if (!isCount(id) || !isText(path) || !isCount(line) || !isText(name)) return false;
    if (!this.#isPath(path)) return false;
    const found = this.#options.place({ path, line, name });
    this.#ids.set(id, found === null ? -1 : this.#intern(found));
    return true;
  }

  /** The position of a function; -1 where there are too many. */
  #intern({ path, line, name }: RanFunction): number {
    const key = `${path}\0${line}\0${name}`;
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    if (this.#isFull(this.#functions.length, MOST.functions)) return -1;
    this.#positions.set(key, this.#functions.length);
    return this.#functions.push({ path, line, name }) - 1;
  }

  #addTest({ name, file, unit, outcome, ms, ran }: JsonRecord): boolean {
    if (!isText(name) || name === "" || !isText(file) || !Array.isArray(ran)) return false;
    const known = UNITS.find((one) => one === unit);
    const how = OUTCOMES.find((one) => one === outcome);
    const found = this.#find(ran);
    if (known === undefined || how === undefined || found === null) return false;
    if (file !== "" && !this.#isPath(file)) return false;
    const took = typeof ms === "number" && ms > 0 && ms < 1e9 ? ms : 0;
    const own = { name, file: this.#options.findFile?.(file) ?? file, unit: known, ms: took };
    const test = this.#tests.get(name);
    if (test === undefined && this.#isFull(this.#tests.size, MOST.tests)) return true;
    if (this.#isFull(this.#facts + found.length, MOST.facts)) return true;
    this.#facts += found.length;
    if (test === undefined) {
      this.#tests.set(name, { ...own, outcome: how, ran: found });
      return true;
    }
    this.#merged.add(name);
    test.ran = test.ran.concat(found);
    test.file ||= own.file;
    test.ms = Math.max(test.ms, took);
    if (OUTCOMES.indexOf(how) > OUTCOMES.indexOf(test.outcome)) test.outcome = how;
    return true;
  }

  #addCall(call: unknown): boolean {
    if (!Array.isArray(call)) return false;
    const found = this.#find(call.slice(0, 2));
    const line: unknown = call[2];
    if (found === null || !isCount(line)) return false;
    const [caller, callee] = found;
    const key = `${caller},${callee},${line}`;
    // One of the two is not looked at, or the call is known.
    if (caller === undefined || callee === undefined || this.#calls.has(key)) return true;
    if (!this.#isFull(this.#calls.size, MOST.calls)) this.#calls.set(key, [caller, callee, line]);
    return true;
  }

  /** The positions of functions of this process, without those that are not looked at; null where one is unknown. */
  #find(ids: readonly unknown[]): readonly number[] | null {
    const found = ids.map((id) => this.#ids.get(id as number));
    return found.every((position) => position !== undefined)
      ? found.filter((position) => position >= 0)
      : null;
  }

  /** Whether it is a path below the root as it should be written. */
  #isPath(path: string): boolean {
    const found = parseRepoPath(this.#options.root, path);
    return found.kind === "path" && found.path === path;
  }

  #isFull(size: number, most: number): boolean {
    if (size >= most) this.#cut++;
    return size >= most;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MOST_TEXT;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** A sentence for a person; empty where there was none. */
function count(number: number, what: string, ending: string, how: string): string {
  return number === 0 ? "" : `${number} ${what}${number === 1 ? "" : ending} ${how}.`;
}
