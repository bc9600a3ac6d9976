/**
 * Keeps replies within their bytes: results are left out from the end, and the call that goes on with
 * the next one is named. Each result is measured once.
 */
import { LIMITS } from "../base/limits.ts";
import type { OkReply } from "../base/reply.ts";
import { toSizeBytes } from "./fit.ts";

/** How many results fit. */
export interface FitOptions<T> {
  /** Bytes that the results may take together, commas included. */
  readonly maxBytes: number;
  /** Makes a smaller form of a first result that alone is too large, for a room in bytes. */
  readonly shrink?: (item: T, roomBytes: number) => T;
}

/** The longest run of results from the first that fits, as they are written by {@link toWire}. */
export function fitItems<T>(items: readonly T[], options: FitOptions<T>): readonly T[] {
  const kept: T[] = [];
  let leftBytes = options.maxBytes;
  for (const item of items) {
    leftBytes -= toSizeBytes(toWire(item)) + 1;
    if (leftBytes < 0) break;
    kept.push(item);
  }
  const first = items[0];
  if (kept.length > 0 || first === undefined || options.shrink === undefined) return kept;
  const small = options.shrink(first, options.maxBytes);
  return toSizeBytes(toWire(small)) + 1 <= options.maxBytes ? [small] : kept;
}

/** A reply that is a page of results. */
export interface PageOptions<T> extends FitOptions<T> {
  /** Name of the tool, for the call that goes on. */
  readonly tool: string;
  /** Arguments of this call; the next one has the same with another `offset`. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Name of the field that holds the results. */
  readonly listKey: string;
  /** Fields beside the results. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Exact number of all results. */
  readonly total: number;
  /** Results passed over before the first of `items`. */
  readonly offset: number;
}

/** A page and which of its items it shows. */
export interface Page<T> {
  readonly reply: OkReply;
  readonly shown: readonly T[];
}

/**
 * Builds the reply of a page within `maxBytes`, with `truncated` when results are left. Where not even the first one
 * fits, the next call is the same with a larger budget.
 */
export function toPage<T>(items: readonly T[], options: PageOptions<T>): Page<T> {
  const { fields, listKey, total, offset } = options;
  const whole = (shown: readonly unknown[], truncated?: unknown): OkReply => ({
    ok: true,
    ...fields,
    [listKey]: shown,
    total,
    ...(truncated === undefined ? {} : { truncated }),
  });
  // The largest budgets differ by less than a call takes beside its results.
  const isLargest = options.maxBytes > LIMITS.replyMaxBytes.value - 1024;
  const toRest = (shown: number) =>
    shown > 0 || items.length === 0 ? { offset: offset + shown } : isLargest
      // What fits no budget at all is passed over, so that going on always gets further.
      ? { offset: offset + 1 }
      : { offset, "max_bytes": Math.min(options.maxBytes * 8, LIMITS.replyMaxBytes.value) };
  const toTruncated = (shown: number, isCut: boolean) => ({
    shown,
    total,
    reason: isCut ? "max_bytes" : "max_results",
    next: {
      tool: options.tool,
      arguments: { ...options.arguments, ...toRest(shown) },
    },
  });
  const frameBytes = toSizeBytes(whole([], toTruncated(total, true)));
  const room = options.maxBytes - frameBytes;
  const shown = fitItems(items, { ...options, maxBytes: room });
  const isCut = shown.length < items.length;
  const isLast = offset + Math.max(shown.length, items.length > 0 ? 1 : 0) >= total;
  // Past the end there is nothing to go on to.
  const truncated = items.length === 0 || (isLast && !isCut)
    ? undefined
    : toTruncated(shown.length, isCut);
  return { reply: whole(shown.map(toWire), truncated), shown };
}

/** The same value with the keys of its objects in snake_case, as all replies have them. */
export function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toWire(inner),
    ]),
  );
}
