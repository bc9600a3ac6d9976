/**
 * Asks git which commits the present lines of a file come from. It is bounded by time: a file with a long past can take
 * git minutes.
 */
import type { TreePath } from "../../base/paths.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { decode } from "../git.ts";
import type { Repository } from "../repository.ts";
import type { LineRange } from "../trees/changed_lines.ts";

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
  { timeoutMs, signal }: BlameOptions,
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
  try {
    const more = signal === undefined ? {} : { signal };
    return parseBlame(decode(await repo.git.bytes(args, { timeoutMs, ...more })));
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
