/**
 * Reads the commits of a repository in batches, so that no output has to be held as a whole and a reading can end
 * between any two of them. What git cannot tell of one commit is left out of that commit alone.
 */
import { join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import { decode } from "../git.ts";
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

/** How commits are read. */
export interface ReadPastOptions extends PastBounds {
  readonly signal?: AbortSignal;
}

/** A rename is looked for among this many files of a commit; git's own bound would take minutes for a mass move. */
const MAX_RENAMES = 200;
const MAX_BATCH_BYTES = 64 * 1024 * 1024;

/**
 * The commits of some ids, in their order. A batch that git refuses (a lost object, more output than is taken) is
 * asked for without renames, then by halves; a single commit that stays unreadable is left out.
 *
 * @throws {CodeIntelError} `cancelled`, `timed_out`, `git_missing`.
 */
export async function readPast(
  repo: Repository,
  ids: readonly string[],
  options: ReadPastOptions,
): Promise<readonly PastCommit[]> {
  if (ids.length === 0) return [];
  const output = await askGit(repo, ids, options);
  if (output !== null) return parsePast(output, options);
  if (ids.length === 1) return [];
  const middle = Math.ceil(ids.length / 2);
  return [
    ...await readPast(repo, ids.slice(0, middle), options),
    ...await readPast(repo, ids.slice(middle), options),
  ];
}

/** What git prints; null where it cannot. */
async function askGit(
  repo: Repository,
  ids: readonly string[],
  { signal }: ReadPastOptions,
): Promise<string | null> {
  const stdin = ids.map((id) => `${id}\n`).join("");
  const more = signal === undefined ? {} : { signal };
  for (const renames of [["-M", `-l${MAX_RENAMES}`], ["--no-renames"]]) {
    // Unlike `git log`, this command obeys no setting of the person about what is shown.
    const args = ["diff-tree", "--stdin", "--root", "--always", "-r", "-z", ...renames];
    try {
      const output = await repo.git.bytes([...args, "--name-status", PAST_FORMAT], {
        stdin,
        maxOutputBytes: MAX_BATCH_BYTES,
        ...more,
      });
      return decode(output);
    } catch (failure) {
      if (!(failure instanceof CodeIntelError) || failure.code !== "git_failed") throw failure;
    }
  }
  return null;
}
