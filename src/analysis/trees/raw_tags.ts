/** What the patterns of a grammar find in one tree, as plain records: places are indices and 0-based rows. Pure types. */
import type { ImportEntry, Occurrence, TypeFactKind } from "../analysis.ts";

/** A definition as the patterns tell it. */
export interface RawDefinition {
  readonly name: string;
  kind: string;
  readonly nameStart: number;
  readonly row: number;
  readonly column: number;
  start: number;
  end: number;
  startRow: number;
  endRow: number;
  /** Pattern that gave the kind; the last one counts. */
  pattern: number;
  isExported: boolean;
  readonly bases: Set<string>;
  scope?: string;
  self?: string;
  params?: readonly [start: number, end: number];
  result?: readonly [start: number, end: number];
  docstring?: string;
}

/** A place that names something. */
export interface RawMark {
  readonly start: number;
  readonly row: number;
  readonly column: number;
  readonly name: string;
  readonly kind: Occurrence["kind"];
}

/** A place that binds a name: a parameter, a loop's or a `catch`'s variable. */
export interface RawBound {
  readonly start: number;
  readonly name: string;
  readonly row: number;
  /** Where it holds; absent: in the innermost block round it. */
  readonly within?: readonly [start: number, end: number];
}

/** What a text says of the type of a name; `text` is as it is written, and may have several names. */
export interface RawTyped {
  readonly name: string;
  readonly start: number;
  readonly row: number;
  readonly column: number;
  readonly kind: TypeFactKind;
  readonly text: string;
  /** What is taken out of the value: a member, or the number of a result. */
  readonly part?: string;
  /** The text is the short form already, empty where there is none. */
  readonly isShort?: boolean;
  /** Where it holds; absent: in the innermost block round it. */
  readonly within?: readonly [start: number, end: number];
}

/** A range in which `this` is an object without a name. */
export interface RawObject {
  readonly start: number;
  readonly end: number;
  /** The type that it extends, or `=` and the value that it is; `?` where nothing says it, empty where it may be anything. */
  readonly of: string;
}

/** Text of another language inside. */
export interface RawEmbed {
  readonly kind: "script" | "style" | "expression";
  /** The tag that begins it; empty for an expression. */
  readonly tag: string;
  readonly start: number;
  readonly end: number;
}

/** What the patterns found in one tree. */
export interface RawTags {
  readonly definitions: readonly RawDefinition[];
  /** In the order of their places, one a place. */
  readonly marks: readonly RawMark[];
  readonly imports: readonly ImportEntry[];
  /** Names that the content passes on apart from their definition. */
  readonly exportedNames: ReadonlySet<string>;
  /** Rows of comments and attributes that stand on their own lines: last row to first row. */
  readonly leads: ReadonlyMap<number, number>;
  /** Where variables are local, as start and end. */
  readonly locals: readonly (readonly [start: number, end: number])[];
  /** Where names hold that are bound inside, beside the bodies in `locals`: blocks, loops, lambdas. */
  readonly blocks: readonly (readonly [start: number, end: number])[];
  /** Places that bind a name. */
  readonly bounds: readonly RawBound[];
  /** What the names at these places are members of, by what patterns tell: see {@link Occurrence}. */
  readonly receivers: ReadonlyMap<number, string>;
  /** Rows of parts that are no symbols, first and last. */
  readonly units: readonly (readonly [startRow: number, endRow: number])[];
  readonly embeds: readonly RawEmbed[];
  readonly typed: readonly RawTyped[];
  readonly objects: readonly RawObject[];
  /** Methods of a type itself, by the places of their names. */
  readonly statics: readonly { readonly name: string; readonly start: number }[];
}
