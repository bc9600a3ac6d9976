/**
 * Which lines of a file ran, as a coverage file says it. Pure. The formats are in the files beside this one, a table of
 * them in `read_coverage.ts`.
 */

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
