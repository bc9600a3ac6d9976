/** Asks git which commits changed some lines of a file, also where nothing of their change is left. It is bounded by time. */
import type { TreePath } from "../../base/paths.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { decode } from "../git.ts";
import type { Repository } from "../repository.ts";
import type { LineHunk, LineRange } from "../trees/changed_lines.ts";
import { parseHunks } from "../trees/changed_lines.ts";
import type { BlameOptions } from "./blame.ts";

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
  const changes = await ask(repo, diff, options);
  if (changes === null) return null;
  const { hunks } = parseHunks(changes);
  const committed = ranges.flatMap((range) => toCommitted(range, hunks) ?? []);
  if (committed.length === 0) return [];
  const lines = committed.map(({ start, end }) => `-L${start},${end}:${path}`);
  const log = ["log", "--no-patch", "--format=%H", "--no-show-signature", ...plain, ...lines];
  return (await ask(repo, [...log, "HEAD"], options))?.split("\n").filter((id) => id !== "") ??
    null;
}

/** Lines of the worktree as the last commit numbers them; null where it has none of them. */
function toCommitted({ start, end }: LineRange, hunks: readonly LineHunk[]): LineRange | null {
  const first = toOld(start, hunks, "after");
  const last = toOld(end, hunks, "before");
  return first > last ? null : { start: first, end: last };
}

/** The old number of a line; of a new line that of its neighbour behind or before it. */
function toOld(line: number, hunks: readonly LineHunk[], side: "after" | "before"): number {
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

async function ask(
  repo: Repository,
  args: readonly string[],
  { timeoutMs, signal }: BlameOptions,
): Promise<string | null> {
  try {
    const more = signal === undefined ? {} : { signal };
    return decode(await repo.git.bytes(args, { timeoutMs, ...more }));
  } catch (failure) {
    if (!(failure instanceof CodeIntelError)) throw failure;
    if (failure.code !== "git_failed" && failure.code !== "timed_out") throw failure;
    return null;
  }
}
