/**
 * Reads what git prints about commits with `-z --name-status`. Pure. The output of others is hostile: a message may be
 * of any length and hold anything but NUL, a name may hold line breaks, and a time may lie in the future.
 */

/** A file that a commit changed. */
export interface PastFile {
  /** Its path after the commit, relative to the worktree. */
  readonly path: string;
  /** Its path before the commit, where the commit moved it. */
  readonly from?: string;
  /** True where the commit removed it. */
  readonly isRemoved?: boolean;
}

/** One commit of the past. */
export interface PastCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** Seconds since 1970, as the committer's clock had them. */
  readonly atSeconds: number;
  /** The beginning of its message. */
  readonly message: string;
  /** How many files it changed, those included that `files` leaves out. */
  readonly changed: number;
  /** The files, none where it changed more than anybody would call one piece of work. A merge has none. */
  readonly files: readonly PastFile[];
  /**
   * True where a file that it removed may be one that it added, moved and changed, and git could not compare them: their
   * contents are missing. Then it counts as a removal and an addition.
   */
  readonly hasOpenMoves?: boolean;
}

/** Bounds of what is kept of one commit. */
export interface PastBounds {
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
export const PAST_FORMAT = "--format=tformat:%x00%x00%H%x00%P%x00%ct%x00%B";

const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const STATUS = /^\n?([ACDMRTUXB])(\d*)$/;

/**
 * The commits of an output, in its order. What has not the form of a commit is skipped, so that one odd commit never
 * spoils its neighbours.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parsePast } from "./log_output.ts";
 * const id = "a".repeat(40);
 * const output = `\0\0${id}\0\0${5}\0Move it\n\0\nR100\0old.ts\0new.ts\0M\0b.ts\0`;
 * const [commit] = parsePast(output, { maxFiles: 10, maxPathChars: 99, maxMessageChars: 99 });
 * deepEqual(commit?.files, [{ path: "new.ts", from: "old.ts" }, { path: "b.ts" }]);
 * ```
 */
export function parsePast(output: string, bounds: PastBounds): PastCommit[] {
  const fields = output.split("\0");
  const starts = findStarts(fields);
  return starts.map((start, at) =>
    toCommit(fields.slice(start, starts[at + 1] ?? fields.length), bounds)
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

function toCommit(fields: readonly string[], bounds: PastBounds): PastCommit {
  const [id = "", parents = "", seconds = "", message = "", ...rest] = fields;
  const { files, hasAdded } = toFiles(rest);
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

function isMass(files: readonly PastFile[], { maxFiles, maxPathChars }: PastBounds): boolean {
  if (files.length > maxFiles) return true;
  return files.reduce((sum, { path, from = "" }) => sum + path.length + from.length, 0) >
    maxPathChars;
}

function toFiles(fields: readonly string[]): { files: PastFile[]; hasAdded: boolean } {
  const files: PastFile[] = [];
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
