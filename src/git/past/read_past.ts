/**
 * Reads the commits of a repository in batches, so that no output has to be held as a whole and a reading can end
 * between any two of them. What git cannot tell of one commit is left out of that commit alone.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import { decode } from "../git.ts";
import { isPartialClone } from "../index/loose_objects.ts";
import type { Repository } from "../repository.ts";
import type { PastBounds, PastCommit } from "./log_output.ts";
import { parsePast, PAST_FORMAT } from "./log_output.ts";

/** Which commits are listed. */
export interface ListPastOptions {
  /** The commit from which is looked back. */
  readonly head: string;
  /** Commits that are known with all that lies behind them; those that git has no longer are ignored. */
  readonly known: readonly string[];
  readonly maxCommits: number;
  readonly signal?: AbortSignal;
}

const MAX_SHALLOW_BYTES = 4 * 1024 * 1024;

/** The ids of commits behind a commit, newest first and no parent before its child. */
export async function listPast(
  repo: Repository,
  { head, known, maxCommits, signal }: ListPastOptions,
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
export interface PastReach {
  /** The commits at which a shallow clone was cut off. */
  readonly shallow: ReadonlySet<string>;
  /** True in a partial clone, which may lack contents and folders of its commits. */
  readonly isPartial: boolean;
  /** Another one once more may be there: the cut of a shallow clone, the packs of a partial one. Empty for a full one. */
  readonly stamp: string;
}

/** Looks how much of the past a clone has. */
export function readReach(repo: Repository): PastReach {
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
export interface ReadPastOptions extends PastBounds {
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
 * The commits of some ids, in their order. Where git refuses (a lost object, a partial clone, more output than is
 * taken), they are read by halves with the moves of unchanged files, which needs no contents, and then those again that
 * may have moved a file and changed it. What stays unreadable after some starts of git is left out.
 *
 * @throws {CodeIntelError} `cancelled`, `timed_out`, `git_missing`.
 */
export async function readPast(
  repo: Repository,
  ids: readonly string[],
  options: ReadPastOptions,
): Promise<readonly PastCommit[]> {
  if (ids.length === 0) return [];
  const whole = await askGit(repo, ids, ALL_MOVES, options);
  if (whole !== null) return parsePast(whole, options);
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
  options: ReadPastOptions,
  starts: { left: number },
): Promise<readonly PastCommit[]> {
  if (ids.length === 0 || starts.left-- <= 0) return [];
  const output = await askGit(repo, ids, moves, options);
  if (output !== null) return parsePast(output, options);
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
  { signal }: ReadPastOptions,
): Promise<string | null> {
  // Unlike `git log`, this command obeys no setting of the person about what is shown.
  const args = ["diff-tree", "--stdin", "--root", "--always", "-r", "-z", ...moves];
  try {
    const output = await repo.git.bytes([...args, "--name-status", PAST_FORMAT], {
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
