/** The code of a project as one value, from which text, JSON and page are drawn. Pure types. */

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
  /** The active session whose changes are marked; null without one. */
  readonly session: string | null;
  /** What a person should know: files that are not in the index, a past that is cut. */
  readonly notices: readonly string[];
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
   * What proves it: an import of the file, the package that both are part of or that is imported, or only a type whose
   * name nothing else in the project has.
   */
  readonly by: "import" | "package" | "name";
  /** Names of `to` that `from` calls. */
  readonly calls: number;
  /** Other names of `to` that it mentions: types, constants. */
  readonly uses: number;
}

/** More definitions of one file are only counted. */
export const MOST_SYMBOLS = 60;
