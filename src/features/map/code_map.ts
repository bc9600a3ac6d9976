/** The code of a project as one value, from which text, JSON and page are drawn, and what stands out in it. Pure. */
import { formatCount, formatTime } from "../../base/text/plain_text.ts";

/** A file with how many others lead to it. */
export interface UsedFile {
  readonly path: string;
  readonly users: number;
}

/** The files that changed most in the last year, most first; none where nothing is known of it. */
export function listChanged({ files }: CodeMap, most: number): readonly MapFile[] {
  return files.filter(({ changes }) => (changes ?? 0) > 0)
    .toSorted((a, b) => (b.changes ?? 0) - (a.changes ?? 0) || (a.path < b.path ? -1 : 1))
    .slice(0, most);
}

/** The files that most others lead to, most first. */
export function listUsed({ links }: CodeMap, most: number): readonly UsedFile[] {
  return [...Map.groupBy(links, ({ to }) => to)]
    .map(([path, own]) => ({ path, users: own.length }))
    .toSorted((a, b) => b.users - a.users || (a.path < b.path ? -1 : 1))
    .slice(0, most);
}

/** The files with most functions that no recorded test runs, most first; none where no run was recorded. */
export function listIdle(
  { files }: CodeMap,
  most: number,
): readonly (readonly [string, SeenCount])[] {
  return files.flatMap(({ path, seen }) => seen === undefined ? [] : [[path, seen] as const])
    .filter(([, { not_run }]) => not_run > 0)
    .toSorted(([a, one], [b, other]) => other.not_run - one.not_run || (a < b ? -1 : 1))
    .slice(0, most);
}

/** A number with its thousands apart; without the tables of the locales, which take longer to load than a map to draw. */
export function toNumberText(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** What the map holds, in a line. */
export function toSizeText({ files, links, cycles }: CodeMap): string {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const count = (value: number, word: string) => formatCount(toNumberText(value), word);
  return [
    count(files.length, "file"),
    count(lines, "line"),
    count(links.length, "link"),
    `${count(cycles.length, "circle")} of imports`,
  ].join(", ");
}

/** What the changes count, in a sentence; null where nothing is known of them. */
export function toPastText({ past }: CodeMap): string | null {
  if (past === null) return null;
  return `Changes count the ${formatCount(toNumberText(past.commits), "commit")} since ${
    formatTime(past.since).slice(0, 10)
  }.`;
}

/** Number of the form; a change that older readers misread gets another one. */
export const MAP_FORMAT = 1;

/** The code below one folder. Paths are relative to the project, with `/`. */
export interface CodeMap {
  readonly format: typeof MAP_FORMAT;
  /** Name of the project's folder. */
  readonly project: string;
  /** The folder or file that is shown; `.` for the whole project. */
  readonly path: string;
  /** By path. */
  readonly files: readonly MapFile[];
  /** By `from`, then `to`. */
  readonly links: readonly MapLink[];
  /** Files that import each other in a circle, each group by path; the largest first. */
  readonly cycles: readonly (readonly string[])[];
  /** How far the past is known that `changes` counts; null where there is none. */
  readonly past: { readonly since: string; readonly commits: number } | null;
  /** How much of the tests was recorded that `seen` counts; absent where no run was. */
  readonly recorded?: string;
  /** The active session whose changes are marked; null without one. */
  readonly session: string | null;
  /** What a person should know: files that are not in the index, a past that is cut. */
  readonly notices: readonly string[];
}

/** Functions of a file that are in the records of runs, and those of them that nothing ran. */
export interface SeenCount {
  readonly functions: number;
  readonly not_run: number;
}

/** One file. */
export interface MapFile {
  readonly path: string;
  readonly lines: number;
  readonly language: string | null;
  /** Commits of the last year that changed it; null where the past is not known. */
  readonly changes: number | null;
  /** Whether the active session changed it. */
  readonly in_session: boolean;
  /** Absent where none of its functions is in the records of runs. */
  readonly seen?: SeenCount;
  /** Definitions at the top of the file, in order; at most {@link MOST_SYMBOLS}. */
  readonly symbols: readonly MapSymbol[];
  readonly symbols_total: number;
}

/** A definition. */
export interface MapSymbol {
  readonly name: string;
  readonly kind: string;
  /** 1-based. */
  readonly line: number;
}

/** One file that leads to another one. */
export interface MapLink {
  readonly from: string;
  readonly to: string;
  /**
   * What proves it: an import of the file; the package that both are part of or that is imported;
   * or only a type whose name is unique in the project.
   */
  readonly by: "import" | "package" | "name";
  /** Names of `to` that `from` calls. */
  readonly calls: number;
  /** Other names of `to` that it mentions: types, constants. */
  readonly uses: number;
}

/** More definitions of one file are only counted. */
export const MOST_SYMBOLS = 60;
