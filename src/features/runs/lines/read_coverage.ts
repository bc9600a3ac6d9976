/** Reads coverage files: which lines ran, in every known format of a file by itself. Pure. */
import { decodeXml, readXmlAttribute } from "../../../runners/junit_xml.ts";

/** By number of the line, from 1: true where it ran, false where it did not. Other lines are not spoken of. */
export type LineHits = ReadonlyMap<number, boolean>;

/** What one coverage file says. */
export interface CoverageReport {
  /** Name of the format, for the reply. */
  readonly format: string;
  /** The wanted files by the name that the coverage file gives them. */
  readonly files: ReadonlyMap<string, LineHits>;
  /** Folders that the names begin in, where the coverage file says so. */
  readonly sources: readonly string[];
  /** False where the report has more lines than are kept: then nothing can be said not to have run. */
  readonly isWhole: boolean;
}

/** Longest file of which lines are kept: a hostile number would take memory without end (guessed). */
const MOST_LINES = 200_000;
/** Lines that one report may name of the wanted files, repetitions included: some tenths of a second (guessed). */
const MOST_NAMED = 1_000_000;

/** Collects lines: one that ran anywhere ran. */
export class HitTally {
  /** The lines by file. */
  readonly files = new Map<string, Map<number, boolean>>();
  #left = MOST_NAMED;

  /** Whether all lines that were noted are kept. */
  get isWhole(): boolean {
    return this.#left >= 0;
  }

  /** Notes lines of a file up to `end`, which is one of them; lines that no file has are passed over. */
  add(name: string, start: number, ran: boolean, end = start): void {
    const hits = this.files.get(name) ?? new Map<number, boolean>();
    const last = Math.min(end, MOST_LINES);
    for (let line = start; line >= 1 && line <= last && --this.#left >= 0; line++) {
      if (ran || !hits.has(line)) hits.set(line, ran);
    }
    if (hits.size > 0) this.files.set(name, hits);
  }
}

/** Lines from 1, both ends included, with how often they ran. */
export interface CountedLines {
  /** The file, as the report calls it. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/** The lines of a text one after the other, without an array of all of them. */
export function* eachLine(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const at = text.indexOf("\n", from);
    const end = at < 0 ? text.length : at;
    yield text.slice(from, text.charCodeAt(end - 1) === 13 && end > from ? end - 1 : end);
    from = end + 1;
  }
}

/** What a format is read with: which files are kept, and where it puts the folders that names begin in. */
interface Wanted {
  readonly isWanted: (name: string) => boolean;
  readonly sources: string[];
}

/** A record is `SF:<file>`, then `DA:<line>,<count>` for each line, then `end_of_record`. */
function* eachLcovLine(text: string, { isWanted }: Wanted): Generator<CountedLines> {
  let name = "";
  for (const line of eachLine(text)) {
    if (line.startsWith("SF:")) name = line.slice(3).trim();
    else if (line.startsWith("end_of_record")) name = "";
    else if (line.startsWith("DA:") && isWanted(name)) {
      const [number = "", count = ""] = line.slice(3).split(",", 2);
      yield { name, start: Number(number), end: Number(number), count: Number.parseFloat(count) };
    }
  }
}

/** `import/path/file.go:<line>.<column>,<line>.<column> <statements> <count>`. */
const BLOCK = /^(.+):(\d{1,9})\.\d{1,9},(\d{1,9})\.\d{1,9} ([1-9]\d{0,8}) (\d{1,18})$/;

/** The runs of statements that a Go cover profile counts; lines of another form are passed over. */
export function* eachGoBlock(text: string): Generator<CountedLines> {
  for (const line of eachLine(text)) {
    const [, name = "", start, end, , count] = BLOCK.exec(line) ?? [];
    yield { name, start: Number(start), end: Number(end), count: Number(count) };
  }
}

/** Comments, and tags with what is behind their name; a bracket in a quoted value ends no tag. */
const TAG =
  /<!--[\s\S]*?(?:-->|$)|<(\/?[A-Za-z]+)([^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*)>([^<]{0,4096})/g;
/** Folders that are kept (guessed). */
const MOST_SOURCES = 100;

/** `<class filename>` holds `<line number hits>`; `<source>` is a folder that the file names begin in. */
function* eachCoberturaLine(text: string, { isWanted, sources }: Wanted): Generator<CountedLines> {
  let name = "";
  for (const [, tag, words = "", behind = ""] of text.matchAll(TAG)) {
    if (tag === "class" || tag === "/class") name = readXmlAttribute(words, "filename");
    else if (tag === "line" && isWanted(name)) {
      const start = Number(readXmlAttribute(words, "number"));
      const count = Number.parseFloat(readXmlAttribute(words, "hits"));
      yield { name, start, end: start, count };
    } else if (tag === "source" && sources.length < MOST_SOURCES && behind.trim() !== "") {
      sources.push(decodeXml(behind).trim());
    }
  }
}

/** Every known format by the beginning of its files; what V8 writes needs the sources beside it (`v8.ts`). */
const FORMATS: readonly (readonly [
  name: string,
  sign: RegExp,
  read: (text: string, wanted: Wanted) => Iterable<CountedLines>,
])[] = [
  ["LCOV", /^(?:TN:|SF:)/m, eachLcovLine],
  ["Go cover profile", /^mode: (?:set|count|atomic)\r?$/m, eachGoBlock],
  ["Cobertura", /<coverage[\s>]/, eachCoberturaLine],
];

/**
 * What a coverage file says of the wanted files; null where it has no known format.
 *
 * @param isNamed tells by its name which file is kept, so that a large report takes no memory for the others.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { readCoverage } from "./read_coverage.ts";
 * const report = readCoverage("SF:src/a.js\nDA:1,1\nDA:2,0\nend_of_record\n", () => true);
 * equal(report?.format, "LCOV");
 * equal(report?.files.get("src/a.js")?.get(2), false);
 * ```
 */
export function readCoverage(
  text: string,
  isNamed: (name: string) => boolean,
): CoverageReport | null {
  const found = FORMATS.find(([, sign]) => sign.test(text.slice(0, 10_000)));
  if (found === undefined) return null;
  const [format, , read] = found;
  const tally = new HitTally();
  const sources: string[] = [];
  const isWanted = (name: string) => name !== "" && isNamed(name);
  for (const { name, start, end, count } of read(text, { isWanted, sources })) {
    // What is no number is neither said to have run nor not to have run.
    if (!isWanted(name) || !Number.isInteger(start) || Number.isNaN(count)) continue;
    tally.add(name, start, count > 0, end);
  }
  return { format, files: tally.files, sources, isWhole: tally.isWhole };
}
