/**
 * The last resort for a reply that is larger than its budget: cuts lists, then texts, and says so.
 * What is left is a complete JSON value. Tools that return pages cut before this does.
 */
import { toJsonBytes } from "../base/text/json_record.ts";
import type { Reply } from "../base/reply.ts";
import { argument, Phrase, SAME_CALL, say } from "../base/text/words.ts";

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
  if (toJsonBytes(reply) <= maxBytes) return reply;
  const copy = copyValue(reply) as Record<string, unknown>;
  const cuts = new Map<string, { readonly shown: number; readonly total: number }>();
  for (let round = 0; round < MAX_CUTS; round++) {
    const excess = toJsonBytes(copy) + NOTICE_BYTES - maxBytes;
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
        if (value.length > 1) lists.push({ ...part, sizeBytes: toJsonBytes(value) });
        visit(value, here);
      } else if (typeof value === "object" && value !== null && !(value instanceof Phrase)) {
        visit(value as Record<string, unknown>, here);
      } else if (typeof value === "string" && isCuttable(here, value)) {
        texts.push({ ...part, sizeBytes: toJsonBytes(value) });
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
