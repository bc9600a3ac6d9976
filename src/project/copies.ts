/**
 * The copies below `.code-intel/backup/` of files that no snapshot has: lists them, brings them
 * back when the user asks, and removes old ones.
 */
import { join, relative, resolve } from "node:path";
import { isSameBytes } from "../base/bytes.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { checkOwnFolder, listOwnFolder } from "../base/files/own_folder.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { readRegularFile } from "../base/files/regular_file.ts";
import { copyFiles, placeCopy } from "../ledger/file_copies.ts";
import type { SessionStore } from "../session/store_api.ts";

/** What bringing copies back works with. */
export interface CopyDeps {
  /** Absolute folder that the copies belong to. */
  readonly projectRoot: string;
  /** Absolute folder of the copies. */
  readonly backupDir: string;
  readonly store: SessionStore;
  readonly now: () => Date;
}

/** The copies of one session, or those of files that a restore replaced. */
export interface CopySet {
  /** Name of the folder: a session id, or one followed by `_before_<time>`. */
  readonly name: string;
  /** Paths relative to the project, sorted. */
  readonly paths: readonly string[];
  /** Time of the newest copy, ISO. */
  readonly at: string;
}

/** Which copies to bring back. */
export interface CopyInput {
  readonly name: string;
  /** Files or folders relative to `from`; empty: all. */
  readonly paths: readonly string[];
  /** Absolute folder that the paths are relative to. */
  readonly from: string;
}

/** What bringing copies back will do. */
export interface CopyPlan {
  readonly set: CopySet;
  /** Files that differ from their copy, relative to the project. */
  readonly writes: readonly string[];
}

/** A plan, or why there is none. */
export type CopyPlanResult =
  | { readonly kind: "planned"; readonly plan: CopyPlan }
  | { readonly kind: "refused"; readonly problem: Problem };

const NAME = /^session_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_[0-9a-f]{4}(?:_before_\w+)?$/;
const OBJECTS = "objects";

/** All copies, newest first; empty where the folder does not exist. */
export async function listCopies(backupDir: string): Promise<readonly CopySet[]> {
  const sets: CopySet[] = [];
  for (const name of await listNames(backupDir)) {
    if (!NAME.test(name)) continue;
    const files = await listFiles(join(backupDir, name), "");
    const newest = Math.max(0, ...files.map(({ at }) => at));
    const paths = files.map(({ path }) => path).sort();
    if (paths.length > 0) sets.push({ name, paths, at: new Date(newest).toISOString() });
  }
  return sets.sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** Finds out what bringing copies back would do; changes nothing. */
export async function planCopies(deps: CopyDeps, input: CopyInput): Promise<CopyPlanResult> {
  const set = (await listCopies(deps.backupDir)).find(({ name }) => name === input.name);
  if (set === undefined) {
    return refuse("no_snapshots", `There is no copy of "${input.name}"`, {
      hint: "`code-intel snapshots` lists what can be brought back.",
    });
  }
  const root = await Deno.realPath(deps.projectRoot);
  const from = await Deno.realPath(input.from);
  const wanted = input.paths.map((path) =>
    relative(root, resolve(from, path)).replaceAll("\\", "/")
  );
  const isTaken = (path: string) => wanted.some((name) => isBelow(path, name));
  const unknown = wanted.findIndex((name) => !set.paths.some((path) => isBelow(path, name)));
  if (unknown >= 0) {
    const path = input.paths[unknown] ?? "";
    return refuse("not_in_snapshot", `No copy of "${path}" was kept by ${set.name}`, {
      hint: "Only files that were cleared for writing and that no snapshot has have a copy.",
      path,
    });
  }
  const writes: string[] = [];
  for (const path of set.paths) {
    if (wanted.length > 0 && !isTaken(path)) continue;
    const copy = readKept(deps.backupDir, join(deps.backupDir, set.name, path));
    const present = readKept(root, join(root, path));
    if (copy !== null && (present === null || !isSameBytes(copy, present))) writes.push(path);
  }
  return { kind: "planned", plan: { set, writes } };
}

function readKept(within: string, path: string): Uint8Array | null {
  const reading = readRegularFile(path, { within, maxBytes: LIMITS.heldBytes.value });
  return reading.kind === "read" ? reading.bytes : null;
}

/**
 * True for the path itself, for everything below it where it is a folder, and for every name where
 * it is the root.
 */
function isBelow(path: string, name: string): boolean {
  return name === "" || path === name || path.startsWith(`${name}/`);
}

function refuse(code: string, message: string, rest: Partial<Problem>): CopyPlanResult {
  return { kind: "refused", problem: makeProblem(code, message, rest) };
}

/**
 * Brings the planned copies back while no other process works on the sessions of the project.
 *
 * @returns the name under which the files are kept as they were before; null when none was there.
 */
export async function applyCopies(deps: CopyDeps, plan: CopyPlan): Promise<string | null> {
  const session = plan.set.name.replace(/_before_\w+$/, "");
  return await deps.store.withOperation(async () => {
    const { projectRoot, backupDir } = deps;
    const before = `${session}_before_${deps.now().toISOString().replaceAll(/[-:.]/g, "")}`;
    const present = plan.writes.map((path) => ({ file: join(projectRoot, path), path }));
    const kept = await copyFiles(join(backupDir, before), present, { within: projectRoot });
    for (const path of plan.writes) {
      await placeCopy(join(backupDir, plan.set.name, path), { projectRoot, path });
    }
    return kept ? before : null;
  });
}

/** Which copies count as old. */
export interface OldCopies {
  readonly before: Date;
  /** Sessions whose copies are kept whatever their age. */
  readonly keepSessions: readonly string[];
}

/** Names of sessions whose copies are all older than a time. */
export async function listOldCopies(
  backupDir: string,
  { before, keepSessions }: OldCopies,
): Promise<readonly string[]> {
  return (await listCopies(backupDir))
    .filter(({ name, at }) =>
      new Date(at) < before && !keepSessions.some((id) => name.startsWith(id))
    )
    .map(({ name }) => name)
    .sort();
}

/**
 * Removes old copies, and stored contents that no unfinished session can need: a content gets a new
 * time at each use, so one older than the oldest session is unused. Returns the names of the
 * removed copies.
 */
export async function pruneCopies(backupDir: string, old: OldCopies): Promise<readonly string[]> {
  const names = await listOldCopies(backupDir, old);
  checkOwnFolder(backupDir);
  for (const name of names) await Deno.remove(join(backupDir, name), { recursive: true });
  const starts = old.keepSessions.map(parseStart);
  const limit = Math.min(old.before.getTime(), ...starts);
  for (const { path, at } of await listFiles(join(backupDir, OBJECTS), "")) {
    if (at < limit) await Deno.remove(join(backupDir, OBJECTS, path)).catch(() => {});
  }
  return names;
}

/** Start time of a session as its id says it; 0 for an id without a time. */
function parseStart(id: string): number {
  const [, year, month, day, hours, minutes, seconds] = NAME.exec(id) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(time) ? 0 : time;
}

interface FoundFile {
  readonly path: string;
  /** Time of the entry's last change, in milliseconds. */
  readonly at: number;
}

async function listFiles(folder: string, inside: string): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const name of await listNames(join(folder, inside))) {
    const path = inside === "" ? name : `${inside}/${name}`;
    const info = await Deno.lstat(join(folder, path)).catch(() => null);
    if (info?.isDirectory) found.push(...await listFiles(folder, path));
    else if (info?.isFile) found.push({ path, at: info.mtime?.getTime() ?? 0 });
  }
  return found;
}

async function listNames(folder: string): Promise<readonly string[]> {
  // A folder that is a link is not ours, so nothing in it is shown or removed.
  return (await listOwnFolder(folder).catch(() => [])).map(({ name }) => name);
}
