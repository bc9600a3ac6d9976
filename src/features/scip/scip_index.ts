/** What a SCIP index file says, as it is kept: numbers in rows, each name once. Pure. */

/** How the columns of a document count what stands before them on a line. */
export type ColumnUnit = "utf8" | "utf16" | "utf32" | "unknown";

/** Numbers of a row of {@link ScipDocument.rows}. */
export const ROW_NUMBERS = 5;

/** Bit of a row's roles: the place defines its symbol. */
export const ROLE_DEFINITION = 1;
/** Bit of a row's roles: the place declares what another place defines. */
export const ROLE_FORWARD = 64;

/** The places of one source file. */
export interface ScipDocument {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly unit: ColumnUnit;
  /**
   * For each place: line, start and end column (all from 0, on one line), symbol, roles. By line, then column. The symbol is
   * a number of {@link ScipIndex.symbols}; below 0 one that only this document knows.
   */
  readonly rows: Int32Array;
}

/** A place that defines a symbol. */
export interface ScipDefinition {
  /** Number of the document. */
  readonly document: number;
  /** Number of the row in it. */
  readonly row: number;
  readonly isForward: boolean;
}

/** A SCIP index that was read. */
export interface ScipIndex {
  /** Name and version of the indexer. */
  readonly tool: string;
  readonly documents: readonly ScipDocument[];
  /** Every symbol that several documents may name. */
  readonly symbols: readonly string[];
  /** Places that define a symbol, by its number. */
  readonly definitions: ReadonlyMap<number, readonly ScipDefinition[]>;
  /** Documents of files outside the project, or with a path that is no path. */
  readonly outside: number;
}

/** Why an index file is not used, as a sentence. */
export class ScipRefusal extends Error {}
