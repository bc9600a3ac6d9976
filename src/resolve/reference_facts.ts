/** What the rules that follow references are asked, and what they ask about the project. Pure types. */
import type { ImportEntry, TypeFact } from "../analysis/analysis.ts";
import type { SymbolHit } from "../index/read/view.ts";
import type { LocalType } from "./lines/local_types.ts";
import type { Family } from "../language/families.ts";
import type { ModulePlace } from "./modules/module_paths.ts";
import type { ProvenSpot } from "./proven_places.ts";

/** What the rules ask about the project; each answer is of one state of it. */
export interface ProjectFacts {
  isFile(path: string): boolean;
  imports(path: string): readonly ImportEntry[];
  /** The definitions of a file, by position. */
  symbols(path: string): readonly SymbolHit[];
  /** Every definition of exactly this name. */
  named(name: string): readonly SymbolHit[];
  /** Lines of a file that write the name without a receiver, and not as a local one. */
  writes(path: string): readonly number[];
  /** Where a module lies, by the rules of the language and what the build files say. */
  findModule(module: string, from: string, family: Family): ModulePlace;
  /** The symbols whose lines hold the line, innermost first; where it is absent they are looked up. */
  enclosing?(path: string, line: number): readonly SymbolHit[];
  /** What the text of a file says of a variable; absent or empty where it was not read. */
  localTypes?(path: string, name: string): readonly LocalType[];
  /** Where the place leads by the proof of the language's own indexer; undefined, or absent, where there is none. */
  proven?(mention: Mention): Proven | undefined;
  /** What a file says of the types of its names. */
  types(path: string): FileTypes;
  /** A line of a file whose text was read. */
  lineText?(path: string, line: number): string | undefined;
}

/** What a file says of types, by name, in the order of their places. */
export interface FileTypes {
  readonly byName: ReadonlyMap<string, readonly TypeFact[]>;
}

/** A place that names something. */
export interface Mention {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly kind: string;
  /** As `Occurrence.receiver` says it. */
  readonly receiver?: string;
  readonly isLocal?: boolean;
  readonly language: string | null;
}

/** A place that an indexer proved to lead somewhere. */
export interface Proven {
  /** The definition; null where the place that defines the name is no symbol of the code index: a local variable. */
  readonly hit: SymbolHit | null;
  /** Where the name is defined. */
  readonly at: ProvenSpot;
}
