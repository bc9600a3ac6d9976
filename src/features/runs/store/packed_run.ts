/** A stored run as a whole, and whether runs of others hold against one that this machine made. */
import { escapeLine } from "../../../base/text/plain_text.ts";
import type { FunctionName } from "../../../index/seen_runs.ts";
import type { Connection } from "../../../index/store/database.ts";
import type { IndexFile } from "../../../index/store/index_file.ts";
import { unpackNumbers, unpackTests } from "./run_file.ts";
import type { KeptRun, PackedRun, RunRecord } from "./save_run.ts";
import { listKeptRuns, removeRuns, UNITS, WAIT_MS } from "./save_run.ts";

/** Reads all that a run says. */
export function readPackedRun(db: Connection, run: KeptRun): PackedRun {
  const row = db.get("SELECT project, files, tests FROM runs WHERE id = ?", run.id);
  const pick = (table: string, ids: readonly number[]) =>
    db.all(
      `SELECT * FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
  const files = pick("files", unpackNumbers(row?.["files"]));
  const paths = new Map(files.map(({ id, path }) => [Number(id), String(path)]));
  const ran = unpackTests(row?.["tests"]);
  const tests = new Map(pick("tests", ran.ids).map((one) => [Number(one["id"]), one]));
  const rows = db.all(
    "SELECT file, name, is_loaded, tests FROM functions WHERE run = ? ORDER BY id",
    run.id,
  );
  const places = new Map(rows.map(({ file, name }, at) => [`${file} ${name}`, at]));
  const calls = db.all("SELECT * FROM calls WHERE run = ?", run.id).flatMap((call) => {
    const caller = places.get(`${call["caller_file"]} ${call["caller"]}`);
    const callee = places.get(`${call["callee_file"]} ${call["callee"]}`);
    if (caller === undefined || callee === undefined) return [];
    return [[caller, callee, Number(call["line"])] as const];
  });
  return {
    ...run,
    project: String(row?.["project"] ?? ""),
    files: new Map(files.map(({ path, hash }) => [String(path), String(hash)])),
    functions: rows.map(({ file, name }) => ({
      path: paths.get(Number(file)) ?? "",
      name: String(name),
    })),
    stretches: rows.map((one) => one["tests"] as Uint8Array),
    loaded: rows.flatMap((one, at) => one["is_loaded"] === 1 ? [at] : []),
    calls,
    tests: ran.ids.map((id, at) => ({
      file: String(tests.get(id)?.["file"]),
      name: String(tests.get(id)?.["name"]),
      unit: UNITS[Number(tests.get(id)?.["unit"])] ?? "file",
      ms: ran.ms[at] ?? 0,
      functions: ran.functions[at] ?? 0,
    })),
  };
}

/**
 * Holds the runs of others against one that was just made here; those that do not hold are removed, and their packs marked.
 *
 * @param failed names of tests that failed here, of which nothing follows.
 * @returns a sentence for each pack.
 */
export async function checkSharedRuns(
  file: IndexFile,
  own: RunRecord,
  failed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const wrong = await file.read((db) =>
    listKeptRuns(db, own.project).flatMap((run) => {
      const { shared, runner } = run;
      if (shared === undefined || runner !== own.runner) return [];
      const why = findFalseClaim(readPackedRun(db, run), own, failed);
      return why === null ? [] : [{ ...shared, why: escapeLine(why) }];
    })
  );
  if (wrong.length === 0) return [];
  await file.write(WAIT_MS, (db) => {
    for (const { pack, why } of wrong) {
      db.run("INSERT OR REPLACE INTO packs VALUES (?, ?)", pack, why);
      removeRuns(db, listKeptRuns(db).filter(({ shared }) => shared?.pack === pack));
    }
  });
  return wrong.map(({ pack, maker, why }) =>
    `The shared record of the pack ${pack} is not used any more: ${why} (it says that it was made by ${
      escapeLine(maker)
    }).`
  );
}

/** Tests that are compared. */
const SAMPLE = 50;
/** Of what others say of a test so much may have run in no test here: machines differ (guessed). */
const NEVER_SHARE = .1;
/** And so much in other tests here: what is made once counts for the test that came first (guessed). */
const ELSEWHERE_SHARE = .5;

/** Where a run of others says of too much that a test ran it, on contents of which the own run shows otherwise; else null. */
function findFalseClaim(
  shared: PackedRun,
  own: RunRecord,
  failed: ReadonlySet<string>,
): string | null {
  const isSame = ({ path }: { readonly path: string }) =>
    own.files.has(path) && own.files.get(path) === shared.files.get(path);
  const keyOf = ({ path, name }: FunctionName) => `${path}\n${name}`;
  const listKeys = ({ functions }: Pick<RunRecord, "functions">, at: readonly number[]) =>
    at.flatMap((one) => functions[one] ?? []).map(keyOf);
  const ownTests = new Map(own.tests.map((test) => [`${test.file}\n${test.name}`, test]));
  const pairs = shared.tests.flatMap(({ file, name, unit }, at) => {
    const test = ownTests.get(`${file}\n${name}`);
    const isComparable = test?.unit === unit && !failed.has(name) && isSame({ path: file }) &&
      test.ran.every((one) => own.functions[one] !== undefined && isSame(own.functions[one]));
    return isComparable ? [{ at, test, order: Math.random() }] : [];
  });
  const sample = pairs.sort((one, other) => one.order - other.order).slice(0, SAMPLE);
  const claimed = sample.map((): FunctionName[] => []);
  shared.functions.forEach((one, position) => {
    const ends = unpackNumbers(shared.stretches[position]);
    sample.forEach(({ at }, place) => {
      // An even place begins a stretch.
      if (ends.findLastIndex((end) => end <= at) % 2 === 0) claimed[place]?.push(one);
    });
  });
  const early = new Set([...listKeys(own, own.loaded), ...listKeys(shared, shared.loaded)]);
  const marks = new Uint8Array(own.functions.length);
  for (const { ran } of own.tests) for (const one of ran) marks[one] = 1;
  const somewhere = new Set(own.functions.filter((_, at) => marks[at] === 1).map(keyOf));
  const [never, elsewhere]: [string[], string[]] = [[], []];
  let claims = 0;
  sample.forEach(({ test }, place) => {
    const said = claimed[place] ?? [];
    if (!said.every(isSame)) return;
    const ran = new Set(listKeys(own, test.ran));
    for (const one of said) {
      if (early.has(keyOf(one))) continue;
      claims++;
      if (ran.has(keyOf(one))) continue;
      const claim = `it says that the test ${test.name} ran ${one.name} of ${one.path}`;
      (somewhere.has(keyOf(one)) ? elsewhere : never).push(claim);
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
