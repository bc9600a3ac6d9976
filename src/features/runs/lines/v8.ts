/**
 * Reads what V8 counted in one process of Node (a file of `NODE_V8_COVERAGE`): ranges of characters, mapped to lines.
 * Only where the text that ran is known: the file as it is, the file with its types blanked, or by its source map. Pure.
 */
import { posix } from "node:path";
import { isRecord } from "../../../base/text/json_record.ts";
import type { LineHits } from "./read_coverage.ts";
import { HitTally } from "./read_coverage.ts";

/** A place of the generated text and the line that it comes from, all counted from 0. */
export interface Mapping {
  readonly line: number;
  readonly column: number;
  /** Position in the list of sources. */
  readonly source: number;
  readonly sourceLine: number;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Map([...DIGITS].map((digit, value) => [digit.charCodeAt(0), value]));
/** Most places of one map (guessed: a bundle of 5 MB has some 500,000). */
const MOST_MAPPINGS = 1_000_000;

/**
 * The places of a map that name a source, from top to bottom; null where it is no map, or too large.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { readMappings } from "./v8.ts";
 * deepEqual(readMappings("AAAA;KACC"), [
 *   { line: 0, column: 0, source: 0, sourceLine: 0 },
 *   { line: 1, column: 5, source: 0, sourceLine: 1 },
 * ]);
 * ```
 */
export function readMappings(text: string): readonly Mapping[] | null {
  const found: Mapping[] = [];
  let [line, column, source, sourceLine] = [0, 0, 0, 0];
  let fields: number[] = [];
  let [value, shift] = [0, 0];
  const take = () => {
    column += fields[0] ?? 0;
    if (fields.length >= 4) {
      source += fields[1] ?? 0;
      sourceLine += fields[2] ?? 0;
      found.push({ line, column, source, sourceLine });
    }
    fields = [];
  };
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 44 || char === 59) { // A comma ends a place, a semicolon a line.
      take();
      if (char === 59) [line, column] = [line + 1, 0];
      continue;
    }
    const digit = VALUES.get(char);
    if (digit === undefined || shift > 30 || found.length > MOST_MAPPINGS) return null;
    value += (digit & 31) * 2 ** shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    // The lowest bit is the sign.
    fields.push(value % 2 === 1 ? -Math.floor(value / 2) : value / 2);
    [value, shift] = [0, 0];
  }
  take();
  return found;
}

/** A source file of the project as it was when the process ran. */
export interface RanSource {
  /** How the file is called in the result. */
  readonly name: string;
  readonly text: string;
}

/** What one process did. */
export interface V8Report {
  readonly files: ReadonlyMap<string, LineHits>;
  /** Files that ran in a form that cannot be traced to their lines. */
  readonly untold: readonly string[];
  /** False where there was more than is read. */
  readonly isWhole: boolean;
}

/** A part of the text that ran, with how often; both ends as offsets in UTF-16 units, the second one behind it. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/** Node appends this line to a module whose types it blanked. */
const STRIPPED = "\n\n//# sourceURL=";
const MOST_PARTS = 500_000;

/**
 * The lines of the wanted files that ran, and did not run, in one process; null where the text is no such file.
 *
 * @param find the source file at a path or `file:` URL without query; null for one that is not wanted.
 */
export function readV8(text: string, find: (url: string) => RanSource | null): V8Report | null {
  const data = parse(text);
  if (data === null || !Array.isArray(data.result)) return null;
  const maps = isRecord(data["source-map-cache"]) ? data["source-map-cache"] : {};
  const tally = new HitTally();
  const untold = new Set<string>();
  for (const script of data.result) {
    if (!isRecord(script) || typeof script.url !== "string") continue;
    const map = Object.hasOwn(maps, script.url) ? maps[script.url] : undefined;
    const source = find(stripQuery(script.url));
    if (map === undefined && source === null) continue;
    const parts = readParts(script.functions);
    const isTold = map === undefined
      ? source !== null && addPlain(tally, source, { parts, url: script.url })
      : addMapped(tally, { parts, url: script.url, map, find });
    if (!isTold && source !== null) untold.add(source.name);
  }
  const { files, isWhole } = tally.toReport("V8");
  return { files, untold: [...untold].filter((name) => !files.has(name)), isWhole };
}

/** Loaders and test runners put a version behind the path. */
function stripQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

/** The innermost range counts for what it covers: parts that do not overlap, from left to right; null for malformed data. */
function readParts(functions: unknown): readonly Part[] | null {
  if (!Array.isArray(functions)) return null;
  const ranges: Part[] = [];
  for (const one of functions) {
    if (!isRecord(one) || !Array.isArray(one.ranges)) return null;
    for (const range of one.ranges) {
      if (!isRecord(range)) return null;
      const { startOffset: start, endOffset: end, count } = range;
      if (typeof start !== "number" || typeof end !== "number" || typeof count !== "number") {
        return null;
      }
      ranges.push({ start, end, count });
    }
  }
  if (ranges.length > MOST_PARTS) return null;
  ranges.sort((a, b) => a.start - b.start || b.end - a.end);
  const parts: Part[] = [];
  const open: Part[] = [];
  let at = 0;
  const closeUntil = (place: number) => {
    for (let inner = open.at(-1); inner !== undefined && at < place; inner = open.at(-1)) {
      const end = Math.min(inner.end, place);
      if (end > at) parts.push({ start: at, end, count: inner.count });
      at = Math.max(at, end);
      if (inner.end > place) return;
      open.pop();
    }
    at = Math.max(at, place);
  };
  for (const range of ranges) {
    closeUntil(range.start);
    open.push(range);
  }
  closeUntil(ranges.reduce((last, { end }) => Math.max(last, end), 0));
  return parts;
}

interface Script {
  readonly parts: readonly Part[] | null;
  readonly url: string;
}

/** A script whose offsets are those of the file; false where another text ran. */
function addPlain(tally: HitTally, source: RanSource, { parts, url }: Script): boolean {
  const text = source.text.replace(/^\uFEFF/, "");
  const end = parts?.at(-1)?.end;
  const isSame = end === text.length || end === text.length + STRIPPED.length + url.length;
  if (parts === null || !isSame) return false;
  let [offset, at] = [0, 0];
  text.split("\n").forEach((line, index) => {
    const start = offset;
    offset += line.length + 1;
    const sign = /\S/.exec(line);
    if (sign === null) return;
    const [first, last] = [start + sign.index, start + line.trimEnd().length];
    while (at < parts.length && (parts[at]?.end ?? 0) <= first) at++;
    let ran = false;
    for (let next = at; next < parts.length && (parts[next]?.start ?? last) < last; next++) {
      const part = parts[next];
      if (part !== undefined && part.count > 0) {
        ran ||= /\S/.test(text.slice(Math.max(part.start, first), Math.min(part.end, last)));
      }
    }
    tally.add(source.name, index + 1, ran);
  });
  return true;
}

/** A script that was made of other files, by the source map that Node kept; false where it says nothing. */
function addMapped(
  tally: HitTally,
  { parts, url, map, find }: Script & {
    readonly map: unknown;
    readonly find: (url: string) => RanSource | null;
  },
): boolean {
  if (parts === null || !isRecord(map) || !isRecord(map.data)) return false;
  const { lineLengths, data: { sources, mappings, sourceRoot } } = map;
  if (!Array.isArray(lineLengths) || !Array.isArray(sources) || typeof mappings !== "string") {
    return false;
  }
  const root = typeof sourceRoot === "string" ? sourceRoot : "";
  const base = typeof map.url === "string" && !map.url.startsWith("data:") ? map.url : url;
  const wanted = sources.map((source) =>
    typeof source === "string" ? find(stripQuery(resolveSource(base, root, source))) : null
  );
  const places = wanted.some((source) => source !== null) ? readMappings(mappings) : null;
  if (places === null) return false;
  const starts: number[] = [0];
  for (const length of lineLengths) starts.push((starts.at(-1) ?? 0) + Number(length) + 1);
  for (const { line, column, source, sourceLine } of places) {
    const name = wanted[source]?.name;
    const start = starts[line];
    if (name === undefined || start === undefined) continue;
    const part = findPart(parts, start + column);
    if (part !== undefined) tally.add(name, sourceLine + 1, part.count > 0);
  }
  return true;
}

/** The part that a place lies in. */
function findPart(parts: readonly Part[], offset: number): Part | undefined {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const part = parts[low];
  return part !== undefined && part.start <= offset ? part : undefined;
}

/** A source by the place of its map, as a path or a `file:` URL. */
export function resolveSource(base: string, root: string, source: string): string {
  const path = root === "" || /^(?:[a-z]+:|\/)/i.test(source) ? source : posix.join(root, source);
  if (/^(?:[a-z]+:|\/)/i.test(path)) return path;
  return URL.parse(path, base)?.href ?? posix.join(posix.dirname(base), path);
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const data: unknown = JSON.parse(text);
    return isRecord(data) ? data : null;
  } catch {
    return null;
  }
}
