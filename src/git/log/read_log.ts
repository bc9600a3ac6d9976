/** Reads commits with their files in one start of git for many, up to bounds. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import { decode } from "../git.ts";
import { isPartialClone } from "../index/own_store.ts";
import type { Repository } from "../repository.ts";

/** A file that a commit changed. */
export interface LogFile {
  /** Its path after the commit, relative to the worktree. */
  readonly path: string;
  /** Its path before the commit, where the commit moved it. */
  readonly from?: string;
  /** True where the commit removed it. */
  readonly isRemoved?: boolean;
}

/** One commit of the past. */
export interface LogCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** Seconds since 1970, as the committer's clock had them. */
  readonly atSeconds: number;
  /** The beginning of its message. */
  readonly message: string;
  /** How many files it changed, those included that `files` leaves out. */
  readonly changed: number;
  /** The files, none where it changed more than anybody would call one piece of work. A merge has none. */
  readonly files: readonly LogFile[];
  /**
   * True where a file that it removed may be one that it added, moved and changed, and git could not compare them: their
   * contents are missing. Then it counts as a removal and an addition.
   */
  readonly hasOpenMoves?: boolean;
}

/** Bounds of what is kept of one commit. */
export interface LogBounds {
  readonly maxFiles: number;
  /** Characters of all its paths together. */
  readonly maxPathChars: number;
  readonly maxMessageChars: number;
  /** True where git was asked for the moves of unchanged files alone, which needs no contents; default false. */
  readonly hasExactMovesOnly?: boolean;
}

/**
 * The format of a commit: two NUL, then its id, parents, time and message; `--name-status` adds its files. No message
 * and no name holds a NUL, so that nothing inside a commit looks like the beginning of the next one.
 */
export const LOG_FORMAT = "--format=tformat:%x00%x00%H%x00%P%x00%ct%x00%B";

const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const STATUS = /^\n?([ACDMRTUXB])(\d*)$/;

/**
 * The commits of an output, in its order. What has not the form of a commit is skipped, so that one malformed commit never
 * spoils its neighbours.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseLog } from "./read_log.ts";
 * const id = "a".repeat(40);
 * const output = `\0\0${id}\0\0${5}\0Move it\n\0\nR100\0old.ts\0new.ts\0M\0b.ts\0`;
 * const [commit] = parseLog(output, { maxFiles: 10, maxPathChars: 99, maxMessageChars: 99 });
 * deepEqual(commit?.files, [{ path: "new.ts", from: "old.ts" }, { path: "b.ts" }]);
 * ```
 */
export function parseLog(output: string, bounds: LogBounds): LogCommit[] {
  const fields = output.split("\0");
  const starts = findStarts(fields);
  return starts.map((start, at) =>
    parseCommit(fields.slice(start, starts[at + 1] ?? fields.length), bounds)
  );
}

/** Numbers of the fields with which a commit begins: an id after two that are empty. */
function findStarts(fields: readonly string[]): number[] {
  const starts: number[] = [];
  for (let at = 2; at < fields.length; at++) {
    if (fields[at - 2] !== "" || fields[at - 1] !== "") continue;
    if (ID.test(fields[at] ?? "")) starts.push(at);
  }
  return starts;
}

function parseCommit(fields: readonly string[], bounds: LogBounds): LogCommit {
  const [id = "", parents = "", seconds = "", message = "", ...rest] = fields;
  const { files, hasAdded } = parseFiles(rest);
  const hasOpenMoves = bounds.hasExactMovesOnly === true && hasAdded &&
    files.some(({ isRemoved }) => isRemoved === true);
  return {
    id,
    parents: parents.split(" ").filter((parent) => ID.test(parent)),
    atSeconds: Number(seconds) || 0,
    message: message.slice(0, bounds.maxMessageChars).trim(),
    changed: files.length,
    files: isMass(files, bounds) ? [] : files,
    ...(hasOpenMoves ? { hasOpenMoves } : {}),
  };
}

function isMass(files: readonly LogFile[], { maxFiles, maxPathChars }: LogBounds): boolean {
  if (files.length > maxFiles) return true;
  return files.reduce((sum, { path, from = "" }) => sum + path.length + from.length, 0) >
    maxPathChars;
}

function parseFiles(fields: readonly string[]): { files: LogFile[]; hasAdded: boolean } {
  const files: LogFile[] = [];
  let hasAdded = false;
  for (let at = 0; at < fields.length; at++) {
    const status = STATUS.exec(fields[at] ?? "")?.[1];
    if (status === undefined) continue;
    const path = fields[at + 1] ?? "";
    at += 1;
    if (path === "") continue;
    hasAdded ||= status === "A";
    if (status !== "R" && status !== "C") {
      files.push(status === "D" ? { path, isRemoved: true } : { path });
      continue;
    }
    const to = fields[at + 1] ?? "";
    at += 1;
    // A copy says nothing of the file that it was taken from.
    if (to !== "") files.push(status === "R" ? { path: to, from: path } : { path: to });
  }
  return { files, hasAdded };
}

/** Which commits are listed. */
export interface ListCommitsOptions {
  /** The commit from which is looked back. */
  readonly head: string;
  /** Commits that are known with all that lies behind them; those that git has no longer are ignored. */
  readonly known: readonly string[];
  readonly maxCommits: number;
  readonly signal?: AbortSignal;
}

const MAX_SHALLOW_BYTES = 4 * 1024 * 1024;

/** The ids of commits behind a commit, newest first and no parent before its child. */
export async function listCommitIds(
  repo: Repository,
  { head, known, maxCommits, signal }: ListCommitsOptions,
): Promise<readonly string[]> {
  const args = [
    "rev-list",
    "--date-order",
    `--max-count=${maxCommits}`,
    "--ignore-missing",
    "--stdin",
  ];
  const stdin = [head, ...known.map((id) => `^${id}`)].map((line) => `${line}\n`).join("");
  const output = await repo.git.text(args, { stdin, ...(signal === undefined ? {} : { signal }) });
  return output.split("\n").filter((id) => id !== "");
}

/** The commits at which the past of a shallow clone was cut off: git shows them as if they had made every file. */
export function readShallow({ commonDir }: Repository): ReadonlySet<string> {
  const bounds = { within: commonDir, maxBytes: MAX_SHALLOW_BYTES };
  const text = readRegularText(join(commonDir, "shallow"), bounds) ?? "";
  return new Set(text.split("\n").filter((id) => id !== ""));
}

/** How much of the past a clone has. */
export interface CloneDepth {
  /** The commits at which a shallow clone was cut off. */
  readonly shallow: ReadonlySet<string>;
  /** True in a partial clone, which may lack contents and folders of its commits. */
  readonly isPartial: boolean;
  /** Another one once more may be there: the cut of a shallow clone, the packs of a partial one. Empty for a full one. */
  readonly stamp: string;
}

/** Looks how much of the past a clone has. */
export function readCloneDepth(repo: Repository): CloneDepth {
  const shallow = readShallow(repo);
  const isPartial = isPartialClone(repo);
  const parts = [...[...shallow].sort(), ...isPartial ? ["partial", ...listPacks(repo)] : []];
  const stamp = parts.length === 0
    ? ""
    : createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
  return { shallow, isPartial, stamp };
}

/** What a partial clone fetches always comes as a pack. */
function listPacks({ commonDir }: Repository): readonly string[] {
  try {
    const entries = [...Deno.readDirSync(join(commonDir, "objects/pack"))];
    return entries.map(({ name }) => name).filter((name) => name.endsWith(".pack")).sort();
  } catch {
    return [];
  }
}

/** How commits are read. */
export interface ReadLogOptions extends LogBounds {
  /** Starts of git that are left to tell open moves, counted down: the batches of one reading share them. */
  readonly starts?: { left: number };
  readonly signal?: AbortSignal;
}

/** A rename is looked for among this many files of a commit; git's own bound would take minutes for a mass move. */
const MAX_RENAMES = 200;
const ALL_MOVES = ["-M", `-l${MAX_RENAMES}`];
/** Compares no contents, so that a clone without them can tell it. */
const EXACT_MOVES = ["-M100%"];
const MAX_BATCH_BYTES = 64 * 1024 * 1024;
/** Starts of git that look for what can be read of a batch: enough to read around a lost object of 400 commits. */
const MAX_STARTS = 24;

/**
 * The commits of some ids, in their order. Git may refuse: a lost object, a partial clone, more
 * output than is taken. Then they are read by halves with the moves of unchanged files, which needs
 * no contents. Commits that may have moved a file and changed it are then read again. What stays
 * unreadable after some starts of git is left out.
 *
 * @throws {CodeIntelError} `cancelled`, `timed_out`, `git_missing`.
 */
export async function readLog(
  repo: Repository,
  ids: readonly string[],
  options: ReadLogOptions,
): Promise<readonly LogCommit[]> {
  if (ids.length === 0) return [];
  const whole = await askGit(repo, ids, ALL_MOVES, options);
  if (whole !== null) return parseLog(whole, options);
  const exact = { ...options, hasExactMovesOnly: true };
  const commits = await readHalves(repo, ids, EXACT_MOVES, exact, { left: MAX_STARTS });
  const open = commits.flatMap(({ id, hasOpenMoves }) => hasOpenMoves === true ? [id] : []);
  const judged = await readHalves(
    repo,
    open,
    ALL_MOVES,
    options,
    options.starts ?? { left: MAX_STARTS },
  );
  const byId = new Map(judged.map((commit) => [commit.id, commit]));
  return commits.map((commit) => byId.get(commit.id) ?? commit);
}

/** What git can tell of some commits, found by halves with so many starts. */
async function readHalves(
  repo: Repository,
  ids: readonly string[],
  moves: readonly string[],
  options: ReadLogOptions,
  starts: { left: number },
): Promise<readonly LogCommit[]> {
  if (ids.length === 0 || starts.left-- <= 0) return [];
  const output = await askGit(repo, ids, moves, options);
  if (output !== null) return parseLog(output, options);
  if (ids.length === 1) return [];
  const middle = Math.ceil(ids.length / 2);
  return [
    ...await readHalves(repo, ids.slice(0, middle), moves, options, starts),
    ...await readHalves(repo, ids.slice(middle), moves, options, starts),
  ];
}

/** What git prints; null where it cannot. */
async function askGit(
  repo: Repository,
  ids: readonly string[],
  moves: readonly string[],
  { signal }: ReadLogOptions,
): Promise<string | null> {
  // Unlike `git log`, this command obeys no setting of the user about what is shown.
  const args = ["diff-tree", "--stdin", "--root", "--always", "-r", "-z", ...moves];
  try {
    const output = await repo.git.bytes([...args, "--name-status", LOG_FORMAT], {
      stdin: ids.map((id) => `${id}\n`).join(""),
      maxOutputBytes: MAX_BATCH_BYTES,
      ...(signal === undefined ? {} : { signal }),
    });
    return decode(output);
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code !== "git_failed") throw failure;
    return null;
  }
}
