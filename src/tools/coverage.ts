/** Says of an answer how much of the truth it shows, and of which state of the files, in a few bytes. Pure. */
import type { Reply } from "../base/reply.ts";
import { clip } from "../base/text/clip.ts";
import { isRecord } from "../base/text/json_record.ts";

/** How much of the truth an answer shows. */
export type Coverage =
  /** All there is in the files, with exact totals. */
  | "complete"
  /** A part: `truncated`, `freshness` or `notices` say what is missing. */
  | "partial"
  /** Nothing was found, but not everything could be looked at. */
  | "unknown";

const BRANCH_CHARS = 60;

/**
 * The reply of a question about code with `answer` and `state`. The figures of the index stay only where they say more
 * than that it knows every file.
 *
 * @param branch What is checked out; null without git.
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { addCoverage } from "./coverage.ts";
 * const found = { ok: true, files: ["a.ts"], total: 1, freshness: "live" } as const;
 * deepEqual(addCoverage(found, "main"), {
 *   ok: true, files: ["a.ts"], total: 1, answer: "complete", state: "working tree of main",
 * });
 * ```
 */
export function addCoverage(reply: Reply, branch: string | null): Reply {
  if (!isAnswer(reply)) return reply;
  const { freshness, ...rest } = reply;
  const { pending = 0, vectors_left: vectorsLeft } = isRecord(freshness) ? freshness : {};
  const hasPending = Number(pending) > 0;
  const isLimited = hasPending || rest["notices"] !== undefined;
  const answer: Coverage = isLimited && rest["total"] === 0
    ? "unknown"
    : isLimited || rest["truncated"] !== undefined
    ? "partial"
    : "complete";
  return {
    ...rest,
    ...(hasPending || vectorsLeft !== undefined ? { freshness } : {}),
    answer,
    state: branch === null ? "files on disk" : `working tree of ${clip(branch, BRANCH_CHARS)}`,
  };
}

/** Whether a reply answers a question about code: it says how old its knowledge is. */
export function isAnswer(reply: Reply): boolean {
  return reply.ok && reply["freshness"] !== undefined;
}
