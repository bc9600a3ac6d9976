/**
 * What every reply passes: notices about what it could not look at, the form of failures, and the
 * last resort. The last resort is for a reply larger than its budget: it cuts lists, then texts,
 * and says so. What is left is a complete JSON value.
 */
import type { RefusedReply, Reply } from "../base/reply.ts";
import { quoteShellWord } from "../base/text/plain_text.ts";
import { parseRepoPath } from "../base/repo_path.ts";
import { isRecord, measureJson } from "../base/text/json_record.ts";
import type { Services } from "../services/services_api.ts";
import type { Logger } from "../base/logger.ts";
import { CodeIntelError } from "../base/errors.ts";
import { findOperational } from "../base/operational.ts";
import { clip } from "../base/text/clip.ts";
import { argument, Phrase, SAME_CALL, say } from "../base/text/words.ts";

/** Names that one notice lists. */
const MAX_NAMED = 5;

/** The notice about repositories below the folder that was asked about; none where they were asked too. */
export async function findNestedNotices(
  reply: Reply,
  input: unknown,
  { parts: { projectRoot }, listNested, openOthers }: Pick<
    Services,
    "parts" | "listNested" | "openOthers"
  >,
): Promise<readonly string[]> {
  const asked = isRecord(input) ? input : {};
  if (reply["total"] !== 0 || asked["include_ignored"] === true) return [];
  const path = asked["path"];
  const parsed = parseRepoPath(projectRoot, typeof path === "string" ? path : ".", "path");
  if (parsed.kind === "refused") return [];
  const below = parsed.path === "." ? "" : `${parsed.path}/`;
  const names = listNested().filter((name) => name.startsWith(below)).toSorted(compareShown);
  if (names.length === 0) return [];
  const hint = (await openOthers()).toNestedHint();
  // The members of a workspace are asked with the whole project.
  if (path === undefined && hint === null) return [];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return [
    `Repositories inside the project were not searched: ${names.slice(0, MAX_NAMED).join(", ")}` +
    `${more}. ${hint ?? ""}\`--project ${quoteShellWord(names[0] ?? ".")}\` asks one.`,
  ];
}

/** Hidden folders come last: a home folder that git keeps has many of them. */
function compareShown(a: string, b: string): number {
  const [hiddenA, hiddenB] = [a, b].map((path) => Number(/(?:^|\/)\./.test(path)));
  return (hiddenA ?? 0) - (hiddenB ?? 0) || (a < b ? -1 : 1);
}

/**
 * Makes the reply of a failure: an operational failure with its code, a bug as an incident id, with
 * the stack on standard error only.
 */
export function toFailure(failure: unknown, logger: Logger): RefusedReply {
  const incident = crypto.randomUUID().slice(0, 8);
  const stack = failure instanceof Error ? failure.stack ?? failure.message : String(failure);
  // What nobody worded on its way up is written down, though it is no bug.
  if (!(failure instanceof CodeIntelError)) logger.note(`incident ${incident}: ${stack}`);
  const operational = findOperational(failure);
  if (operational !== null) {
    const { code, message, hint } = operational;
    return { ok: false, error: code, message, ...(hint === "" ? {} : { hint }) };
  }
  return {
    ok: false,
    error: "internal_error",
    message: `A bug of code-intel ended this call (incident ${incident}); nothing else is affected`,
    incident,
    hint:
      "Go on with another call; the server's standard error names the place under this incident.",
  };
}

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
 * import { addCoverage } from "./fit.ts";
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

/** A list or a text inside a reply, and its position. */
interface Part {
  readonly at: string;
  readonly sizeBytes: number;
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
}

const MAX_CUTS = 24;
/** Bytes kept free for the notice that something was cut. */
const NOTICE_BYTES = 260;
/** Shorter texts are never cut, nor are the fields that tell the agent where it is. */
const MIN_TEXT_CHARS = 200;
const KEPT: readonly string[] = ["call", "error", "phase", "session_id"];

/** The reply itself where it fits, else a copy that fits, with `truncated` naming what was cut. */
export function fitReply(reply: Reply, maxBytes: number): Reply {
  if (measureJson(reply) <= maxBytes) return reply;
  const copy = copyValue(reply) as Record<string, unknown>;
  const cuts = new Map<string, { readonly shown: number; readonly total: number }>();
  for (let round = 0; round < MAX_CUTS; round++) {
    const excess = measureJson(copy) + NOTICE_BYTES - maxBytes;
    if (excess <= 0) break;
    const part = findLargest(copy);
    if (part === undefined) break;
    const cut = cutPart(part, excess);
    cuts.set(part.at, { shown: cut.shown, total: cuts.get(part.at)?.total ?? cut.total });
  }
  return addNotice(copy, cuts) as Reply;
}

/** A copy that can be cut; texts with calls in them are values that never change. */
function copyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyValue);
  if (value === null || typeof value !== "object" || value instanceof Phrase) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyValue(inner)]));
}

function addNotice(
  reply: Record<string, unknown>,
  cuts: ReadonlyMap<string, { readonly shown: number; readonly total: number }>,
): Record<string, unknown> {
  const [first] = cuts;
  if (first === undefined || reply["truncated"] !== undefined) return reply;
  const [at, { shown, total }] = first;
  const next = say`Ask for less at once, or ${SAME_CALL} with a larger ${argument("max_bytes")}.`;
  return { ...reply, truncated: { at, shown, total, reason: "max_bytes", next } };
}

function findLargest(root: Record<string, unknown>): Part | undefined {
  const lists: Part[] = [];
  const texts: Part[] = [];
  const visit = (holder: Part["holder"], at: string) => {
    for (const [key, value] of Object.entries(holder)) {
      const here = at === "" ? key : Array.isArray(holder) ? `${at}[${key}]` : `${at}.${key}`;
      const part = { at: here, holder, key: Array.isArray(holder) ? Number(key) : key };
      if (Array.isArray(value)) {
        if (value.length > 1) lists.push({ ...part, sizeBytes: measureJson(value) });
        visit(value, here);
      } else if (typeof value === "object" && value !== null && !(value instanceof Phrase)) {
        visit(value as Record<string, unknown>, here);
      } else if (typeof value === "string" && isCuttable(here, value)) {
        texts.push({ ...part, sizeBytes: measureJson(value) });
      }
    }
  };
  visit(root, "");
  const largest = (parts: readonly Part[]) =>
    parts.reduce<Part | undefined>(
      (best, part) => (best === undefined || part.sizeBytes > best.sizeBytes ? part : best),
      undefined,
    );
  const list = largest(lists);
  const text = largest(texts);
  // A text that makes up most of a list of few items is cut before items are dropped.
  return (text?.sizeBytes ?? 0) * 2 > (list?.sizeBytes ?? 0) ? text ?? list : list ?? text;
}

function isCuttable(at: string, text: string): boolean {
  return text.length > MIN_TEXT_CHARS && !KEPT.includes(at);
}

function cutPart(part: Part, excessBytes: number): { shown: number; total: number } {
  const value = Reflect.get(part.holder, part.key) as unknown[] | string;
  const keptRatio = Math.max(0, 1 - excessBytes / part.sizeBytes);
  if (Array.isArray(value)) {
    const shown = Math.max(1, Math.min(value.length - 1, Math.floor(value.length * keptRatio)));
    const total = value.length;
    value.length = shown;
    return { shown, total };
  }
  const shown = Math.max(MIN_TEXT_CHARS / 2, Math.floor(value.length * keptRatio) - 1);
  // A cut through a surrogate pair would leave half a character.
  const head = value.slice(0, shown).replace(/[\uD800-\uDBFF]$/, "");
  Reflect.set(part.holder, part.key, `${head}…`);
  return { shown, total: value.length };
}
