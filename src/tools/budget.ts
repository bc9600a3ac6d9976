/**
 * Keeps replies within their bytes: results are left out from the end, and the reply names the call
 * that returns the rest. Each result is measured once.
 */
import { asRecord, measureJson } from "../base/text/json_record.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { OkReply } from "../base/reply.ts";
import { Phrase } from "../base/text/words.ts";

/** The room for results, and how a too large one shrinks. */
export interface FitOptions<T> {
  /** Bytes that the results may take together, commas included. */
  readonly maxBytes: number;
  /**
   * Makes a smaller form of the first result, to fit into the given bytes, where that result alone
   * is too large.
   */
  readonly shrink?: (item: T, roomBytes: number) => T;
  /** How a result is written; default {@link toWire}. */
  readonly write?: (item: T) => unknown;
  readonly join?: JoinOptions;
}

/** Which written results stand as one, with their lists joined. */
export interface JoinOptions {
  /** Results with the same values of these fields stand as one. */
  readonly by: readonly string[];
  /** The field with the list that is joined: lines of text that begin with their number. */
  readonly list: string;
  /** Whether lines that say the same stand as one, with all their numbers before it: `12,40 call: run()`. */
  readonly isFolded: boolean;
}

/** Results that fit, and the same as they are written: fewer where some were joined. */
export interface FittingItems<T> {
  readonly shown: readonly T[];
  readonly written: readonly unknown[];
}

/** The longest run of results from the first that fits. */
export function fitItems<T>(items: readonly T[], options: FitOptions<T>): FittingItems<T> {
  const { write = toWire } = options;
  const joiner = new Joiner(options.join);
  let leftBytes = options.maxBytes;
  let count = 0;
  for (const item of items) {
    const wire = write(item);
    leftBytes -= joiner.measure(wire);
    if (leftBytes < 0) break;
    joiner.add(wire);
    count++;
  }
  const fitting = { shown: items.slice(0, count), written: joiner.written };
  const first = items[0];
  if (count > 0 || first === undefined || options.shrink === undefined) return fitting;
  const small = options.shrink(first, options.maxBytes);
  const wire = write(small);
  return measureJson(wire) + 1 <= options.maxBytes ? { shown: [small], written: [wire] } : fitting;
}

/** Collects written results, and joins those that belong together. */
class Joiner {
  readonly written: unknown[] = [];
  readonly #join: JoinOptions | undefined;
  readonly #lists = new Map<string, string[]>();

  constructor(join: JoinOptions | undefined) {
    this.#join = join;
  }

  /** The bytes that the reply grows by with this result, comma included. */
  measure(wire: unknown): number {
    const known = this.#find(wire);
    if (known === undefined) return measureJson(wire) + 1;
    return this.#listOf(wire).reduce((sum, line) => {
      const folded = this.#indexOf(known, line) === -1 ? line : readNumber(line);
      return sum + measureJson(folded) + 1;
    }, 0);
  }

  add(wire: unknown): void {
    if (this.#join === undefined) {
      this.written.push(wire);
      return;
    }
    const known = this.#find(wire);
    const list = known ?? [];
    for (const line of this.#listOf(wire)) {
      const at = this.#indexOf(list, line);
      const before = list[at];
      if (before === undefined) list.push(line);
      else list[at] = before.replace(NUMBERS, (numbers) => `${numbers},${readNumber(line)}`);
    }
    if (known !== undefined) return;
    this.#lists.set(this.#keyOf(wire), list);
    this.written.push({ ...asRecord(wire), [this.#join.list]: list });
  }

  /** Where the line stands that says the same; -1 where none does, or where each stands for itself. */
  #indexOf(list: readonly string[], line: string): number {
    if (this.#join?.isFolded !== true) return -1;
    const text = line.replace(NUMBERS, "");
    return list.findIndex((other) => other.replace(NUMBERS, "") === text);
  }

  #find(wire: unknown): string[] | undefined {
    return this.#join === undefined ? undefined : this.#lists.get(this.#keyOf(wire));
  }

  #keyOf(wire: unknown): string {
    const fields = asRecord(wire);
    return JSON.stringify(this.#join?.by.map((name) => fields[name] ?? null));
  }

  #listOf(wire: unknown): readonly string[] {
    return asRecord(wire)[this.#join?.list ?? ""] as readonly string[];
  }
}

const NUMBERS = /^[\d,]+/;

function readNumber(line: string): string {
  return NUMBERS.exec(line)?.[0] ?? "";
}

/** A reply that is a page of results. */
export interface PageOptions<T> extends FitOptions<T> {
  /** Name of the tool, for the call that returns the rest. */
  readonly tool: string;
  /** Arguments of this call; the next one has the same with another `offset`. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Name of the field that holds the results. */
  readonly listKey: string;
  /** Fields beside the results. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Exact number of all results. */
  readonly total: number;
  /** How many results come before the first of `items`. */
  readonly offset: number;
}

/** A page, and which of its items it shows. */
export interface Page<T> {
  readonly reply: OkReply;
  readonly shown: readonly T[];
}

/**
 * Builds the reply of a page within `maxBytes`, with `truncated` when results are left. Where not
 * even the first result fits, the next call is the same one with a larger budget.
 */
export function buildPage<T>(items: readonly T[], options: PageOptions<T>): Page<T> {
  const { fields, listKey, total, offset } = options;
  const whole = (shown: readonly unknown[], truncated?: unknown): OkReply => ({
    ok: true,
    ...fields,
    [listKey]: shown,
    total,
    ...(truncated === undefined ? {} : { truncated }),
  });
  // A budget within 1 KB of the largest counts as the largest: so much a call takes beside its
  // results.
  const isLargest = options.maxBytes > LIMITS.replyMaxBytes.value - 1024;
  const toRest = (shown: number) =>
    shown > 0 || items.length === 0 ? { offset: offset + shown } : isLargest
      // A result that fits into no budget is skipped, so that each next call gets further.
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
  const frameBytes = measureJson(whole([], toTruncated(total, true)));
  const room = options.maxBytes - frameBytes;
  const { shown, written } = fitItems(items, { ...options, maxBytes: room });
  const isCut = shown.length < items.length;
  const isLast = offset + Math.max(shown.length, items.length > 0 ? 1 : 0) >= total;
  // A page past the end has no next call.
  const truncated = items.length === 0 || (isLast && !isCut)
    ? undefined
    : toTruncated(shown.length, isCut);
  return { reply: whole(written, truncated), shown };
}

/** The same value with the keys of its objects in snake_case, as replies have them. */
export function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire);
  if (value === null || typeof value !== "object" || value instanceof Phrase) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toWire(inner),
    ]),
  );
}
