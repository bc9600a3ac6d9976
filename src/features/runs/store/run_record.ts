/** A recorded run as it is kept and as it travels: what it says, and its bytes. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { packRising, unpackRising } from "../../../analysis/record/pack.ts";
import { expectFit, RecordReader, RecordWriter } from "../../../analysis/record/record_bytes.ts";
import type { FunctionName, TestUnit } from "../../../index/seen_runs.ts";
import type { RecordedCall, RecordedTest } from "../record/recording.ts";

/** Units from the smallest to the largest; the order is part of the form. */
const UNITS: readonly TestUnit[] = ["test", "group", "file", "package"];
/** Begins each record. */
const FORM = "code-intel run 1";

/** What is said of a run of one command. */
export interface RunFacts {
  /** Folder of the project in its worktree; empty for the top. */
  readonly project: string;
  /** The same for all commands of one occasion. */
  readonly batch: string;
  /** ISO time of its start. */
  readonly at: string;
  /** The commit that was checked out; null without git. */
  readonly head: string | null;
  readonly runner: string;
  /** The words of the command. */
  readonly command: readonly string[];
  /** Tests that the runner counted; null where it counted none. */
  readonly counted: number | null;
  /** Commands with tests of the batch, those that cannot be watched included; 0 for a run that is no whole one. */
  readonly commands: number;
  /** Whether all that it ran is here. */
  readonly isWhole: boolean;
  /** Sentences for people. */
  readonly notes: readonly string[];
  /** Absent of a run of this machine. */
  readonly shared?: {
    /** The pack in which it came. */
    readonly pack: string;
    /** Who made the pack, by its own word. */
    readonly maker: string;
  };
}

/** What a recorded run of one command gave, in the words of the index. */
export interface RunRecord extends RunFacts {
  /** Hashes of the contents of all files of the index at the run, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly functions: readonly FunctionName[];
  /** In the order in which they ran; `ran` and the numbers below are positions in the functions. */
  readonly tests: readonly Omit<RecordedTest, "outcome">[];
  readonly loaded: readonly number[];
  readonly calls: readonly RecordedCall[];
}

/** A test that a run has. */
export interface StoredTest extends Pick<RecordedTest, "name" | "file" | "unit" | "ms"> {
  /** How many functions it ran. */
  readonly functions: number;
}

/** A function that ran. */
export interface StoredFunction extends FunctionName {
  /** Whether it ran outside of every test. */
  readonly isLoaded: boolean;
  /** Where stretches of its tests begin and end, by position in the run; {@link unpackNumbers} reads it. */
  readonly stretches: Uint8Array;
}

/** A run with its tests by function. */
export interface StoredRun extends Omit<RunRecord, "functions" | "tests" | "loaded"> {
  readonly functions: readonly StoredFunction[];
  readonly tests: readonly StoredTest[];
}

/** Rising numbers as bytes. */
export function packNumbers(rising: readonly number[]): Uint8Array {
  return deflateRawSync(packRising(rising));
}

/**
 * The numbers of {@link packNumbers}.
 *
 * @param mostBytes more than so many bytes of numbers fail.
 */
export function unpackNumbers(bytes: Uint8Array, mostBytes?: number): number[] {
  const options = mostBytes === undefined ? {} : { maxOutputLength: mostBytes };
  return unpackRising(inflateRawSync(bytes, options));
}

/** Puts the tests of a record by function. */
export function packRun(record: RunRecord): StoredRun {
  const { functions, tests, loaded, ...facts } = record;
  const ends = functions.map((): number[] => []);
  tests.forEach(({ ran }, at) => {
    for (const one of ran) {
      const own = ends[one];
      if (own === undefined || own.at(-1) === at + 1) continue;
      if (own.at(-1) === at) own[own.length - 1] = at + 1;
      else own.push(at, at + 1);
    }
  });
  const isEarly = new Set(loaded);
  return {
    ...facts,
    tests: tests.map(({ ran, ...test }) => ({ ...test, functions: ran.length })),
    functions: functions.map(({ path, name }, at) => ({
      ...{ path, name, isLoaded: isEarly.has(at) },
      stretches: packNumbers(ends[at] ?? []),
    })),
  };
}

/** A run as bytes. */
export function encodeRun(run: StoredRun): Uint8Array {
  const writer = new RecordWriter();
  const text = (one: string) => writer.text(one);
  const number = (one: number) => writer.number(one);
  const each = <T>(all: readonly T[], write: (one: T) => void) => {
    number(all.length);
    for (const one of all) write(one);
  };
  const { project, batch, at, head, runner, shared, counted, commands, isWhole } = run;
  const { pack = "", maker = "" } = shared ?? {};
  [FORM, project, batch, at, head ?? "", runner, pack, maker].forEach(text);
  [counted === null ? 0 : counted + 1, commands, isWhole ? 1 : 0].forEach(number);
  each(run.command, text);
  each(run.notes, text);
  each([...run.files], (names) => names.forEach(text));
  each(run.tests, ({ file, name, unit, ms, functions }) => {
    [file, name].forEach(text);
    [UNITS.indexOf(unit), Math.round(ms), functions].forEach(number);
  });
  each(run.functions, ({ path, name, isLoaded, stretches }) => {
    [path, name].forEach(text);
    number(isLoaded ? 1 : 0);
    writer.bytes(stretches);
  });
  each(run.calls, (call) => call.forEach(number));
  return writer.toBytes();
}

/**
 * The run of some bytes. Its names and its stretches are as they were written, whoever wrote them.
 *
 * @param most of more files, tests, functions or calls it is in no form.
 * @throws {UnfitRecord}
 */
export function decodeRun(bytes: Uint8Array, most = bytes.length): StoredRun {
  const reader = new RecordReader(bytes);
  const text = () => reader.text();
  const number = () => reader.number();
  const each = <T>(read: () => T) =>
    Array.from({ length: reader.number(Math.min(most, bytes.length)) }, read);
  expectFit(text() === FORM, "it is no run of this version");
  const [project, batch, at, head] = [text(), text(), text(), text()];
  const [runner, pack, maker] = [text(), text(), text()];
  const counted = number();
  const [commands, isWhole] = [number(), number() === 1];
  const [command, notes] = [each(text), each(text)];
  const files = each(() => [text(), text()] as const);
  const tests = each(() => {
    const [file, name, unit = "file"] = [text(), text(), UNITS[number()]];
    return { file, name, unit, ms: number(), functions: number() };
  });
  const functions = each(() => {
    const [path, name, isLoaded] = [text(), text(), number() === 1];
    return { path, name, isLoaded, stretches: reader.bytes() };
  });
  const last = functions.length - 1;
  const calls = each(() => [reader.number(last), reader.number(last), number()] as const);
  expectFit(reader.isDone, "something follows a run");
  return {
    ...{ project, batch, at, head: head === "" ? null : head, runner, command, commands },
    ...{ counted: counted === 0 ? null : counted - 1, isWhole, notes, files: new Map(files) },
    ...{ tests, functions, calls },
    ...(pack === "" ? {} : { shared: { pack, maker } }),
  };
}
