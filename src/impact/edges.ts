/** The words of the impact graph: what depends on what, how, and how sure that is. Pure types. */
import type { SymbolHit } from "../index/read/view.ts";

/** What a place does with the symbol that changes. */
export type EdgeKind =
  | "call"
  | "import"
  | "type"
  | "read"
  | "write"
  /** A type is made from the changed one: extends, implements, includes. */
  | "inherit"
  /** A member that replaces the changed one in a subtype, or is replaced by it. */
  | "override"
  /** A page, a sheet or a script that names a class, an id or a view. */
  | "markup";

/** `resolved`: a rule of the language leads there; `name`: only the name is the same. */
export type Confidence = "resolved" | "name";

/** One dependence: the place, what it is in, and what it depends on. */
export interface Edge {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly kind: EdgeKind;
  readonly confidence: Confidence;
  /** Steps from the change, from 1. */
  readonly depth: number;
  /** Qualified name of the symbol that it depends on; of an import of a whole file, the file. */
  readonly symbol: string;
  /** Qualified name of the definition that holds the place; absent at the top of a file. */
  readonly within?: string;
  /** Qualified name of the member of a base that the place names: what replaces it is run there too. */
  readonly through?: string;
}

/** What changes. */
export interface Seeds {
  /** Symbols of the present and of removed code. */
  readonly symbols: readonly SymbolHit[];
  /** Files that change as a whole: who imports them depends on them. */
  readonly files: readonly string[];
}

/** The graph below the seeds. */
export interface Dependents {
  readonly edges: readonly Edge[];
  /** Places that may depend on a seed by their name alone, and lead nowhere for certain. */
  readonly unresolved: number;
  /** Whether an indexer of the language proved any of the edges. */
  readonly isProven: boolean;
  /** Why something was left out, in sentences. */
  readonly notices: readonly string[];
}
