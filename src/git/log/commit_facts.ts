/** Whom lines of a file come from, and what the commits say: blame, the log of lines, messages. */
import type { TreePath } from "../../base/paths.ts";
import { CodeIntelError } from "../../base/errors.ts";
import type { Repository } from "../repository.ts";
import type { LineHunk, LineRange } from "../trees/changed_lines.ts";
import { parseHunks } from "../trees/changed_lines.ts";
import { clip, clipLine } from "../../base/text/clip.ts";

/** How many of the lines come from one commit. */
export interface BlamedLines {
  /** Null for lines that are not committed yet. */
  readonly commit: string | null;
  readonly lines: number;
}

/** How lines are asked for. */
export interface BlameOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A header of the porcelain form: commit, line there, line here, and at the first line of a run its length. */
const HEADER = /^([0-9a-f]{40}|[0-9a-f]{64}) \d+ \d+(?: \d+)?$/;
const NOBODY = /^0+$/;

/**
 * The commits that lines of a file in the worktree come from, in the order of the lines; changes of white space alone
 * are looked through, and moves of the file are followed.
 *
 * @returns Null where git cannot tell in time, or knows no such file.
 * @throws {CodeIntelError} `cancelled`, `git_missing`.
 */
export async function blameLines(
  repo: Repository,
  path: TreePath,
  ranges: readonly LineRange[],
  options: BlameOptions,
): Promise<readonly BlamedLines[] | null> {
  const args = [
    "blame",
    "--porcelain",
    "--root",
    "-w",
    // A filter of the configuration would be a program.
    "--no-textconv",
    ...ranges.map(({ start, end }) => `-L${start},${end}`),
    "--",
    path,
  ];
  const output = await askLog(repo, args, options);
  return output === null ? null : parseBlame(output);
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** What git says of the past; null where it cannot answer, or not in time. */
export async function askLog(
  repo: Repository,
  args: readonly string[],
  { stdin, ...options }: BlameOptions & { readonly stdin?: string },
): Promise<string | null> {
  try {
    const input = stdin === undefined ? {} : { stdin };
    return await repo.git.text(args, { ...options, ...input, maxOutputBytes: MAX_OUTPUT_BYTES });
  } catch (failure) {
    if (!(failure instanceof CodeIntelError)) throw failure;
    if (failure.code !== "git_failed" && failure.code !== "timed_out") throw failure;
    return null;
  }
}

/** Counts the lines of each commit; a line of the file begins with a tab, whatever it holds. */
export function parseBlame(output: string): readonly BlamedLines[] {
  const counts = new Map<string, number>();
  for (const line of output.split("\n")) {
    const id = line.startsWith("\t") ? undefined : HEADER.exec(line)?.[1];
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].map(([id, lines]) => ({ commit: NOBODY.test(id) ? null : id, lines }));
}

/**
 * The ids of the commits that changed lines of a file in the worktree, newest first: hunks are followed backwards from
 * commit to commit, through moves of the lines and of the file.
 *
 * @returns Null where git cannot tell in time, or knows no such lines; nothing for lines that are not committed yet.
 * @throws {CodeIntelError} `cancelled`, `git_missing`.
 */
export async function traceLines(
  repo: Repository,
  path: TreePath,
  ranges: readonly LineRange[],
  options: BlameOptions,
): Promise<readonly string[] | null> {
  const plain = ["--no-ext-diff", "--no-textconv", "--no-color"];
  const diff = ["--literal-pathspecs", "diff", ...plain, "-U0", "HEAD", "--", path];
  const changes = await askLog(repo, diff, options);
  if (changes === null) return null;
  const { hunks } = parseHunks(changes);
  const committed = ranges.flatMap((range) => mapToCommitted(range, hunks) ?? []);
  if (committed.length === 0) return [];
  const lines = committed.map(({ start, end }) => `-L${start},${end}:${path}`);
  const log = ["log", "--no-patch", "--format=%H", "--no-show-signature", ...plain, ...lines];
  return (await askLog(repo, [...log, "HEAD"], options))?.split("\n").filter((id) => id !== "") ??
    null;
}

/** Lines of the worktree as the last commit numbers them; null where it has none of them. */
function mapToCommitted({ start, end }: LineRange, hunks: readonly LineHunk[]): LineRange | null {
  const first = mapToOldLine(start, hunks, "after");
  const last = mapToOldLine(end, hunks, "before");
  return first > last ? null : { start: first, end: last };
}

/** The old number of a line; of a new line that of its neighbour behind or before it. */
function mapToOldLine(line: number, hunks: readonly LineHunk[], side: "after" | "before"): number {
  let moved = 0;
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    // What only removes lines stands behind the line that it names.
    const from = newCount === 0 ? newStart + 1 : newStart;
    if (line < from) break;
    if (line < from + newCount) {
      if (oldCount > 0) return side === "after" ? oldStart : oldStart + oldCount - 1;
      return side === "after" ? oldStart + 1 : oldStart;
    }
    moved += oldCount - newCount;
  }
  return line + moved;
}

/** Who made a commit, when and why. */
export interface CommitFacts {
  readonly id: string;
  /** Name of the author on one line. */
  readonly author: string;
  /** Seconds since 1970, as the committer's clock had them. */
  readonly atSeconds: number;
  readonly message: string;
}

const MAX_AUTHOR_CHARS = 80;
const MAX_MESSAGE_CHARS = 4_000;
// Two NUL at its begin tell a commit from all that a message or a name may hold.
const FORMAT = "--format=tformat:%x00%x00%H%x00%an%x00%ct%x00%B%x00";

/**
 * The facts of commits by their ids; those that git cannot tell are left out.
 *
 * @throws {CodeIntelError} `cancelled`, `git_missing`.
 */
export async function readCommitFacts(
  repo: Repository,
  ids: readonly string[],
  options: BlameOptions,
): Promise<ReadonlyMap<string, CommitFacts>> {
  if (ids.length === 0) return new Map();
  const stdin = ids.map((id) => `${id}\n`).join("");
  const args = ["rev-list", "--no-walk=unsorted", "--ignore-missing", "--stdin", FORMAT];
  const output = await askLog(repo, args, { ...options, stdin });
  const facts = new Map<string, CommitFacts>();
  const fields = (output ?? "").split("\0");
  for (let at = 2; at + 3 < fields.length; at++) {
    const [id = "", author = "", seconds = "", message = ""] = fields.slice(at, at + 4);
    if (fields[at - 1] !== "" || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) continue;
    facts.set(id, {
      id,
      author: clipLine(author, MAX_AUTHOR_CHARS),
      atSeconds: Number(seconds) || 0,
      message: clip(message.trim(), MAX_MESSAGE_CHARS),
    });
    at += 3;
  }
  return facts;
}

/**
 * The last commit that changed a file, under its present name; null where there is none or git cannot tell in time.
 *
 * @throws {CodeIntelError} `cancelled`, `git_missing`.
 */
export async function findLastCommit(
  repo: Repository,
  path: TreePath,
  options: BlameOptions,
): Promise<string | null> {
  const args = ["--literal-pathspecs", "rev-list", "--max-count=1", "HEAD", "--", path];
  const id = (await askLog(repo, args, options))?.trim();
  return id === undefined || id === "" ? null : id;
}
