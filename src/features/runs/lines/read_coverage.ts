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

/**
 * Reads a text; null where it is of another format.
 *
 * @param isWanted tells by its name which file is kept, so that a large report takes no memory for the others.
 */
export type CoverageFormat = (
  text: string,
  isWanted: (name: string) => boolean,
) => CoverageReport | null;

/** Longest file of which lines are kept: a hostile number would take memory without end (guessed). */
const MOST_LINES = 200_000;
/** Lines that one report may name of the wanted files, repetitions included: some tenths of a second (guessed). */
const MOST_NAMED = 1_000_000;

/** Collects lines: one that ran anywhere ran. */
export class HitTally {
  readonly #files = new Map<string, Map<number, boolean>>();
  #left = MOST_NAMED;

  /** Notes one line of a file; a line that no file has is passed over. */
  add(name: string, line: number, ran: boolean): void {
    if (!Number.isInteger(line) || line < 1 || line > MOST_LINES || --this.#left < 0) return;
    let hits = this.#files.get(name);
    if (hits === undefined) this.#files.set(name, hits = new Map());
    if (ran || !hits.has(line)) hits.set(line, ran);
  }

  /** Notes a range of lines, both ends included. */
  addRange(
    name: string,
    { start, end }: { readonly start: number; readonly end: number },
    ran: boolean,
  ): void {
    const last = Math.min(end, MOST_LINES);
    for (let line = start; line <= last && this.#left >= 0; line++) this.add(name, line, ran);
  }

  /** Notes what another report says of a file. */
  addAll(name: string, hits: LineHits): void {
    for (const [line, ran] of hits) this.add(name, line, ran);
  }

  /** What was noted, for the report. */
  toReport(format: string, sources: readonly string[] = []): CoverageReport {
    return { format, files: this.#files, sources, isWhole: this.#left >= 0 };
  }
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

/** A record is `SF:<file>`, then `DA:<line>,<count>` for each line, then `end_of_record`. */
export const readLcov: CoverageFormat = (text, isWanted) => {
  if (!/^(?:TN:|SF:)/m.test(text.slice(0, 10_000))) return null;
  const tally = new HitTally();
  let name: string | null = null;
  for (const line of eachLine(text)) {
    if (line.startsWith("SF:")) {
      const file = line.slice(3).trim();
      name = isWanted(file) ? file : null;
    } else if (line.startsWith("end_of_record")) name = null;
    else if (name !== null && line.startsWith("DA:")) {
      const [number = "", count = ""] = line.slice(3).split(",", 2);
      if (/^-?\d/.test(count)) tally.add(name, Number(number), Number.parseFloat(count) > 0);
    }
  }
  return tally.toReport("LCOV");
};

/** `import/path/file.go:<line>.<column>,<line>.<column> <statements> <count>`. */
const BLOCK = /^(.+):(\d{1,9})\.\d{1,9},(\d{1,9})\.\d{1,9} (\d{1,9}) (\d{1,18})$/;

/** A run of statements that a Go cover profile counts. */
export interface GoBlock {
  /** The words before the count, which are the same in each profile of one build. */
  readonly key: string;
  /** Import path of the package, then the file. */
  readonly name: string;
  /** Its lines, from 1, both included. */
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/** The blocks of a Go cover profile that have statements; lines of another form are passed over. */
export function* eachGoBlock(text: string): Generator<GoBlock> {
  for (const line of eachLine(text)) {
    const [, name = "", start, end, statements, count] = BLOCK.exec(line) ?? [];
    if (name === "" || statements === "0") continue;
    const key = line.slice(0, line.lastIndexOf(" "));
    yield { key, name, start: Number(start), end: Number(end), count: Number(count) };
  }
}

/** Files are named by the path of their module; a block is a run of statements, given by its lines. */
export const readGoCover: CoverageFormat = (text, isWanted) => {
  if (!/^mode: (?:set|count|atomic)\r?$/m.test(text.slice(0, 1_000))) return null;
  const tally = new HitTally();
  for (const { name, start, end, count } of eachGoBlock(text)) {
    if (isWanted(name)) tally.addRange(name, { start, end }, count > 0);
  }
  return tally.toReport("Go cover profile");
};

/** Folders that are kept, and the longest one (guessed). */
const MOST_SOURCES = 100;
const SOURCE_CHARS = 4_096;

/** `<class filename>` holds `<line number hits>`; `<source>` is a folder that the file names begin in. */
export const readCobertura: CoverageFormat = (text, isWanted) => {
  if (!/<coverage[\s>]/.test(text.slice(0, 10_000))) return null;
  const tally = new HitTally();
  const sources: string[] = [];
  let name: string | null = null;
  for (const { tag, at } of eachTag(text)) {
    const kind = /^\/?[A-Za-z]+/.exec(tag)?.[0];
    if (kind === "class") {
      const file = readXmlAttribute(tag, "filename");
      name = file !== "" && isWanted(file) ? file : null;
    } else if (kind === "/class") name = null;
    else if (kind === "line" && name !== null) {
      const hits = readXmlAttribute(tag, "hits");
      const line = Number(readXmlAttribute(tag, "number"));
      if (/^-?\d/.test(hits)) tally.add(name, line, Number.parseFloat(hits) > 0);
    } else if (kind === "source" && !tag.endsWith("/") && sources.length < MOST_SOURCES) {
      const end = text.indexOf("<", at);
      const folder = end < 0
        ? ""
        : decodeXml(text.slice(at, Math.min(end, at + SOURCE_CHARS))).trim();
      if (folder !== "") sources.push(folder);
    }
  }
  return tally.toReport("Cobertura", sources);
};

/** Each tag without its brackets, and the place behind it. A bracket in a quoted value ends no tag. */
function* eachTag(text: string): Generator<{ readonly tag: string; readonly at: number }> {
  for (let from = text.indexOf("<"); from >= 0; from = text.indexOf("<", from)) {
    if (text.startsWith("<!--", from)) {
      const end = text.indexOf("-->", from);
      if (end < 0) return;
      from = end;
      continue;
    }
    const end = findTagEnd(text, from);
    if (end < 0) return;
    yield { tag: text.slice(from + 1, end), at: end + 1 };
    from = end;
  }
}

function findTagEnd(text: string, from: number): number {
  let quote = "";
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === ">") return at;
    else if (char === '"' || char === "'") quote = char;
  }
  return -1;
}

/** Every known format of a file by itself; what V8 writes needs the sources beside it (`v8.ts`). */
const FORMATS: readonly CoverageFormat[] = [readLcov, readGoCover, readCobertura];

/**
 * What a coverage file says of the wanted files; null where it has no known format.
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
export const readCoverage: CoverageFormat = (text, isWanted) => {
  for (const read of FORMATS) {
    const report = read(text, isWanted);
    if (report !== null) return report;
  }
  return null;
};
