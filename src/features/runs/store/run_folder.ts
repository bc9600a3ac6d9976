/**
 * The folder of what was seen in runs, beside the index that all worktrees share: a file for each run, and a mark for each
 * pack of others. A file is written in one piece and never changed, so that readers and writers need no lock.
 */
import { join } from "node:path";
import { CodeIntelError } from "../../../base/errors.ts";
import { removeLeftTemporaries } from "../../../base/files/atomic_write.ts";
import { readStampText, statIfThere } from "../../../base/files/file_stamp.ts";
import { listOwnFolder, makeOwnFolder, writeOwnFile } from "../../../base/files/own_folder.ts";
import { readRegularFile } from "../../../base/files/regular_file.ts";
import { UnfitRecord } from "../../../analysis/record/record_bytes.ts";
import { hashContent } from "../../../index/scan/file_reader.ts";
import { toIndexDir, toProjectIndexDir } from "../../../services/project_files.ts";
import type { ProjectParts } from "../../../services/services_api.ts";
import type { RunFacts, RunRecord, StoredRun } from "./run_record.ts";
import { decodeRun, encodeRun, packRun } from "./run_record.ts";

/** Where a project keeps it. */
export type RunPlace = Pick<
  ProjectParts,
  "projectRoot" | "plainIndexDir" | "stateDir" | "openRepo" | "logger"
>;

/** Bounds of the folder. */
export interface RunBounds {
  /** Bytes of one run. A larger one is not kept. */
  readonly runBytes: number;
  /** Bytes of all runs. Beyond, old ones are forgotten. */
  readonly storeBytes: number;
  readonly runs: number;
  /** The same of those of others alone. */
  readonly sharedBytes: number;
  readonly sharedRuns: number;
}

/** The usual bounds (measured with 50,000 tests and 20,000 functions). */
export const RUN_BOUNDS: RunBounds = {
  storeBytes: 60_000_000,
  runBytes: 40_000_000,
  runs: 12,
  sharedBytes: 20_000_000,
  sharedRuns: 4,
};

/** Longer files are none of ours. */
const MOST_BYTES = 2 * RUN_BOUNDS.storeBytes;
const MOST_PACKS = 1_000;
const [RUN, PACK] = [".run", ".pack"];

/** A run as it is kept. */
export interface KeptRun extends StoredRun {
  /** Path and stamp of its file. */
  readonly path: string;
  readonly stamp: string;
  readonly bytes: number;
}

/** The folders in which it and the index may lie, the usual one first. */
export async function listFolders(place: RunPlace): Promise<readonly [string, ...string[]]> {
  const fallback = toProjectIndexDir(place.stateDir, place.projectRoot);
  const folder = toIndexDir(await place.openRepo(), place);
  return fallback === null || fallback === folder ? [folder] : [folder, fallback];
}

/** The folder of the project in its worktree: several may share one store. */
export async function findProject(place: RunPlace): Promise<string> {
  return (await place.openRepo())?.openedFor ?? "";
}

/**
 * The runs of all projects, the newest first, and how many files are none: damaged, or of another version.
 *
 * @param known runs that were read before: what has not changed is not read again.
 */
export async function readRuns(
  place: RunPlace,
  known: readonly KeptRun[] = [],
): Promise<{ readonly runs: readonly KeptRun[]; readonly unfit: readonly string[] }> {
  const before = new Map(known.map((run) => [`${run.path} ${run.stamp}`, run]));
  const paths = await listFiles(place, RUN);
  const read = paths.map((path) => {
    const stamp = readStampText(path) ?? "";
    return before.get(`${path} ${stamp}`) ?? readRun(path, stamp);
  });
  return {
    runs: read.filter((run) => run !== null).sort((one, other) =>
      compare(other.at, one.at) || compare(other.stamp, one.stamp)
    ),
    unfit: paths.filter((_, at) => read[at] === null),
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function readRun(path: string, stamp: string): KeptRun | null {
  const file = readRegularFile(path, { within: join(path, ".."), maxBytes: MOST_BYTES });
  try {
    return file.kind === "read"
      ? { ...decodeRun(file.bytes), path, stamp, bytes: file.bytes.length }
      : null;
  } catch (failure) {
    if (failure instanceof UnfitRecord) return null;
    throw failure;
  }
}

async function listFiles(place: RunPlace, ending: string): Promise<readonly string[]> {
  const folders = (await listFolders(place)).map((folder) => join(folder, "runs"));
  const found = await Promise.all(folders.map(async (folder) => {
    // What cannot be looked at has none; whoever writes there is told.
    const entries = await listOwnFolder(folder).catch(() => []);
    return entries.map(({ name }) => join(folder, name));
  }));
  return found.flat().filter((path) => path.endsWith(ending));
}

/** One run has one key, whatever of it is given to others. */
export function hashRun({ batch, command }: Pick<RunFacts, "batch" | "command">): Uint8Array {
  return hashContent(new TextEncoder().encode(JSON.stringify([batch, command])));
}

/**
 * Saves a run, and forgets old ones.
 *
 * @throws {CodeIntelError} as {@link keepRun}.
 */
export async function saveRun(
  place: RunPlace,
  record: RunRecord,
  bounds: RunBounds = RUN_BOUNDS,
): Promise<StoredRun> {
  const run = packRun(record);
  await keepRun(place, run, bounds.runBytes);
  await forgetRuns(place, bounds, hashRun(run).toHex());
  return run;
}

/**
 * Writes the file of a run in one piece: a process that is killed meanwhile leaves nothing of it.
 *
 * @throws {CodeIntelError} `io_failed`, `disk_full`, `own_path_refused`.
 */
export async function keepRun(place: RunPlace, run: StoredRun, mostBytes: number): Promise<void> {
  const bytes = encodeRun(run);
  if (bytes.length > mostBytes) {
    const what = `Cannot keep the record: it has ${formatMegabytes(bytes.length)}`;
    throw new CodeIntelError(
      "io_failed",
      `${what}, and at most ${formatMegabytes(mostBytes)} fit`,
    );
  }
  await writeFile(place, `${hashRun(run).toHex()}${RUN}`, bytes);
}

/** `2.3 MB`. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

async function writeFile(place: RunPlace, name: string, data: string | Uint8Array) {
  const [folder, fallback] = (await listFolders(place)).map((one) => join(one, "runs"));
  const write = async (to = "") => {
    await makeOwnFolder(to);
    await removeLeftTemporaries(to);
    await writeOwnFile(join(to, name), data);
  };
  await write(folder).catch(async (failure) => {
    const isFull = failure instanceof CodeIntelError && failure.code === "disk_full";
    if (isFull || fallback === undefined) throw failure;
    await write(fallback).catch(() => {
      throw failure;
    });
  });
}

/**
 * Forgets the oldest runs beyond the bounds, first those of others, and those of the last whole batch last.
 *
 * @param fresh key of the run that stays, whatever it takes.
 */
export async function forgetRuns(
  place: RunPlace,
  bounds: RunBounds = RUN_BOUNDS,
  fresh = "",
): Promise<void> {
  const { runs, unfit } = await readRuns(place);
  const { batch } = runs.find(({ commands }) => commands > 0) ?? {};
  const shared = runs.filter((run) => run.shared !== undefined);
  const left = listBeyond(shared, bounds.sharedBytes, bounds.sharedRuns);
  const isFresh = ({ path }: KeptRun) => fresh !== "" && path.includes(fresh);
  const rank = (run: KeptRun) => isFresh(run) ? 2 : run.batch === batch ? 1 : 0;
  const stay = runs.filter((run) => !left.includes(run)).sort((one, other) =>
    rank(other) - rank(one)
  );
  const old = listBeyond(stay, bounds.storeBytes, bounds.runs).filter((run) => !isFresh(run));
  await removeFiles([...unfit, ...[...left, ...old].map(({ path }) => path)]);
}

/** Those that do not fit after the ones before them. */
function listBeyond(runs: readonly KeptRun[], bytes: number, most: number): readonly KeptRun[] {
  let room = bytes;
  const kept = new Set(runs.filter((run) => (room -= run.bytes) >= 0).slice(0, most));
  return runs.filter((run) => !kept.has(run));
}

/** Removes files of runs; somebody else may have removed one. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) await Deno.remove(path).catch(() => {});
}

/** The packs of others that were taken, by name: why one is refused, or an empty text. */
export async function readPacks(place: RunPlace): Promise<ReadonlyMap<string, string>> {
  const paths = await listFiles(place, PACK);
  return new Map(paths.map((path) => {
    const name = path.slice(path.search(/[^\\/]+$/), -PACK.length);
    const file = readRegularFile(path, { within: join(path, ".."), maxBytes: MOST_BYTES });
    return [name, file.kind === "read" ? new TextDecoder().decode(file.bytes) : ""];
  }));
}

/** Marks a pack as taken, or says why it is refused. */
export async function markPack(place: RunPlace, name: string, why: string): Promise<void> {
  await writeFile(place, `${name}${PACK}`, why);
  const marks = (await listFiles(place, PACK)).map((path) => {
    return { path, at: statIfThere(path)?.mtime?.getTime() ?? 0 };
  });
  const old = marks.sort((one, other) => other.at - one.at).slice(MOST_PACKS);
  await removeFiles(old.map(({ path }) => path));
}
