/**
 * Reads the JSON lines of ripgrep. Only the lines of the page that was asked for are decoded: an
 * answer of a hundred results from a million matches parses a hundred lines. Pure.
 */
import type { LineMatch } from "./text_query.ts";
import { MAX_LINE_RANGES } from "./text_query.ts";

/** The output that belongs to one file, still as lines. */
export interface FileBlock {
  readonly path: string;
  /** Lines of kind match and context, in the order of the file. */
  readonly lines: readonly string[];
  readonly matchCount: number;
}

interface RgText {
  readonly text?: string;
  readonly bytes?: string;
}

interface RgLine {
  readonly path: RgText;
  readonly lines: RgText;
  readonly line_number: number;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
}

const MATCH = '{"type":"match"';
const CONTEXT = '{"type":"context"';
const BEGIN = '{"type":"begin"';
const END = '{"type":"end"';

/** Splits the output by files; binary files are left out. `isWhole`: ripgrep came to its end. */
export function splitOutput(output: string): { blocks: FileBlock[]; isWhole: boolean } {
  const blocks: FileBlock[] = [];
  let path = "";
  let lines: string[] = [];
  let matchCount = 0;
  let isWhole = false;
  for (const line of output.split("\n")) {
    if (line.startsWith(MATCH)) {
      lines.push(line);
      matchCount++;
    } else if (line.startsWith(CONTEXT)) lines.push(line);
    else if (line.startsWith(BEGIN)) {
      path = stripDotSlash(decode((JSON.parse(line) as { data: RgLine }).data.path).text);
      lines = [];
      matchCount = 0;
    } else if (line.startsWith(END)) {
      const isBinary = !line.includes('"binary_offset":null');
      if (!isBinary && matchCount > 0) blocks.push({ path, lines, matchCount });
    } else if (line.includes('"type":"summary"')) isWhole = true;
  }
  return { blocks, isWhole };
}

/** The matches `from` to `to` (exclusive, counted in this file) of a block. */
export function readMatches(
  block: FileBlock,
  from: number,
  options: { readonly to: number; readonly contextLines: number },
): LineMatch[] {
  const places = block.lines.flatMap((line, index) => line.startsWith(MATCH) ? [index] : []);
  const wanted = places.slice(from, options.to);
  const first = wanted[0];
  const last = wanted.at(-1);
  if (first === undefined || last === undefined) return [];
  const around = options.contextLines;
  const decoded = new Map<number, string>();
  const found: Omit<LineMatch, "before" | "after">[] = [];
  const start = Math.max(0, first - around);
  block.lines.slice(start, last + around + 1).forEach((raw, index) => {
    const { data } = JSON.parse(raw) as { data: RgLine };
    const line = decode(data.lines);
    const text = line.text.replace(/\r?\n$/, "");
    decoded.set(data.line_number, text);
    const place = start + index;
    if (place < first || place > last || !raw.startsWith(MATCH)) return;
    const filled = data.submatches.filter(({ start, end }) => end > start);
    const ranges = filled.slice(0, MAX_LINE_RANGES).map(({ start, end }) =>
      [line.toUnits(start), Math.min(line.toUnits(end), text.length)] as const
    );
    const more = filled.length > ranges.length ? { rangeCount: filled.length } : {};
    found.push({ path: block.path, line: data.line_number, text, ranges, ...more });
  });
  return around === 0 ? found : found.map((match) => addContext(match, decoded, around));
}

function addContext(
  match: LineMatch,
  lines: ReadonlyMap<number, string>,
  around: number,
): LineMatch {
  const pick = (from: number, to: number) => {
    const texts: string[] = [];
    for (let line = from; line <= to; line++) {
      const text = lines.get(line);
      if (text !== undefined) texts.push(text);
    }
    return texts;
  };
  return {
    ...match,
    before: pick(match.line - around, match.line - 1),
    after: pick(match.line + 1, match.line + around),
  };
}

/** A path as ripgrep prints it, without the `./` that protects it on the command line. */
export function stripDotSlash(printed: string): string {
  return printed.startsWith("./") ? printed.slice(2) : printed;
}

/** Text that was bytes. */
export interface Decoded {
  /** Damaged bytes are U+FFFD. */
  readonly text: string;
  /** Turns a byte offset into one of UTF-16 units. */
  readonly toUnits: (offset: number) => number;
}

const DECODER = new TextDecoder();

function decode(field: RgText): Decoded {
  if (field.text !== undefined) {
    const text = field.text;
    // Text of one byte a character, the usual case, has equal offsets.
    // deno-lint-ignore no-control-regex -- the range of ASCII begins with the control characters
    if (/^[\x00-\x7f]*$/.test(text)) return { text, toUnits: (offset) => offset };
    return decodeBytes(new TextEncoder().encode(text));
  }
  return decodeBytes(Uint8Array.from(atob(field.bytes ?? ""), (char) => char.charCodeAt(0)));
}

/** Text of bytes, and their offsets in it; offsets that are asked for from left to right cost one pass. */
export function decodeBytes(bytes: Uint8Array): Decoded {
  let last = 0;
  let units = 0;
  return {
    text: DECODER.decode(bytes),
    toUnits: (offset) => {
      if (offset < last) last = units = 0;
      units += DECODER.decode(bytes.subarray(last, offset)).length;
      last = offset;
      return units;
    },
  };
}
