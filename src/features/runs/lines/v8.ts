/**
 * Reads what V8 counted in one process of Node (a file of `NODE_V8_COVERAGE`): ranges of characters, mapped to lines.
 * Only where the text that ran is known: the file as it is, the file with its types blanked, or by its source map. Pure.
 */
import { decodedMappings, TraceMap } from "@jridgewell/trace-mapping";
import { asRecord, parseJson } from "../../../base/text/json_record.ts";
import type { LineHits } from "./read_coverage.ts";
import { HitTally } from "./read_coverage.ts";

/** Longest list of places of a source map, in characters (guessed: a bundle of 5 MB has some 3 million). */
const MOST_MAPPINGS = 16_777_216;

/**
 * A source map whose sources are named from its own place; null where it is none, or too large.
 *
 * @param base path or URL of the map, or of the text that holds it.
 */
export function readSourceMap(map: unknown, base: string): TraceMap | null {
  const { mappings, sources, sourceRoot } = asRecord(map);
  if (typeof mappings !== "string" || mappings.length > MOST_MAPPINGS) return null;
  if (!Array.isArray(sources) || !/^[\w+/,;]*$/.test(mappings)) return null;
  const root = typeof sourceRoot === "string" ? { sourceRoot } : {};
  const own = sources.map((source) => typeof source === "string" ? source : null);
  return new TraceMap({ ...root, version: 3, names: [], sources: own, mappings }, base);
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

/** Finds the source file at a path or `file:` URL without query; null for one that is not wanted. */
type FindSource = (url: string) => RanSource | null;

/** Node appends this line to a module whose types it blanked. */
const STRIPPED = "\n\n//# sourceURL=";
/** Most characters that the ranges of one script cover together (guessed: a bundle of 5 MB, 100 functions deep). */
const MOST_COVERED = 536_870_912;
/** Loaders and test runners put a version behind the path. */
const QUERY = /[?#].*$/s;

/** The lines of the wanted files that ran, and did not run, in one process; null where the text is no such file. */
export function readV8(text: string, find: FindSource): V8Report | null {
  const { result, "source-map-cache": cache } = asRecord(parseJson(text));
  if (!Array.isArray(result)) return null;
  const tally = new HitTally();
  const untold = new Set<string>();
  for (const { url, functions } of result.map(asRecord)) {
    if (typeof url !== "string") continue;
    const map = Object.hasOwn(asRecord(cache), url) ? asRecord(asRecord(cache)[url]) : null;
    const source = find(url.replace(QUERY, ""));
    if (map === null && source === null) continue;
    const ran = readRan(functions);
    const isTold = ran !== null &&
      (map === null
        ? source !== null && addPlain(tally, source, { ran, url })
        : addMapped(tally, map, { ran, url, find }));
    if (!isTold && source !== null) untold.add(source.name);
  }
  const names = [...untold].filter((name) => !tally.files.has(name));
  return { files: tally.files, untold: names, isWhole: tally.isWhole };
}

/** A range of characters with how often it ran. */
interface CountedRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** For each character of a script 1 where it ran; the innermost range counts. Null for malformed data. */
function readRan(functions: unknown): Uint8Array | null {
  const lists = Array.isArray(functions) ? functions.map((one) => asRecord(one).ranges) : [null];
  if (!lists.every((list) => Array.isArray(list) && list.every(isRange))) return null;
  const ranges = (lists as CountedRange[][]).flat();
  if (ranges.reduce((sum, one) => sum + one.endOffset - one.startOffset, 0) > MOST_COVERED) {
    return null;
  }
  ranges.sort((one, other) =>
    one.startOffset - other.startOffset || other.endOffset - one.endOffset
  );
  const ran = new Uint8Array(ranges.reduce((most, { endOffset }) => Math.max(most, endOffset), 0));
  for (const { startOffset, endOffset, count } of ranges) {
    ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  return ran;
}

function isRange(value: unknown): value is CountedRange {
  const { startOffset: start, endOffset: end, count } = asRecord(value);
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && Number.isFinite(count) &&
    0 <= Number(start) && Number(start) <= Number(end);
}

interface Script {
  readonly ran: Uint8Array;
  readonly url: string;
}

/** A script whose offsets are those of the file; false where another text ran. */
function addPlain(tally: HitTally, source: RanSource, { ran, url }: Script): boolean {
  const text = source.text.replace(/^\uFEFF/, "");
  if (![0, STRIPPED.length + url.length].includes(ran.length - text.length)) return false;
  let start = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const signs = [...line.matchAll(/\S+/g)];
    const isRan = signs.some(({ 0: word, index }) =>
      ran.subarray(start + index, start + index + word.length).includes(1)
    );
    if (signs.length > 0) tally.add(source.name, index + 1, isRan);
    start += line.length + 1;
  }
  return true;
}

/** A script that was made of other files, by the source map that Node kept; false where it says nothing. */
function addMapped(
  tally: HitTally,
  { lineLengths, data, url: own }: Readonly<Record<string, unknown>>,
  { ran, url, find }: Script & { readonly find: FindSource },
): boolean {
  const base = typeof own === "string" && !own.startsWith("data:") ? own : url;
  const map = readSourceMap(data, base);
  if (map === null || !Array.isArray(lineLengths)) return false;
  const wanted = map.resolvedSources.map((source) => find(source.replace(QUERY, "")));
  if (wanted.every((source) => source === null)) return false;
  let start = 0;
  for (const [line, places] of decodedMappings(map).entries()) {
    for (const [column, source, sourceLine] of places) {
      const offset = start + column;
      const name = wanted[source ?? -1]?.name;
      if (name === undefined || !(offset < ran.length)) continue;
      tally.add(name, Number(sourceLine) + 1, ran[offset] === 1);
    }
    start += Number(lineLengths[line]) + 1;
  }
  return true;
}
