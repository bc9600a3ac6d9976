/**
 * Where ripgrep matches in lines that are known to match. A line of megabytes may hold millions of
 * matches, more than any output can: of such a line only the first ones are read, and all are counted.
 */
import { decodeBytes, readMatches, splitOutput } from "./ripgrep_output.ts";
import { runRipgrep, toArgs } from "./ripgrep_run.ts";
import type { LineMatch, TextQuery, TextScope } from "./text_query.ts";
import { MAX_LINE_RANGES } from "./text_query.ts";

/** Each match takes about 60 bytes of output, and there may be one a character. */
const GROUP_CHARS = 200_000;
const GROUP_OUTPUT_BYTES = 64 * GROUP_CHARS * 2;
/** Room for the first matches of one long line. */
const FIRST_OUTPUT_BYTES = 64 * 1024;

/** What is asked of which lines. */
export interface LineOptions {
  readonly scope: TextScope;
  /** Without their ends. */
  readonly lines: readonly string[];
}

/**
 * The matches of lines, without context. `line` is the position among `lines`, from 1; `path` says nothing.
 *
 * @throws {CodeIntelError} `timed_out`, `cancelled`, `backend_missing`.
 */
export async function matchLines(
  rgPath: string,
  query: TextQuery,
  { scope, lines }: LineOptions,
): Promise<LineMatch[]> {
  const found: LineMatch[] = [];
  for (const { from, to } of toGroups(lines)) {
    const group = lines.slice(from, to);
    const matches = group.length === 1 && (group[0]?.length ?? 0) > GROUP_CHARS
      ? [await matchLongLine(rgPath, query, { scope, line: group[0] ?? "" })]
      : await matchGroup(rgPath, query, { scope, lines: group });
    for (const match of matches) found.push({ ...match, line: match.line + from });
  }
  return found;
}

/** Neighbours that one run can answer; a longer line stands alone. */
function* toGroups(
  lines: readonly string[],
): Generator<{ readonly from: number; readonly to: number }> {
  let from = 0;
  let chars = 0;
  for (const [at, line] of lines.entries()) {
    if (at > from && chars + line.length > GROUP_CHARS) {
      yield { from, to: at };
      from = at;
      chars = 0;
    }
    chars += line.length;
  }
  if (from < lines.length) yield { from, to: lines.length };
}

async function matchGroup(
  rgPath: string,
  query: TextQuery,
  { scope, lines }: LineOptions,
): Promise<readonly LineMatch[]> {
  const run = await runRipgrep(rgPath, [...toArgs(query), "--json"], {
    scope,
    batch: [],
    stdin: lines.map((line) => `${line}\n`).join(""),
    maxOutputBytes: GROUP_OUTPUT_BYTES,
  });
  return splitOutput(new TextDecoder().decode(run.stdout)).blocks
    .flatMap((block) => readMatches(block, 0, { to: lines.length, contextLines: 0 }));
}

async function matchLongLine(
  rgPath: string,
  query: TextQuery,
  { scope, line }: { readonly scope: TextScope; readonly line: string },
): Promise<LineMatch> {
  const base = [...toArgs(query), "--no-filename", "--text"];
  const input = { scope, batch: [], stdin: `${line}\n` };
  const first = await runRipgrep(rgPath, [...base, "--only-matching", "--byte-offset"], {
    ...input,
    maxOutputBytes: FIRST_OUTPUT_BYTES,
  });
  const places = readOffsets(first.stdout, first.truncated);
  const { toUnits } = decodeBytes(new TextEncoder().encode(line));
  const ranges = places.slice(0, MAX_LINE_RANGES)
    .map(([start, end]) => [toUnits(start), Math.min(toUnits(end), line.length)] as const);
  const match = { path: "", line: 1, text: line, ranges };
  if (!first.truncated && places.length <= ranges.length) return match;
  const counted = await runRipgrep(rgPath, [...base, "--count-matches"], input);
  const count = Number.parseInt(new TextDecoder().decode(counted.stdout), 10);
  return count > ranges.length ? { ...match, rangeCount: count } : match;
}

const COLON = 0x3a;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Lines of `offset:text` as ranges of bytes; of a cut output the last line counts only if it is all there is. */
function readOffsets(output: Uint8Array, isCut: boolean): (readonly [number, number])[] {
  const places: (readonly [number, number])[] = [];
  const decoder = new TextDecoder();
  for (let at = 0; at < output.length;) {
    const feed = output.indexOf(LINE_FEED, at);
    const end = feed < 0 ? output.length : feed;
    if (feed < 0 && isCut && places.length > 0) break;
    const colon = output.indexOf(COLON, at);
    const start = Number.parseInt(decoder.decode(output.subarray(at, colon)), 10);
    if (colon < 0 || colon > end || Number.isNaN(start)) break;
    // Under --crlf every printed line ends so, and no match does.
    const isReturn = output[end - 1] === CARRIAGE_RETURN;
    places.push([start, start + end - colon - (isReturn ? 2 : 1)]);
    at = end + 1;
  }
  return places;
}
