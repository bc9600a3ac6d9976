/**
 * Runs that travel between machines: the bytes of one, what may be given, and how those of others are taken. What others made
 * is bounded, and read to its end before anything is kept.
 */
import { inflateRawSync } from "node:zlib";
import { SYSTEM_CLOCK } from "../../../base/clock.ts";
import { parseRepoPath } from "../../../base/repo_path.ts";
import { clipLine } from "../../../base/text/clip.ts";
import {
  expectFit,
  RecordReader,
  RecordWriter,
  UnfitRecord,
} from "../../../analysis/record/record_bytes.ts";
import { unpackRising } from "../../../analysis/record/pack.ts";
import type { SharedKey } from "../../../index/read/view.ts";
import { hashContent } from "../../../index/scan/file_reader.ts";
import type { Connection } from "../../../index/store/database.ts";
import { UnusableDatabase } from "../../../index/store/database.ts";
import type { SharedRecords } from "../../../index/seen_runs.ts";
import { pickLastBatch } from "./kept_runs.ts";
import { readPackedRun } from "./packed_run.ts";
import type { RunPlace } from "./run_file.ts";
import { findProject, findRunFile, openRunFile, packNumbers, readRunFile } from "./run_file.ts";
import { unpackNumbers } from "./run_file.ts";
import type { KeptRun, PackedRun } from "./save_run.ts";
import { countBytes, insertRun, listKeptRuns, removeRuns, RUN_BOUNDS, UNITS } from "./save_run.ts";
import { WAIT_MS } from "./save_run.ts";

/** Bounds of one run of others, and of all that are kept (guessed). */
const MOST = {
  names: 200_000,
  nameChars: 2_000,
  makerChars: 120,
  commands: 1_000,
  number: 1_000_000_000,
  recordBytes: 8_000_000,
  inflatedBytes: 64_000_000,
  runs: 8,
  bytes: 20_000_000,
  packs: 1_000,
};

/** Gives and takes the runs of a project. */
export function openSharedRuns(place: RunPlace): SharedRecords {
  const ask = async <T>(read: (db: Connection, project: string) => T): Promise<T | null> => {
    const path = await findRunFile(place);
    const project = await findProject(place);
    try {
      return path === null ? null : readRunFile(path, (db) => read(db, project));
    } catch (error) {
      // Doctor tells of it; a push of the index does not end with it.
      if (error instanceof UnusableDatabase) return null;
      throw error;
    }
  };
  const listOwn = (db: Connection, project: string) => {
    const own = listKeptRuns(db, project).filter(({ shared }) => shared === undefined);
    const { runs, isWhole } = pickLastBatch(own);
    return isWhole ? runs : [];
  };
  return {
    list: async () => (await ask(listOwn))?.map(keyOf) ?? [],
    read: async (key, mayGive) => {
      const run = await ask((db, project) => {
        const found = listOwn(db, project).find((one) => isSameKey(keyOf(one), key));
        return found === undefined ? null : readPackedRun(db, found);
      });
      const given = run === null ? null : selectRun(run, mayGive);
      if (given === null || given.tests.length === 0) return null;
      const bytes = encodeRun(given);
      return bytes.length <= MOST.recordBytes && isFit(bytes) ? bytes : null;
    },
    readPacks: async () => {
      const rows = await ask((db) => db.all("SELECT name, why FROM packs")) ?? [];
      return new Map(rows.map(({ name, why }) => [String(name), String(why)]));
    },
    take: async ({ name: pack, maker }, records) => {
      const shared = { pack, maker: clipLine(maker, MOST.makerChars) };
      const runs = records.map((one) => ({ ...decodeRun(one), shared }));
      const file = await openRunFile(place);
      try {
        await file.write(WAIT_MS, (db) => takeRuns(db, pack, runs));
      } finally {
        await file.close();
      }
    },
  };
}

/** The runs of others that are newest stay, as many as fit; those of this machine are not counted. */
function takeRuns(db: Connection, pack: string, runs: readonly PackedRun[]): void {
  db.run("INSERT OR REPLACE INTO packs VALUES (?, '')", pack);
  db.run("DELETE FROM packs WHERE rowid <= (SELECT max(rowid) FROM packs) - ?", MOST.packs);
  const kept = listKeptRuns(db);
  const known = new Set(kept.map((one) => keyOf(one).hash.toHex()));
  const byKey = new Map(runs.map((one) => [keyOf(one).hash.toHex(), one]));
  const fresh = [...byKey].filter(([key]) => !known.has(key))
    .map(([, run]) => ({ run, at: run.at, bytes: countBytes(run) }));
  let left = MOST.bytes;
  const chosen = new Set(
    [...kept.filter(({ shared }) => shared !== undefined), ...fresh]
      .sort((one, other) => one.at < other.at ? 1 : -1)
      .filter(({ bytes }) => (left -= bytes) >= 0).slice(0, MOST.runs),
  );
  removeRuns(db, kept.filter((one) => one.shared !== undefined && !chosen.has(one)));
  for (const one of fresh.toReversed()) if (chosen.has(one)) insertRun(db, one.run);
}

/** One run has one key, whatever of it is given. */
function keyOf({ batch, command }: Pick<KeptRun, "batch" | "command">): SharedKey {
  const hash = hashContent(new TextEncoder().encode(`${batch}\n${command}`));
  return { hash, variant: "run" };
}

function isSameKey(one: SharedKey, other: SharedKey): boolean {
  return one.hash.toHex() === other.hash.toHex();
}

/** A run without the contents, functions and tests of which others may not know; without some tests it is no whole one. */
function selectRun(run: PackedRun, mayGive: (hash: string) => boolean): PackedRun {
  const files = new Map(
    [...run.files].filter(([path, hash]) => mayGive(hash) && isPath(path)),
  );
  const isTest = run.tests.map(({ file, name }) => files.has(file) && isName(name));
  // How many tests before each one stay.
  const before = [0];
  for (const isKept of isTest) before.push((before.at(-1) ?? 0) + (isKept ? 1 : 0));
  const positions: number[] = [];
  let next = 0;
  const kept = run.functions.flatMap(({ path, name }, at) => {
    if (!files.has(path) || !isName(name)) return [];
    positions[at] = next++;
    return [at];
  });
  const moveAll = (ends: readonly number[]) => {
    const moved: number[] = [];
    for (let at = 0; at < ends.length; at += 2) {
      const [from = 0, to = 0] = [before[ends[at] ?? 0], before[ends[at + 1] ?? 0]];
      if (from === to) continue;
      if (moved.at(-1) === from) moved[moved.length - 1] = to;
      else moved.push(from, to);
    }
    return moved;
  };
  return {
    ...run,
    files,
    isWhole: run.isWhole && !isTest.includes(false),
    functions: kept.flatMap((at) => run.functions[at] ?? []),
    stretches: kept.map((at) => packNumbers(moveAll(unpackNumbers(run.stretches[at])))),
    tests: run.tests.filter((_, at) => isTest[at]),
    loaded: run.loaded.flatMap((at) => positions[at] ?? []),
    calls: run.calls.flatMap(([from, to, line]) => {
      const [caller, callee] = [positions[from], positions[to]];
      return caller === undefined || callee === undefined ? [] : [[caller, callee, line] as const];
    }),
  };
}

function isName(name: string): boolean {
  return name !== "" && name.length <= MOST.nameChars && !/\p{Cc}/u.test(name);
}

function isPath(path: string): boolean {
  const found = parseRepoPath("/", path);
  return isName(path) && found.kind === "path" && found.path === path && path !== ".";
}

function isFit(bytes: Uint8Array): boolean {
  try {
    decodeRun(bytes);
    return true;
  } catch (failure) {
    if (failure instanceof UnfitRecord) return false;
    throw failure;
  }
}

/** A run as bytes. */
export function encodeRun(run: PackedRun): Uint8Array {
  const writer = new RecordWriter();
  const { project, batch, at, head, runner, command, counted, commands, isWhole } = run;
  for (const text of [project, batch, at, head ?? "", runner, command]) writer.text(text);
  for (const one of [counted === null ? 0 : counted + 1, commands, isWhole ? 1 : 0]) {
    writer.number(one);
  }
  const each = <T>(all: readonly T[], write: (one: T, at: number) => void) => {
    writer.number(all.length);
    all.forEach(write);
  };
  const files = [...run.files];
  const places = new Map(files.map(([path], at) => [path, at]));
  each(files, ([path, hash]) => [path, hash].forEach((one) => writer.text(one)));
  each(run.tests, ({ file, name, unit, ms }) => {
    for (const one of [places.get(file) ?? 0, UNITS.indexOf(unit), ms]) writer.number(one);
    writer.text(name);
  });
  const loaded = new Set(run.loaded);
  each(run.functions, ({ path, name }, at) => {
    for (const one of [places.get(path) ?? 0, loaded.has(at) ? 1 : 0]) writer.number(one);
    writer.text(name);
    writer.bytes(run.stretches[at] ?? packNumbers([]));
  });
  each(run.calls, (call) => call.forEach((one) => writer.number(one)));
  return writer.toBytes();
}

/**
 * The run of some bytes, with its time not after now.
 *
 * @throws {UnfitRecord}
 */
export function decodeRun(bytes: Uint8Array): PackedRun {
  expectFit(bytes.length <= MOST.recordBytes, "a run is too large");
  const reader = new RecordReader(bytes);
  const [project, batch, at, head] = [reader.text(), reader.text(), reader.text(), reader.text()];
  const [runner, command] = [readName(reader), readName(reader)];
  expectFit(project === "" || isPath(project), "its project lies outside");
  expectFit(/^[\w-]{1,64}$/.test(batch) && /^[0-9a-f]{0,64}$/.test(head), "a mark is none");
  expectFit(/^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(at), "its time is none");
  const counted = reader.number(MOST.number);
  const [commands, isWhole] = [reader.number(MOST.commands), reader.number(1) === 1];
  const each = <T>(most: number, read: () => T) =>
    Array.from({ length: reader.number(Math.min(most, bytes.length)) }, read);
  const files = each(MOST.names, () => {
    const [path, hash] = [reader.text(), reader.text()];
    expectFit(isPath(path) && /^[0-9a-f]{4,64}$/.test(hash), "a file is none of a project");
    return [path, hash] as const;
  });
  const readPath = () => files[reader.number(files.length - 1)]?.[0] ?? "";
  const tests = each(MOST.names, () => {
    const file = readPath();
    const unit = UNITS[reader.number(UNITS.length - 1)] ?? "file";
    return { file, unit, ms: reader.number(MOST.number), name: readName(reader), functions: 0 };
  });
  const loaded: number[] = [];
  const ran = new Int32Array(tests.length + 1);
  const room = { left: MOST.inflatedBytes };
  const functions = each(MOST.names, () => {
    const path = readPath();
    const isLoaded = reader.number(1) === 1;
    const name = readName(reader);
    const stretches = reader.bytes().slice();
    readStretches(stretches, tests.length, room).forEach((end, at) =>
      ran[end] = (ran[end] ?? 0) + (at % 2 === 0 ? 1 : -1)
    );
    return { path, name, isLoaded, stretches };
  });
  functions.forEach(({ isLoaded }, at) => isLoaded && loaded.push(at));
  const last = functions.length - 1;
  const calls = each(
    RUN_BOUNDS.calls,
    () => [reader.number(last), reader.number(last), reader.number(MOST.number)] as const,
  );
  expectFit(reader.isDone, "something follows a run");
  let sum = 0;
  const now = SYSTEM_CLOCK.now().toISOString();
  return {
    ...{ project, batch, runner, command, commands, isWhole, loaded, calls, notes: [] },
    at: at < now ? at : now,
    head: head === "" ? null : head,
    counted: counted === 0 ? null : counted - 1,
    files: new Map(files),
    tests: tests.map((test, position) => ({ ...test, functions: sum += ran[position] ?? 0 })),
    functions: functions.map(({ path, name }) => ({ path, name })),
    stretches: functions.map(({ stretches }) => stretches),
  };
}

function readName(reader: RecordReader): string {
  const name = reader.text();
  expectFit(isName(name), "a name is too long, or none");
  return name;
}

/** Bytes of a number below that of the tests, at most. */
const NUMBER_BYTES = 3;

/** Where stretches begin and end: rising, and none beyond the tests. */
function readStretches(bytes: Uint8Array, tests: number, room: { left: number }): number[] {
  let inflated: Uint8Array;
  try {
    const maxOutputLength = Math.max(1, Math.min(room.left, NUMBER_BYTES * (tests + 1)));
    inflated = inflateRawSync(bytes, { maxOutputLength });
  } catch (cause) {
    throw new UnfitRecord("what tests ran is damaged, or too much", { cause });
  }
  room.left -= inflated.length;
  const ends = unpackRising(inflated);
  const isRising = ends.every((end, at) => end > (ends[at - 1] ?? -1) && end <= tests);
  expectFit(isRising && ends.length % 2 === 0, "what tests ran is out of order");
  return ends;
}
