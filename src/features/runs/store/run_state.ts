/**
 * Answers from recorded runs for one state of the project's files. A test counts by its newest recording whose contents
 * are the present ones, first that of its own file, then that of the function; else by its newest one. A test that was
 * removed does not count.
 */
import { getOrInsert } from "../../../base/once.ts";
import type {
  FunctionName,
  SeenCall,
  SeenExtent,
  SeenFunction,
  SeenState,
  SeenTest,
  SeenTests,
} from "../../../index/seen_runs.ts";
import type { RecordedCall } from "../record/recording.ts";
import type { StoredFunction, StoredRun, StoredTest } from "./run_record.ts";
import { unpackNumbers } from "./run_record.ts";

/** The newest run of each command of the last whole batch, else of all; `isWhole` says which. */
export function pickLastBatch<Run extends StoredRun>(
  runs: readonly Run[],
): { readonly runs: readonly Run[]; readonly isWhole: boolean } {
  const pickNewest = (all: readonly Run[]) => {
    const words = all.map(({ command }) => JSON.stringify(command));
    return all.filter((_, at) => words.indexOf(words[at] ?? "") === at);
  };
  const batches = [...Map.groupBy(runs, ({ batch }) => batch).values()].map(pickNewest);
  // Each command of a whole batch was recorded as a whole.
  const whole = batches.find((all) =>
    all.filter(({ isWhole }) => isWhole).length === all[0]?.commands
  );
  return { runs: whole ?? pickNewest(runs), isWhole: whole !== undefined };
}

/** One run, as questions need it. */
interface RunTables {
  readonly run: StoredRun;
  /** Numbers of its tests among those of all runs. */
  readonly ids: readonly number[];
  readonly pathsByHash: ReadonlyMap<string, readonly string[]>;
  /** Positions of its functions. */
  readonly byPath: ReadonlyMap<string, readonly number[]>;
  readonly callsByCallee: ReadonlyMap<number, readonly RecordedCall[]>;
}

/** What is made once of the runs, whatever the files are now. */
export interface RunsTables {
  /** The newest first. */
  readonly runs: readonly RunTables[];
  /** Tests of all runs by number, as their newest recording has them. */
  readonly tests: readonly StoredTest[];
  /** Their numbers: those that run fewer functions first, of these the shorter. */
  readonly nearest: readonly number[];
}

/** Makes it of the runs of a project, the newest first. */
export function buildTables(runs: readonly StoredRun[]): RunsTables {
  const numbers = new Map<string, Map<string, number>>();
  const tests: StoredTest[] = [];
  const tables = runs.map((run): RunTables => ({
    run,
    ids: run.tests.map((test) => {
      const ofFile = getOrInsert(numbers, test.file, () => new Map<string, number>());
      return getOrInsert(ofFile, test.name, () => tests.push(test) - 1);
    }),
    pathsByHash: new Map(
      [...Map.groupBy(run.files, ([, hash]) => hash)]
        .map(([hash, files]) => [hash, files.map(([path]) => path)]),
    ),
    byPath: Map.groupBy(run.functions.keys(), (at) => run.functions[at]?.path ?? ""),
    callsByCallee: Map.groupBy(run.calls, ([, callee]) => callee),
  }));
  const nearest = [...tests.keys()].sort((a, b) => {
    const [one, other] = [tests[a], tests[b]];
    if (one === undefined || other === undefined) return 0;
    return one.functions - other.functions || one.ms - other.ms || a - b;
  });
  return { runs: tables, tests, nearest };
}

/** The answers. */
export class RunState implements SeenState {
  readonly extent: SeenExtent;
  readonly #tables: RunsTables;
  /** Hashes of the present contents of the files of the index, by path. */
  readonly #now: ReadonlyMap<string, string>;
  /** Positions of the runs of the last batch, and whether that is a whole one. */
  readonly #last: readonly number[];
  readonly #isWhole: boolean;
  /** Where the files of tests are now that were moved as they are, by their former paths. */
  readonly #moved: ReadonlyMap<string, string>;
  /** By number 1 for each test that is there no more. */
  readonly #gone: Uint8Array;
  /** The run by which each test counts, or 255, by which runs have the function's present content. */
  readonly #counting = new Map<string, Uint8Array>();

  constructor(tables: RunsTables, now: ReadonlyMap<string, string>, commitsAgo: number | null) {
    this.#tables = tables;
    this.#now = now;
    const runs = tables.runs.map(({ run }) => run);
    const last = pickLastBatch(runs);
    this.#last = last.runs.map((run) => runs.indexOf(run));
    this.#isWhole = last.isWhole;
    this.#moved = this.#listMoved();
    this.#gone = this.#listGone();
    this.extent = this.#measure(last.runs, commitsAgo);
  }

  findTests(functions: readonly FunctionName[]): SeenTests {
    const { tests, nearest } = this.#tables;
    const asked = new Uint16Array(tests.length);
    const said = functions.map((one) => this.#askFunction(one, asked));
    const levels: SeenTest[][] = [];
    const usual = this.#countBy([]);
    for (const id of nearest) {
      const [times = 0, test] = [asked[id], tests[id]];
      if (times === 0 || test === undefined) continue;
      const file = this.#findFile(test.file);
      const isNamed = test.name.startsWith(test.file);
      const name = isNamed ? file + test.name.slice(test.file.length) : test.name;
      const isCurrent = this.#isPresent(usual[id] ?? NO_RUN, file);
      (levels[times] ??= []).push({ ...test, file, name, isCurrent });
    }
    return { tests: levels.reverse().flat(), functions: said };
  }

  findCallers({ path, name }: FunctionName): readonly SeenCall[] {
    const { runs } = this.#tables;
    const found = runs.flatMap(({ run, byPath, callsByCallee }, at) =>
      [path, ...this.#listSame(at, path)].flatMap((one) => byPath.get(one) ?? [])
        .filter((place) => run.functions[place]?.name === name)
        .flatMap((place) => callsByCallee.get(place) ?? [])
        .flatMap(([caller, , line]) => {
          const from = run.functions[caller];
          // What is no file of the project now has no place.
          if (from === undefined || !this.#now.has(from.path)) return [];
          const isCurrent = this.#isPresent(at, from.path);
          const call = { caller: { path: from.path, name: from.name }, line: line || null };
          return [{ ...call, isCurrent, run: at }];
        })
    );
    // Where a run has the caller as it is now, others say what it did before; else the newest run counts.
    const calls = [...Map.groupBy(found, ({ caller }) => caller.path)].flatMap(([from, own]) => {
      const isKnown = runs.some(({ run }, at) => run.isWhole && this.#isPresent(at, from));
      return own.filter(({ isCurrent, run }) => isKnown ? isCurrent : run === own[0]?.run);
    });
    const byPlace = new Map(
      calls.map(({ run: _, ...call }) =>
        [`${call.caller.path}\n${call.caller.name}\n${call.line}`, call] as const
      ),
    );
    return [...byPlace.values()].sort((one, other) =>
      compare(one.caller.path, other.caller.path) || (one.line ?? 0) - (other.line ?? 0)
    );
  }

  /** Counts a function for each test that ran it, and says what is known of it. */
  #askFunction(asked: FunctionName, times: Uint16Array): SeenTests["functions"][number] {
    const { runs } = this.#tables;
    const present = runs.flatMap((_, run) => this.#isPresent(run, asked.path) ? [run] : []);
    const counting = this.#countBy(present);
    const [by, loaded, done] = [new Set<number>(), new Set<number>(), new Set<number>()];
    runs.forEach(({ ids }, run) => {
      for (const { isLoaded, stretches } of this.#listFunctions(run, asked)) {
        if (isLoaded) loaded.add(run);
        const ends = readEnds(stretches, ids.length);
        for (let at = 0; at < ends.length; at += 2) {
          for (const id of ids.slice(ends[at], ends[at + 1])) {
            if (counting[id] !== run || done.has(id)) continue;
            done.add(id);
            by.add(run);
            times[id] = (times[id] ?? 0) + 1;
          }
        }
      }
    });
    const isAbsent = this.#isWhole && this.#last.every((run) => present.includes(run));
    const from = by.size > 0 ? [...by] : isAbsent ? this.#last : [...loaded];
    const seen: SeenFunction = by.size > 0
      ? "run by tests"
      : from.some((run) => loaded.has(run))
      ? "run at import"
      : isAbsent
      ? "not run"
      : "not recorded";
    return { seen, isCurrent: from.length > 0 && from.every((run) => present.includes(run)) };
  }

  /** The function, and what lies in it, as a run has it: by path, else by content. */
  #listFunctions(run: number, { path, name }: FunctionName): readonly StoredFunction[] {
    const tables = this.#tables.runs[run];
    const find = (one: string) =>
      (tables?.byPath.get(one) ?? []).flatMap((at) => tables?.run.functions[at] ?? [])
        .filter((own) => own.name === name || own.name.startsWith(`${name}.`));
    const own = find(path);
    return own.length > 0 ? own : this.#listSame(run, path).flatMap(find);
  }

  /** Other paths at which a run has the present content of a file. */
  #listSame(run: number, path: string): readonly string[] {
    const hash = this.#now.get(path) ?? "";
    return (this.#tables.runs[run]?.pathsByHash.get(hash) ?? []).filter((one) => one !== path);
  }

  /** Whether a run has the present content of a file, at whatever path. */
  #isPresent(run: number, path: string): boolean {
    return this.#tables.runs[run]?.pathsByHash.has(this.#now.get(path) ?? "") === true;
  }

  /** Files of tests that are gone, and whose content lies at a path of which no run has tests. */
  #listMoved(): ReadonlyMap<string, string> {
    const { runs, tests } = this.#tables;
    const known = new Set(tests.map(({ file }) => file));
    const places = new Map([...this.#now].map(([path, hash]) => [hash, path]));
    return new Map([...known].flatMap((file) => {
      if (this.#now.has(file)) return [];
      const hash = runs.find(({ run }) => run.files.has(file))?.run.files.get(file) ?? "";
      const place = places.get(hash);
      return place === undefined || known.has(place) ? [] : [[file, place] as const];
    }));
  }

  /** Where a file of tests is now. */
  #findFile(file: string): string {
    return this.#moved.get(file) ?? file;
  }

  /** Tests whose file was removed, and those that a whole batch lacks though their file was as it is now. */
  #listGone(): Uint8Array {
    const { tests, runs } = this.#tables;
    const batch = new Set(this.#last.flatMap((run) => runs[run]?.ids ?? []));
    const current = new Set(
      runs.flatMap(({ ids }, run) =>
        ids.filter((id) => this.#isPresent(run, this.#findFile(tests[id]?.file ?? "")))
      ),
    );
    return Uint8Array.from(tests, ({ file: former }, id) => {
      const file = this.#findFile(former);
      const isLacking = this.#isWhole && !batch.has(id);
      // A file that no run lists is none of the index: whether it is there is not known.
      const isGone = this.#now.has(file)
        ? isLacking && !current.has(id) && this.#last.every((run) => this.#isPresent(run, file))
        : isLacking || runs.some(({ run }) => run.files.has(file));
      return isGone ? 1 : 0;
    });
  }

  /** By which run each test counts where these runs, the newest first, have the function's present content. */
  #countBy(present: readonly number[]): Uint8Array {
    return getOrInsert(this.#counting, present.join(), () => {
      const { tests, runs } = this.#tables;
      const counting = new Uint8Array(tests.length).fill(NO_RUN);
      const best = new Uint8Array(tests.length);
      runs.forEach(({ ids }, run) => {
        const bonus = present.includes(run) ? 2 : 1;
        for (const id of ids) {
          const isSame = this.#isPresent(run, this.#findFile(tests[id]?.file ?? ""));
          const rank = (isSame ? 2 : 0) + bonus;
          if (rank <= (best[id] ?? 0) || this.#gone[id] === 1) continue;
          best[id] = rank;
          counting[id] = run;
        }
      });
      return counting;
    });
  }

  #measure(runs: readonly StoredRun[], commitsAgo: number | null): SeenExtent {
    const ids = this.#last.flatMap((run) => this.#tables.runs[run]?.ids ?? []);
    // Parts of a suite may have the same tests.
    const recorded = this.#isWhole ? ids.length : new Set(ids).size;
    const counted = this.#isWhole && runs.every((run) => run.counted !== null)
      ? runs.reduce((sum, run) => sum + (run.counted ?? 0), 0)
      : null;
    const then = new Map<string, string>();
    const changed = new Set<string>();
    for (const [path, hash] of runs.flatMap(({ files }) => [...files])) {
      // Two contents of one file in one batch: it changed between its runs.
      if (getOrInsert(then, path, () => hash) !== hash) changed.add(path);
    }
    for (const path of [...then.keys(), ...this.#now.keys()]) {
      if (then.get(path) !== this.#now.get(path)) changed.add(path);
    }
    const units = Map.groupBy(runs.flatMap(({ tests }) => tests), ({ unit }) => unit);
    const [commonest] = [...units].sort(([, a], [, b]) => b.length - a.length);
    const oldest = runs.at(-1);
    // What others say that they ran is never handed to a shell here.
    const own = runs.filter(({ shared }) => shared === undefined);
    return {
      recorded,
      counted: counted === null ? null : Math.max(counted, recorded),
      unit: commonest?.[0] ?? "test",
      recordedAt: oldest?.at ?? "",
      commit: oldest?.head ?? null,
      commitsAgo,
      changed: [...changed].sort(),
      ...(own.length === 0 ? {} : {
        commands: own.map(({ command: run, tests }) => {
          return { run, files: new Set(tests.map(({ file }) => this.#findFile(file))) };
        }),
      }),
    };
  }
}

/** Bytes of a number of a test, at most. */
const NUMBER_BYTES = 5;

/** A test may have written into the store: what is no list says nothing. */
function readEnds(stretches: Uint8Array, tests: number): readonly number[] {
  try {
    return unpackNumbers(stretches, NUMBER_BYTES * (tests + 1));
  } catch {
    return [];
  }
}

/** Stands for no run: fewer than this are kept. */
const NO_RUN = 255;

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
