/**
 * Answers from the file of runs for one state of the project's files. A test counts by its newest recording whose contents
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
import type { Connection } from "../../../index/store/database.ts";
import type { KeptRuns } from "./kept_runs.ts";
import { pickLastBatch } from "./kept_runs.ts";
import { unpackNumbers } from "./run_file.ts";
import { UNITS } from "./save_run.ts";

/** What answers are made of. */
export interface RunStateParts {
  readonly kept: KeptRuns;
  /** Hashes of the present contents of the files of the index, by path. */
  readonly now: ReadonlyMap<string, string>;
  readonly commitsAgo: number | null;
  /** Runs over the file as it was when it was read; null where another state of it is there by now. */
  readonly ask: <T>(read: (db: Connection) => T) => T | null;
}

/** Rows of a function in one run. */
interface RanIn {
  readonly isLoaded: boolean;
  /** Where stretches of tests begin and end. */
  readonly stretches: readonly (readonly number[])[];
}

/** The answers. */
export class RunState implements SeenState {
  readonly extent: SeenExtent;
  readonly #parts: RunStateParts;
  readonly #isWhole: boolean;
  /** Whether the file of a test is as it was in a run: 1, 0, and 2 for tests that the run has not; by run and test. */
  readonly #current: readonly Uint8Array[];
  /** By number 1 for each test that is there no more. */
  readonly #gone: Uint8Array;
  /** The run by which each test counts, or 255, by which runs have the function's present content. */
  readonly #counting = new Map<string, Uint8Array>();

  constructor(parts: RunStateParts) {
    const { kept } = this.#parts = parts;
    this.#current = kept.runs.map((_, run) => this.#listCurrent(run));
    this.#gone = this.#listGone();
    const { extent, isWhole } = this.#measure();
    this.extent = extent;
    this.#isWhole = isWhole;
  }

  findTests(functions: readonly FunctionName[]): SeenTests {
    const { kept: { tests, nearest, ...kept } } = this.#parts;
    const asked = new Uint16Array(tests.length);
    const said = this.#parts.ask((db) => functions.map((one) => this.#askFunction(db, one, asked)));
    const unknown = { seen: "not recorded" as const, isCurrent: false };
    const levels: SeenTest[][] = [];
    const usual = this.#countBy([]);
    for (const id of nearest) {
      const [times = 0, test] = [asked[id], tests[id]];
      if (times === 0 || test === undefined) continue;
      (levels[times] ??= []).push({
        name: test.name,
        file: test.file,
        unit: UNITS[test.unit] ?? "file",
        functions: kept.functions[id] ?? 0,
        ms: kept.ms[id] ?? 0,
        isCurrent: this.#current[usual[id] ?? NO_RUN]?.[id] === 1,
      });
    }
    return { tests: levels.reverse().flat(), functions: said ?? functions.map(() => unknown) };
  }

  findCallers({ path, name }: FunctionName): readonly SeenCall[] {
    const { kept, now } = this.#parts;
    const sql = `SELECT run, caller_file, caller, line FROM calls
      WHERE callee_file IN (SELECT value FROM json_each(?)) AND callee = ?`;
    const ids = JSON.stringify(this.#listContents(path));
    const rows = this.#parts.ask((db) => db.all(sql, ids, name)) ?? [];
    const found = rows.flatMap((row) => {
      const from = kept.paths.get(Number(row["caller_file"])) ?? "";
      const run = kept.runs.findIndex(({ id }) => id === row["run"]);
      // Runs of another project in the same repository are none of this one.
      if (run < 0 || !now.has(from)) return [];
      const caller = { path: from, name: String(row["caller"]) };
      const line = Number(row["line"]) || null;
      return [{ caller, line, isCurrent: this.#isPresent(run, from), run }];
    }).sort((one, other) => one.run - other.run);
    // Where a run has the caller as it is now, others say what it did before; else the newest run counts.
    const calls = [...Map.groupBy(found, ({ caller }) => caller.path)].flatMap(([from, own]) => {
      const isKnown = kept.runs.some((run, at) => run.isWhole && this.#isPresent(at, from));
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
  #askFunction(
    db: Connection,
    { path, name }: FunctionName,
    asked: Uint16Array,
  ): SeenTests["functions"][number] {
    const { kept } = this.#parts;
    const present = kept.runs.flatMap((_, run) => this.#isPresent(run, path) ? [run] : []);
    const ranIn = this.#readFunction(db, path, name);
    const counting = this.#countBy(present);
    const by = new Set<number>();
    const done = new Set<number>();
    for (const [run, { stretches }] of ranIn) {
      for (const own of stretches) {
        for (let at = 0; at < own.length; at += 2) {
          for (let test = own[at] ?? 0; test < (own[at + 1] ?? 0); test++) {
            const id = kept.ran[run]?.ids[test] ?? -1;
            if (counting[id] !== run || done.has(id)) continue;
            done.add(id);
            by.add(run);
            asked[id] = (asked[id] ?? 0) + 1;
          }
        }
      }
    }
    const last = pickLastBatch(kept.runs).runs.map((run) => kept.runs.indexOf(run));
    const isAbsent = this.#isWhole && last.every((run) => present.includes(run));
    const loaded = [...ranIn].flatMap(([run, { isLoaded }]) => isLoaded ? [run] : []);
    const from = by.size > 0 ? [...by] : isAbsent ? last : loaded;
    const seen: SeenFunction = by.size > 0
      ? "run by tests"
      : from.some((run) => loaded.includes(run))
      ? "run at import"
      : isAbsent
      ? "not run"
      : "not recorded";
    return { seen, isCurrent: from.length > 0 && from.every((run) => present.includes(run)) };
  }

  /** The function, and what lies in it, in each run that has it: by content, else by path. */
  #readFunction(db: Connection, path: string, name: string): ReadonlyMap<number, RanIn> {
    const { kept } = this.#parts;
    // `/` is the sign after `.`: the names between begin with the name and a dot.
    const sql = `SELECT file, run, is_loaded, tests FROM functions
      WHERE file IN (SELECT value FROM json_each(?)) AND (name = ? OR (name > ? AND name < ?))`;
    const ids = JSON.stringify(this.#listContents(path));
    const rows = db.all(sql, ids, name, `${name}.`, `${name}/`);
    const byRun = Map.groupBy(rows, ({ run }) => kept.runs.findIndex(({ id }) => id === run));
    byRun.delete(-1);
    return new Map([...byRun].map(([run, all]) => {
      // Another file may have had the same content then.
      const own = all.filter(({ file }) => kept.paths.get(Number(file)) === path);
      const chosen = own.length > 0 ? own : all;
      return [run, {
        isLoaded: chosen.some((row) => row["is_loaded"] === 1),
        stretches: chosen.map((row) => unpackNumbers(row["tests"])),
      }];
    }));
  }

  /** Numbers of the contents that a file has, or had under its present path. */
  #listContents(path: string): readonly number[] {
    const { kept: { byHash, byPath }, now } = this.#parts;
    return [
      ...new Set([...byHash.get(now.get(path) ?? "") ?? [], ...byPath.get(path) ?? []]),
    ];
  }

  /** Whether a run has the present content of a file, at whatever path. */
  #isPresent(run: number, path: string): boolean {
    const { kept: { byHash, contents }, now } = this.#parts;
    return (byHash.get(now.get(path) ?? "") ?? []).some((id) => contents[run]?.[id] === 1);
  }

  #listCurrent(run: number): Uint8Array {
    const { tests, ran } = this.#parts.kept;
    const current = new Uint8Array(tests.length).fill(2);
    const files = new Map<string, number>();
    for (const id of ran[run]?.ids ?? []) {
      const file = tests[id]?.file ?? "";
      const known = files.get(file) ?? (this.#isPresent(run, file) ? 1 : 0);
      files.set(file, known);
      current[id] = known;
    }
    return current;
  }

  /** Tests whose file was removed, and those that a whole batch lacks though their file was as it is now. */
  #listGone(): Uint8Array {
    const { kept: { tests, ran, runs, byPath, contents }, now } = this.#parts;
    const { runs: picked, isWhole } = pickLastBatch(runs);
    const last = picked.map((run) => runs.indexOf(run));
    const batch = new Set(isWhole ? last.flatMap((run) => ran[run]?.ids ?? []) : []);
    const files = new Map<string, boolean>();
    return new Uint8Array(tests.length).map((_, id) => {
      const file = tests[id]?.file;
      if (file === undefined) return 0;
      if (!now.has(file)) {
        // A file that no run lists is none of the index: whether it is there is not known.
        const wasListed = getOrInsert(files, file, () => {
          const ids = byPath.get(file) ?? [];
          return ids.some((one) => contents.some((marks) => marks[one] === 1));
        });
        return wasListed || (isWhole && !batch.has(id)) ? 1 : 0;
      }
      if (!isWhole || batch.has(id) || this.#current.some((marks) => marks[id] === 1)) return 0;
      return getOrInsert(files, file, () => last.every((run) => this.#isPresent(run, file)))
        ? 1
        : 0;
    });
  }

  /** By which run each test counts where these runs, the newest first, have the function's present content. */
  #countBy(present: readonly number[]): Uint8Array {
    const key = present.join();
    const known = this.#counting.get(key);
    if (known !== undefined) return known;
    const { tests, runs } = this.#parts.kept;
    const counting = new Uint8Array(tests.length).fill(NO_RUN);
    const best = new Uint8Array(tests.length);
    runs.forEach((_, run) => {
      const [current, bonus] = [this.#current[run], present.includes(run) ? 2 : 1];
      for (let id = 0; id < counting.length; id++) {
        const value = this.#gone[id] === 1 ? 2 : current?.[id] ?? 2;
        const rank = value === 2 ? 0 : value * 2 + bonus;
        if (rank <= (best[id] ?? 0)) continue;
        best[id] = rank;
        counting[id] = run;
      }
    });
    this.#counting.set(key, counting);
    return counting;
  }

  #measure(): { readonly extent: SeenExtent; readonly isWhole: boolean } {
    const { kept, now, commitsAgo } = this.#parts;
    const { runs, isWhole } = pickLastBatch(kept.runs);
    const positions = runs.map((run) => kept.runs.indexOf(run));
    const recorded = runs.reduce((sum, run) => sum + run.recorded, 0);
    const counted = isWhole && runs.every((run) => run.counted !== null)
      ? runs.reduce((sum, run) => sum + (run.counted ?? 0), 0)
      : null;
    const then = new Map<string, number>();
    const changed = new Set<string>();
    for (const run of positions) {
      kept.contents[run]?.forEach((mark, id) => {
        const path = kept.paths.get(id) ?? "";
        // Two contents of one file in one batch: it changed between its runs.
        if (mark === 1 && (then.get(path) ?? id) !== id) changed.add(path);
        if (mark === 1) then.set(path, id);
      });
    }
    for (const path of then.keys()) if (!now.has(path)) changed.add(path);
    for (const [path, hash] of now) {
      const id = then.get(path);
      if (id === undefined || kept.byHash.get(hash)?.includes(id) !== true) changed.add(path);
    }
    const units = positions.flatMap((run) =>
      (kept.ran[run]?.ids ?? []).map((id) => kept.tests[id]?.unit ?? 0)
    );
    const oldest = runs.at(-1);
    // What others say that they ran is never handed to a shell here.
    const own = runs.filter(({ shared }) => shared === undefined);
    const commands = own.map(({ command }) => command.split(" "));
    return {
      isWhole,
      extent: {
        recorded,
        counted: counted === null ? null : Math.max(counted, recorded),
        unit: UNITS[findCommonest(units)] ?? "test",
        recordedAt: oldest?.at ?? "",
        commit: oldest?.head ?? null,
        commitsAgo,
        changed: [...changed].sort(),
        ...(commands.length === 0 ? {} : { commands }),
      },
    };
  }
}

/** The number that comes most often; the smaller one of two. */
function findCommonest(numbers: readonly number[]): number {
  const groups = [...Map.groupBy(numbers, (one) => one)];
  return groups.sort(([a, one], [b, other]) => other.length - one.length || a - b)[0]?.[0] ?? 0;
}

/** Stands for no run: fewer than this are kept. */
const NO_RUN = 255;

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
