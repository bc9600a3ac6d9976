/** What the file of runs holds, as far as each question needs it: runs, tests and contents, without who ran what. */
import type { Connection } from "../../../index/store/database.ts";
import type { RunTests } from "./run_file.ts";
import { unpackNumbers, unpackTests } from "./run_file.ts";
import type { KeptRun } from "./save_run.ts";
import { listKeptRuns } from "./save_run.ts";

/** The newest run of each command of the last whole batch, else of the last batch; `isWhole` says which. */
export function pickLastBatch(
  runs: readonly KeptRun[],
): { readonly runs: readonly KeptRun[]; readonly isWhole: boolean } {
  const batches = [...Map.groupBy(runs, ({ batch }) => batch).values()].map((all) =>
    all.filter(({ command }, at) => all.findIndex((one) => one.command === command) === at)
  );
  const whole = batches.find(isWholeBatch);
  return { runs: whole ?? batches[0] ?? [], isWhole: whole !== undefined };
}

/** Whether each command of the batch was recorded as a whole. */
function isWholeBatch(runs: readonly KeptRun[]): boolean {
  return runs.filter(({ isWhole }) => isWhole).length === runs[0]?.commands;
}

/** A test that some run has. */
export interface KeptTest {
  readonly file: string;
  readonly name: string;
  /** Position in `UNITS`. */
  readonly unit: number;
}

/** What is read once for a state of the file. */
export interface KeptRuns {
  readonly revision: number;
  /** The newest first. */
  readonly runs: readonly KeptRun[];
  /** Of each of the runs. */
  readonly ran: readonly RunTests[];
  /** Of each of the runs 1 for each content that it has, by number. */
  readonly contents: readonly Uint8Array[];
  /** By number; some numbers are of none. */
  readonly tests: readonly (KeptTest | undefined)[];
  /** Numbers of contents, by path and by hash. */
  readonly byPath: ReadonlyMap<string, readonly number[]>;
  readonly byHash: ReadonlyMap<string, readonly number[]>;
  /** By number. */
  readonly paths: ReadonlyMap<number, string>;
  /** Numbers of tests: those that run fewer functions first, of these the shorter; by their newest recording. */
  readonly nearest: readonly number[];
  /** Functions and milliseconds of a test in its newest recording, by number. */
  readonly functions: Uint32Array;
  readonly ms: Uint32Array;
}

/** Reads it, or the part of it that some runs say. */
export function readKeptRuns(
  db: Connection,
  project: string,
  isWanted: (run: KeptRun) => boolean = () => true,
): KeptRuns {
  const runs = listKeptRuns(db, project).filter(isWanted);
  const blobs = runs.map(({ id }) => db.get("SELECT files, tests FROM runs WHERE id = ?", id));
  const ran = blobs.map((row) => unpackTests(row?.["tests"]));
  const tests: (KeptTest | undefined)[] = [];
  for (const { id, file, name, unit } of db.all("SELECT id, file, name, unit FROM tests")) {
    tests[Number(id)] = { file: String(file), name: String(name), unit: Number(unit) };
  }
  const [byPath, byHash] = [new Map<string, number[]>(), new Map<string, number[]>()];
  const paths = new Map<number, string>();
  for (const { id, path, hash } of db.all("SELECT id, path, hash FROM files")) {
    paths.set(Number(id), String(path));
    for (const [map, key] of [[byPath, String(path)], [byHash, String(hash)]] as const) {
      const known = map.get(key);
      if (known === undefined) map.set(key, [Number(id)]);
      else known.push(Number(id));
    }
  }
  return {
    revision: readRunRevision(db),
    runs,
    ran,
    contents: blobs.map((row) => {
      const own = unpackNumbers(row?.["files"]);
      const marks = new Uint8Array((own.at(-1) ?? 0) + 1);
      for (const id of own) marks[id] = 1;
      return marks;
    }),
    tests,
    byPath,
    byHash,
    paths,
    ...rankTests(ran, tests.length),
  };
}

/** Another number whenever the file holds something else. */
export function readRunRevision(db: Connection): number {
  return db.number("SELECT number FROM revision");
}

function rankTests(
  ran: readonly RunTests[],
  count: number,
): Pick<KeptRuns, "nearest" | "functions" | "ms"> {
  const [functions, ms] = [new Uint32Array(count), new Uint32Array(count)];
  const known = new Uint8Array(count);
  for (const run of ran) {
    run.ids.forEach((id, at) => {
      if (known[id] !== 0) return;
      known[id] = 1;
      functions[id] = run.functions[at] ?? 0;
      ms[id] = run.ms[at] ?? 0;
    });
  }
  const nearest = [...known.keys()].filter((id) => known[id] === 1).sort((a, b) =>
    (functions[a] ?? 0) - (functions[b] ?? 0) || (ms[a] ?? 0) - (ms[b] ?? 0) || a - b
  );
  return { nearest, functions, ms };
}
