/**
 * The database of what was seen in runs: its tables, where it lies, and how it is opened. It lies beside the index that
 * all worktrees share, and is written, repaired and set aside as that is.
 */
import { join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { SYSTEM_CLOCK } from "../../../base/clock.ts";
import { statIfThere } from "../../../base/files/file_stamp.ts";
import { packRising, unpackRising } from "../../../analysis/record/pack.ts";
import type { Connection } from "../../../index/store/database.ts";
import { openForReading } from "../../../index/store/database.ts";
import { IndexFile } from "../../../index/store/index_file.ts";
import type { DatabaseForm } from "../../../index/store/schema.ts";
import { toIndexDir, toProjectIndexDir } from "../../../services/project_files.ts";
import type { ProjectParts } from "../../../services/services_api.ts";

/** The form of the database. Its mark is the bytes `CIru`. */
export const RUNS_FORM: DatabaseForm = {
  fileName: "runs.db",
  title: "The record of runs",
  mended: "begins anew with the next one",
  hint: "Check that its folder may be written; `code-intel runs record` makes it anew.",
  applicationId: 0x43497275,
  steps: [
    `
    CREATE TABLE revision (number INTEGER NOT NULL);
    INSERT INTO revision VALUES (1);
    -- Contents that files had at runs: the hash is that of the index.
    CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE (path, hash));
    CREATE TABLE tests (
      id INTEGER PRIMARY KEY, file TEXT NOT NULL, name TEXT NOT NULL, unit INTEGER NOT NULL, UNIQUE (file, name)
    );
    -- A recorded run of one command in a project, which is a folder of the worktree. Facts: JSON of RunFacts.
    -- Files: their numbers, rising. Tests: numbers, functions and milliseconds, in the order in which they ran.
    CREATE TABLE runs (
      id INTEGER PRIMARY KEY AUTOINCREMENT, project TEXT NOT NULL, facts TEXT NOT NULL, files BLOB NOT NULL,
      tests BLOB NOT NULL
    );
    -- Functions that ran. Tests: where stretches of them begin and end, by position in the run.
    CREATE TABLE functions (
      id INTEGER PRIMARY KEY, file INTEGER NOT NULL, name TEXT NOT NULL, run INTEGER NOT NULL,
      is_loaded INTEGER NOT NULL, tests BLOB NOT NULL
    );
    CREATE UNIQUE INDEX functions_by_name ON functions (file, name, run);
    CREATE INDEX functions_by_run ON functions (run);
    CREATE TABLE calls (
      callee_file INTEGER NOT NULL, callee TEXT NOT NULL, run INTEGER NOT NULL, caller_file INTEGER NOT NULL,
      caller TEXT NOT NULL, line INTEGER NOT NULL,
      PRIMARY KEY (callee_file, callee, run, caller_file, caller, line)
    ) WITHOUT ROWID;
    CREATE INDEX calls_by_run ON calls (run);
    `,
    `
    -- Packs of others whose runs were taken. Why: the reason for which one is refused, or an empty text.
    CREATE TABLE packs (name TEXT PRIMARY KEY, why TEXT NOT NULL);
    `,
  ],
};

/** Where a project keeps it. */
export type RunPlace = Pick<
  ProjectParts,
  "projectRoot" | "plainIndexDir" | "stateDir" | "openRepo" | "logger"
>;

/** The folders in which it and the index may lie, the usual one first. */
export async function listFolders(place: RunPlace): Promise<readonly [string, ...string[]]> {
  const fallback = toProjectIndexDir(place.stateDir, place.projectRoot);
  const folder = toIndexDir(await place.openRepo(), place);
  return fallback === null || fallback === folder ? [folder] : [folder, fallback];
}

/** Opens it for writing with the first use; close it afterwards. */
export async function openRunFile(
  place: RunPlace,
  onNotice: (notice: string) => void = (notice) => place.logger.note(notice),
): Promise<IndexFile> {
  const [folder, fallbackFolder] = await listFolders(place);
  return new IndexFile({
    folder,
    ...(fallbackFolder === undefined ? {} : { fallbackFolder }),
    nowMs: () => SYSTEM_CLOCK.now().getTime(),
    onNotice,
    form: RUNS_FORM,
  });
}

/** The folder of the project in its worktree: several may share the file. */
export async function findProject(place: RunPlace): Promise<string> {
  return (await place.openRepo())?.openedFor ?? "";
}

/** Path of the file where one is; null where nothing was ever recorded. */
export async function findRunFile(place: RunPlace): Promise<string | null> {
  const paths = (await listFolders(place)).map((folder) => join(folder, RUNS_FORM.fileName));
  return paths.find((path) => statIfThere(path) !== null) ?? null;
}

/**
 * Reads the file at a path, over one state of it; null where nothing of a known form is there.
 *
 * @throws {UnusableDatabase} of a damaged file.
 * @throws {CodeIntelError} `io_failed`.
 */
export function readRunFile<T>(path: string, read: (db: Connection) => T): T | null {
  const db = statIfThere(path) === null ? null : openForReading(path, RUNS_FORM);
  try {
    return db === null ? null : db.snapshot(() => read(db));
  } finally {
    db?.close();
  }
}

/** Rising numbers as bytes. */
export function packNumbers(rising: readonly number[]): Uint8Array {
  return deflateRawSync(packRising(rising));
}

/** The numbers of {@link packNumbers}. */
export function unpackNumbers(bytes: unknown): number[] {
  return bytes instanceof Uint8Array ? unpackRising(inflateRawSync(bytes)) : [];
}

/** The tests of a run by position: their numbers, how many functions each ran, and how long it took. */
export interface RunTests {
  readonly ids: readonly number[];
  readonly functions: readonly number[];
  readonly ms: readonly number[];
}

/** The tests of a run as bytes. */
export function packTests({ ids, functions, ms }: RunTests): Uint8Array {
  return deflateRawSync(JSON.stringify([ids, functions, ms]));
}

/** The tests of {@link packTests}. */
export function unpackTests(bytes: unknown): RunTests {
  if (!(bytes instanceof Uint8Array)) return { ids: [], functions: [], ms: [] };
  const [ids = [], functions = [], ms = []] = JSON.parse(
    new TextDecoder().decode(inflateRawSync(bytes)),
  ) as readonly number[][];
  return { ids, functions, ms };
}
