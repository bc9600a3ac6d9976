/**
 * Runs that travel between machines: what of them may be given, how those of others are taken, and whether they hold against
 * a run of this machine. What others made is bounded, and read to its end before anything is kept.
 */
import { SYSTEM_CLOCK } from "../../../base/clock.ts";
import { parseRepoPath } from "../../../base/repo_path.ts";
import { clipLine } from "../../../base/text/clip.ts";
import { escapeLine } from "../../../base/text/plain_text.ts";
import { expectFit, UnfitRecord } from "../../../analysis/record/record_bytes.ts";
import type { SharedKey } from "../../../index/read/view.ts";
import type { FunctionName, SharedRecords } from "../../../index/seen_runs.ts";
import { listRuns } from "./open_runs.ts";
import type { RunPlace } from "./run_folder.ts";
import {
  forgetRuns,
  hashRun,
  keepRun,
  markPack,
  readPacks,
  readRuns,
  removeFiles,
} from "./run_folder.ts";
import type { RunFacts, StoredRun } from "./run_record.ts";
import { decodeRun, encodeRun, packNumbers, unpackNumbers } from "./run_record.ts";
import { pickLastBatch } from "./run_state.ts";

/** Bounds of one run of others (guessed). */
const MOST = {
  names: 200_000,
  nameChars: 2_000,
  makerChars: 120,
  commands: 1_000,
  recordBytes: 8_000_000,
  inflatedBytes: 64_000_000,
};

/** Gives and takes the runs of a project. */
export function openSharedRuns(place: RunPlace): SharedRecords {
  const listOwn = async () => {
    const own = (await listRuns(place)).filter(({ shared }) => shared === undefined);
    const { runs, isWhole } = pickLastBatch(own);
    return isWhole ? runs : [];
  };
  const keyOf = (run: RunFacts): SharedKey => ({ hash: hashRun(run), variant: "run" });
  return {
    list: async () => (await listOwn()).map(keyOf),
    read: async ({ hash }, mayGive) => {
      const run = (await listOwn()).find((one) => hashRun(one).toHex() === hash.toHex());
      const bytes = run === undefined ? null : encodeRun(selectRun(run, mayGive));
      const given = bytes === null ? null : decodeIfFit(bytes);
      return given === null || given.tests.length === 0 ? null : bytes;
    },
    readPacks: () => readPacks(place),
    take: async ({ name: pack, maker }, records) => {
      const shared = { pack, maker: clipLine(maker, MOST.makerChars) };
      const runs = records.map(decodeForeign);
      const known = new Set((await readRuns(place)).runs.map((run) => hashRun(run).toHex()));
      for (const run of runs) {
        if (!known.has(hashRun(run).toHex())) {
          await keepRun(place, { ...run, notes: [], shared }, MOST.recordBytes);
        }
      }
      await markPack(place, pack, "");
      await forgetRuns(place);
    },
  };
}

/** A run without the contents, functions and tests of which others may not know; without some tests it is no whole one. */
function selectRun(run: StoredRun, mayGive: (hash: string) => boolean): StoredRun {
  const files = new Map([...run.files].filter(([path, hash]) => mayGive(hash) && isPath(path)));
  const isGiven = run.tests.map(({ file, name }) => files.has(file) && isName(name));
  // How many tests before each one stay.
  const before = [0];
  for (const isKept of isGiven) before.push((before.at(-1) ?? 0) + (isKept ? 1 : 0));
  const move = (stretches: Uint8Array) => {
    const moved: number[] = [];
    const ends = unpackNumbers(stretches).map((end) => before[end] ?? 0);
    for (let at = 0; at < ends.length; at += 2) {
      const [from = 0, to = 0] = ends.slice(at, at + 2);
      if (from === to) continue;
      if (moved.at(-1) === from) moved[moved.length - 1] = to;
      else moved.push(from, to);
    }
    return packNumbers(moved);
  };
  const positions = new Map<number, number>();
  const functions = run.functions.filter(({ path, name }, at) => {
    const isKept = files.has(path) && isName(name);
    if (isKept) positions.set(at, positions.size);
    return isKept;
  });
  return {
    ...run,
    ...{ files, notes: [], isWhole: run.isWhole && !isGiven.includes(false) },
    functions: functions.map((one) => ({ ...one, stretches: move(one.stretches) })),
    tests: run.tests.filter((_, at) => isGiven[at]),
    calls: run.calls.flatMap(([from, to, line]) => {
      const [caller, callee] = [positions.get(from), positions.get(to)];
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

function decodeIfFit(bytes: Uint8Array): StoredRun | null {
  try {
    return decodeForeign(bytes);
  } catch (failure) {
    if (failure instanceof UnfitRecord) return null;
    throw failure;
  }
}

/**
 * The run of bytes that somebody else made, with its time not after now.
 *
 * @throws {UnfitRecord}
 */
function decodeForeign(bytes: Uint8Array): StoredRun {
  expectFit(bytes.length <= MOST.recordBytes, "a run is too large");
  const run = decodeRun(bytes, MOST.names);
  const { project, batch, at, head, runner, command, commands, files, tests, functions } = run;
  expectFit(project === "" || isPath(project), "its project lies outside");
  expectFit(/^[\w-]{1,64}$/.test(batch) && /^[0-9a-f]{0,64}$/.test(head ?? ""), "a mark is none");
  expectFit(/^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(at), "its time is none");
  expectFit(commands <= MOST.commands, "it has too many commands");
  const names = [runner, ...command, ...[...tests, ...functions].map(({ name }) => name)];
  expectFit(names.every(isName), "a name is too long, or none");
  const isFile = ([path, hash]: readonly [string, string]) =>
    isPath(path) && /^[0-9a-f]{4,64}$/.test(hash);
  const paths = [...tests.map(({ file }) => file), ...functions.map(({ path }) => path)];
  const isKnown = [...files].every(isFile) && paths.every((path) => files.has(path));
  expectFit(isKnown, "a file is none of a project");
  const room = { left: MOST.inflatedBytes };
  const ran = new Int32Array(tests.length + 1);
  for (const { stretches } of functions) {
    readStretches(stretches, tests.length, room).forEach((end, place) =>
      ran[end] = (ran[end] ?? 0) + (place % 2 === 0 ? 1 : -1)
    );
  }
  let sum = 0;
  const now = SYSTEM_CLOCK.now().toISOString();
  return {
    ...run,
    at: at < now ? at : now,
    tests: tests.map((test, place) => ({ ...test, functions: sum += ran[place] ?? 0 })),
  };
}

/** Bytes of a number below that of the tests, at most. */
const NUMBER_BYTES = 3;

/** Where stretches begin and end: rising, and none beyond the tests. */
function readStretches(bytes: Uint8Array, tests: number, room: { left: number }): number[] {
  let ends: number[];
  try {
    ends = unpackNumbers(bytes, Math.max(1, Math.min(room.left, NUMBER_BYTES * (tests + 1))));
  } catch (cause) {
    throw new UnfitRecord("what tests ran is damaged, or too much", { cause });
  }
  room.left -= ends.length;
  const isRising = ends.every((end, at) => end > (ends[at - 1] ?? -1) && end <= tests);
  expectFit(isRising && ends.length % 2 === 0, "what tests ran is out of order");
  return ends;
}

/**
 * Holds the runs of others against one that was just made here; those that do not hold are removed, and their packs marked.
 *
 * @param failed names of tests that failed here, of which nothing follows.
 * @returns a sentence for each pack.
 */
export async function checkSharedRuns(
  place: RunPlace,
  own: StoredRun,
  failed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { runs } = await readRuns(place);
  const told: string[] = [];
  for (const run of runs) {
    const { shared, runner, project } = run;
    if (shared === undefined || runner !== own.runner || project !== own.project) continue;
    const claim = findFalseClaim(run, own, failed);
    if (claim === null) continue;
    const { pack } = shared;
    const why = escapeLine(claim);
    await markPack(place, pack, why);
    await removeFiles(runs.filter((one) => one.shared?.pack === pack).map(({ path }) => path));
    const maker = escapeLine(shared.maker);
    told.push(
      `The shared record of the pack ${pack} is not used any more: ${why} (it says that it was made by ${maker}).`,
    );
  }
  return told;
}

/** Tests that are compared, of those that are looked at: of some the contents are others. */
const [SAMPLE, LOOKED_AT] = [50, 200];
/** Of what others say of a test so much may have run in no test here: machines differ (guessed). */
const NEVER_SHARE = .1;
/** And so much in other tests here: what is made once counts for the test that came first (guessed). */
const ELSEWHERE_SHARE = .5;

/** Where a run of others says of too much that a test ran it, on contents of which the own run shows otherwise; else null. */
function findFalseClaim(
  shared: StoredRun,
  own: StoredRun,
  failed: ReadonlySet<string>,
): string | null {
  const isSame = (path: string) =>
    own.files.has(path) && own.files.get(path) === shared.files.get(path);
  const keyOf = ({ path, name }: FunctionName) => `${path}\n${name}`;
  const here = new Map(own.tests.map(({ file, name }, at) => [`${file}\n${name}`, at]));
  const sample = shared.tests.flatMap(({ file, name, unit }, at) => {
    const place = here.get(`${file}\n${name}`) ?? -1;
    const isComparable = own.tests[place]?.unit === unit && !failed.has(name) && isSame(file);
    return isComparable ? [{ name, at, place, order: Math.random() }] : [];
  }).sort((one, other) => one.order - other.order).slice(0, LOOKED_AT);
  const said = listRan(shared, sample.map(({ at }) => at));
  const shown = listRan(own, sample.map(({ place }) => place));
  const all = [own, shared].flatMap(({ functions }) => functions);
  const early = new Set(all.filter(({ isLoaded }) => isLoaded).map(keyOf));
  const somewhere = new Set(
    own.functions.filter(({ stretches }) => unpackNumbers(stretches).length > 0).map(keyOf),
  );
  const [never, elsewhere]: [string[], string[]] = [[], []];
  let [claims, compared] = [0, 0];
  sample.forEach(({ name: test }, at) => {
    const [claimed = [], happened = []] = [said[at], shown[at]];
    const isClear = [...claimed, ...happened].every(({ path }) => isSame(path));
    if (!isClear || ++compared > SAMPLE) return;
    const ran = new Set(happened.map(keyOf));
    for (const { path, name } of claimed) {
      const key = keyOf({ path, name });
      if (early.has(key)) continue;
      claims++;
      if (ran.has(key)) continue;
      const claim = `it says that the test ${test} ran ${name} of ${path}`;
      (somewhere.has(key) ? elsewhere : never).push(claim);
    }
  });
  const isFalse = never.length > claims * NEVER_SHARE ||
    elsewhere.length > claims * ELSEWHERE_SHARE;
  if (!isFalse) return null;
  const count = never.length + elsewhere.length;
  return `${
    never[0] ?? elsewhere[0]
  }, which it did not do here on the same contents (${count} of ${claims} such words are wrong)`;
}

/** What each of some tests ran, by their positions. */
function listRan({ functions }: StoredRun, tests: readonly number[]): readonly FunctionName[][] {
  const ran = tests.map((): FunctionName[] => []);
  for (const one of functions) {
    const ends = unpackNumbers(one.stretches);
    // An even place begins a stretch.
    const isIn = (test: number) => ends.findLastIndex((end) => end <= test) % 2 === 0;
    tests.forEach((test, at) => isIn(test) && ran[at]?.push(one));
  }
  return ran;
}
