/** Saves what one recorded run gave, and forgets old runs so that the file keeps its bound. */
import type { FunctionName, TestUnit } from "../../../index/seen_runs.ts";
import type { Connection } from "../../../index/store/database.ts";
import type { IndexFile } from "../../../index/store/index_file.ts";
import type { RecordedCall, RecordedTest } from "../record/recording.ts";
import { packNumbers, packTests, unpackNumbers, unpackTests } from "./run_file.ts";

/** Units from the smallest to the largest; the order is part of the form. */
export const UNITS: readonly TestUnit[] = ["test", "class", "file", "package"];

/** What is said of a run of one command. */
export interface RunFacts {
  /** The same for all commands of one occasion. */
  readonly batch: string;
  /** ISO time of its start. */
  readonly at: string;
  /** The commit that was checked out; null without git. */
  readonly head: string | null;
  readonly runner: string;
  /** The words of the command. */
  readonly command: string;
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

/** A run as it is kept. */
export interface KeptRun extends RunFacts {
  readonly id: number;
  readonly recorded: number;
  /** Bytes of all that it says. */
  readonly bytes: number;
}

/** What a recorded run of one command gave, in the words of the index. */
export interface RunRecord extends RunFacts {
  /** Folder of the project in its worktree; empty for the top. */
  readonly project: string;
  /** Hashes of the contents of all files of the index at the run, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Each with its file; their own files need not be in `files`. */
  readonly functions: readonly FunctionName[];
  /** In the order in which they ran; `ran` and the numbers below are positions in the functions. */
  readonly tests: readonly Omit<RecordedTest, "outcome">[];
  readonly loaded: readonly number[];
  readonly calls: readonly RecordedCall[];
}

/** The same with its tests by function. */
export interface PackedRun extends Omit<RunRecord, "tests"> {
  readonly tests: readonly (Omit<RunRecord["tests"][number], "ran"> & {
    /** How many functions it ran. */
    readonly functions: number;
  })[];
  /** Of each function where stretches of its tests begin and end, as {@link packNumbers} gives them. */
  readonly stretches: readonly Uint8Array[];
}

/** The runs of a project, or of all, the newest first: one of others may have come after a newer one of this machine. */
export function listKeptRuns(db: Connection, project: string | null = null): readonly KeptRun[] {
  return db.all(
    "SELECT id, facts FROM runs WHERE coalesce(?, project) = project ORDER BY id DESC",
    project,
  ).map(({ id, facts }): KeptRun => ({ ...JSON.parse(String(facts)), id: Number(id) }))
    .sort((one, other) => one.at < other.at ? 1 : one.at > other.at ? -1 : 0);
}

/** Bounds of the file. */
export interface RunBounds {
  /** Bytes of what all runs say. Beyond, old runs are forgotten. */
  readonly storeBytes: number;
  /** Bytes of which test ran which function in one run. Beyond, tests of what most tests run are left out. */
  readonly relationBytes: number;
  readonly runs: number;
  readonly calls: number;
}

/** The usual bounds: 60 MB with the tables round them (measured with 50,000 tests and 20,000 functions). */
export const RUN_BOUNDS: RunBounds = {
  storeBytes: 50_000_000,
  relationBytes: 36_000_000,
  runs: 24,
  calls: 200_000,
};

/** How long a writer waits for others. */
export const WAIT_MS = 30_000;

/**
 * Saves a run in one piece: a process that is killed meanwhile leaves nothing of it.
 *
 * @throws {CodeIntelError} `io_failed`, `disk_full`, `busy`.
 */
export async function saveRun(
  file: IndexFile,
  record: RunRecord,
  bounds: RunBounds = RUN_BOUNDS,
): Promise<void> {
  const { stretches, cut } = packRelation(record, bounds.relationBytes);
  const notes = [
    ...record.notes,
    ...(cut === 0 ? [] : [
      `${cut} functions are run by more tests than are kept: some of their tests are not named.`,
    ]),
  ];
  const isWhole = record.isWhole && cut === 0 && record.calls.length <= bounds.calls;
  const tests = record.tests.map(({ ran, ...test }) => ({ ...test, functions: ran.length }));
  const calls = record.calls.slice(0, bounds.calls);
  const packed = { ...record, notes, isWhole, calls, tests, stretches };
  await file.write(WAIT_MS, (db) => insertRun(db, packed, bounds));
}

/** Stores a run in an open transaction, after old ones were forgotten. */
export function insertRun(
  db: Connection,
  run: PackedRun,
  bounds: RunBounds = RUN_BOUNDS,
): void {
  const bytes = countBytes(run);
  forgetRuns(db, bounds, bytes);
  writeRun(db, run, bytes);
}

/** Bytes that a run takes. */
export function countBytes({ stretches, files, tests, calls }: PackedRun): number {
  return stretches.reduce((sum, { length }) => sum + length + FUNCTION_BYTES, 0) +
    files.size * FILE_BYTES + tests.length * TEST_BYTES + calls.length * FILE_BYTES;
}

// Bytes of rows beside their blobs, rounded up (measured).
const [FUNCTION_BYTES, FILE_BYTES, TEST_BYTES] = [120, 8, 24];

/** For each function where stretches of its tests begin and end, packed, and how many of them had to be cut. */
function packRelation({ functions, tests }: RunRecord, mostBytes: number) {
  const bounds = functions.map((): number[] => []);
  tests.forEach(({ ran }, at) => {
    for (const one of ran) {
      const own = bounds[one];
      if (own === undefined || own.at(-1) === at + 1) continue;
      if (own.at(-1) === at) own[own.length - 1] = at + 1;
      else own.push(at, at + 1);
    }
  });
  let stretches = bounds.map(packNumbers);
  let cut = 0;
  const sum = () => stretches.reduce((total, { length }) => total + length, 0);
  // Each round halves what the largest may take, until all of it fits.
  for (let most = Math.max(0, ...stretches.map(({ length }) => length)); sum() > mostBytes;) {
    most = Math.floor(most / 2);
    const isLarge = stretches.map(({ length }) => length > most);
    cut = Math.max(cut, isLarge.filter(Boolean).length);
    stretches = stretches.map((bytes, at) => {
      const own = bounds[at] ?? [];
      if (isLarge[at] !== true) return bytes;
      own.length = Math.floor(own.length * most / bytes.length / 2) * 2;
      return packNumbers(own);
    });
  }
  return { stretches, cut };
}

function writeRun(db: Connection, run: PackedRun, bytes: number): void {
  const { project, files: contents, functions, tests: ran, stretches, ...more } = run;
  const { loaded: early, calls, ...facts } = more;
  const file = (path: string, hash: string) => {
    db.run("INSERT OR IGNORE INTO files (path, hash) VALUES (?, ?)", path, hash);
    return db.number("SELECT id FROM files WHERE path = ? AND hash = ?", path, hash);
  };
  const files = new Map([...contents].map(([path, hash]) => [path, file(path, hash)]));
  const tests = ran.map((test) => {
    const sql = "INSERT OR IGNORE INTO tests (file, name, unit) VALUES (?, ?, ?)";
    db.run(sql, test.file, test.name, UNITS.indexOf(test.unit));
    return db.number("SELECT id FROM tests WHERE file = ? AND name = ?", test.file, test.name);
  });
  const id = db.run(
    "INSERT INTO runs (project, facts, files, tests) VALUES (?, ?, ?, ?)",
    project,
    JSON.stringify({ ...facts, recorded: tests.length, bytes }),
    packNumbers([...files.values()].sort((a, b) => a - b)),
    packTests({
      ids: tests,
      functions: ran.map((test) => test.functions),
      ms: ran.map(({ ms }) => Math.round(ms)),
    }),
  );
  const loaded = new Set(early);
  functions.forEach(({ path, name }, at) => {
    const own = files.get(path);
    const sql =
      "INSERT OR IGNORE INTO functions (file, name, run, is_loaded, tests) VALUES (?, ?, ?, ?, ?)";
    if (own === undefined) return;
    db.run(sql, own, name, id, loaded.has(at) ? 1 : 0, stretches[at] ?? new Uint8Array());
  });
  for (const [caller, callee, line] of calls) {
    const [from, to] = [functions[caller], functions[callee]];
    const ids = [files.get(from?.path ?? ""), files.get(to?.path ?? "")];
    if (from === undefined || to === undefined || ids.includes(undefined)) continue;
    const sql = "INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?, ?, ?)";
    db.run(sql, ids[1] ?? 0, to.name, id, ids[0] ?? 0, from.name, line);
  }
}

/** Forgets the oldest runs, save those of the last whole batch, until so many bytes more have room. */
function forgetRuns(db: Connection, bounds: RunBounds, bytes: number): void {
  const rows = listKeptRuns(db);
  const kept = rows.find(({ commands }) => commands > 0)?.batch;
  let over = rows.reduce((sum, row) => sum + row.bytes, bytes) - bounds.storeBytes;
  let left = rows.length + 1;
  const old = rows.toReversed();
  const gone = [
    ...old.filter(({ batch }) => batch !== kept),
    ...old.filter(({ batch }) => batch === kept),
  ].filter((row) => {
    if (over <= 0 && left <= bounds.runs) return false;
    over -= row.bytes;
    left--;
    return true;
  });
  removeRuns(db, gone);
}

/** Removes runs with what only they name. */
export function removeRuns(db: Connection, gone: readonly Pick<KeptRun, "id">[]): void {
  if (gone.length === 0) return;
  for (const { id } of gone) {
    db.run("DELETE FROM functions WHERE run = ?", id);
    db.run("DELETE FROM calls WHERE run = ?", id);
    db.run("DELETE FROM runs WHERE id = ?", id);
  }
  forgetUnused(db);
}

/** Removes the contents and tests that no run names any more. */
function forgetUnused(db: Connection): void {
  const [files, tests] = [new Set<number>(), new Set<number>()];
  for (const row of db.all("SELECT files, tests FROM runs")) {
    for (const file of unpackNumbers(row["files"])) files.add(file);
    for (const test of unpackTests(row["tests"]).ids) tests.add(test);
  }
  for (const [table, used] of [["files", files], ["tests", tests]] as const) {
    for (const { id = 0 } of db.all(`SELECT id FROM ${table}`)) {
      if (!used.has(Number(id))) db.run(`DELETE FROM ${table} WHERE id = ?`, id);
    }
  }
}
