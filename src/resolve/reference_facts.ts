/** What the rules that follow references are asked, what they ask about the project, and the tables that they compare with. Pure. */
import type { Family } from "../language/families.ts";
import { FAMILIES, familiesWith } from "../language/families.ts";
import { isCallable, isOpenSpace, isSpace, isType, KINDS } from "../language/kinds.ts";
import type { ImportEntry, TypeFact } from "../analysis/analysis.ts";
import type { SymbolHit } from "../index/read/view.ts";
import type { ModulePlace } from "./modules/module_paths.ts";
import type { ProvenSpot } from "./proven_places.ts";

/** Kinds of definitions that have members. */
export const TYPES: ReadonlySet<string> = new Set(KINDS.filter(isType));
/** Kinds of definitions that only hold others. */
export const SPACES: ReadonlySet<string> = new Set(KINDS.filter(isSpace));
/** Spaces whose names need no prefix in the rest of their file. */
export const OPEN_SPACES: ReadonlySet<string> = new Set(KINDS.filter(isOpenSpace));
/** Kinds of definitions with a body that runs. */
export const CALLABLES: ReadonlySet<string> = new Set(KINDS.filter(isCallable));
/** Words for the object itself or its type. */
export const SELF = new Set(["this", "self", "$this", "cls", "Self", "static"]);
/** Families where any name may stand for a type. */
export const LOOSE_TYPES = familiesWith("looseTypes");
/** Families where the index knows which places name a parameter or a variable of a block. */
export const BINDING = familiesWith("binding");
/** Families where the analysis says where each variable of a block holds. */
export const BLOCKS = familiesWith("blocks");
/** Families where a variable has the type of whatever it was given last. */
export const DYNAMIC = familiesWith("dynamic");
/** Families where lines may say the type of a name that no block is known to bind. */
export const UNBOUND_LINES: ReadonlySet<Family> = new Set(["rust", "dart"]);
/** Families where the analysis of a file says the types of its names (`ExpressionTypes`). */
export const TYPED = familiesWith("typed");
/** Families where a member is named without a receiver. */
export const IMPLICIT_MEMBERS = familiesWith("implicitMembers");
/** Families where the files of a folder see one another. */
export const FOLDER_PACKAGES: ReadonlySet<Family> = new Set(
  [...familiesWith("folderPackage")].filter((family) =>
    FAMILIES[family].folderPackage === "always"
  ),
);
/** Families where the own package comes before a whole one that is imported. */
export const OWN_FIRST = familiesWith("ownFirst");
/** Families whose names belong to namespaces. */
export const NAMESPACES = familiesWith("namespaces");

/** What a variable is, by the words of its line. */
export interface LocalType {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  /** Where the name begins, 1-based. */
  readonly column: number;
  /** Whether it is what a method gives its object. */
  readonly isField?: true;
  /** `type`: the name of a type; `call`: the name of what was called to make the value. */
  readonly kind: "type" | "call";
  /** As written, with qualifiers, without type arguments; empty where the form says no type. */
  readonly of: string;
}

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

/** A name at a place, with what is known of the place. */
export interface Spot {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** 1-based; absent: the begin of the line. */
  readonly column?: number;
  /** Whether what stands first before the dot is bound in a block round the place; absent where nothing says it. */
  readonly isLocal?: boolean;
}

/**
 * The rules of one family of languages over the facts of one question. Most rules are plain functions that take it; what it
 * holds itself is what rules of different files ask of one another in turn.
 */
export interface Rules {
  readonly family: Family;
  readonly facts: ProjectFacts;
  /** The type that a name means in a file. */
  findType(name: string, path: string, line: number): SymbolHit | null;
  /** What a plain name leads to that no block binds. */
  resolvePlain(spot: Spot, found: readonly SymbolHit[]): SymbolHit | null;
  /** A member of what a plain name before the dot means. */
  resolveMember(spot: Spot, receiver: string, found: readonly SymbolHit[]): SymbolHit | null;
  /** The type that a class extends under a name; undefined in families where values are no bases. */
  findBase(base: string, type: SymbolHit): SymbolHit | null | undefined;
  /** The type of a value, by its text. */
  typeOfText(text: string, spot: Omit<Spot, "name">): SymbolHit | null;
}

/** What a file says of types, by name, in the order of their places. */
export interface FileTypes {
  readonly byName: ReadonlyMap<string, readonly TypeFact[]>;
}

/** A place from which names are seen. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** Whether the first name of the expression is bound in a block round the place; absent where nothing says it. */
  readonly isLocal?: boolean;
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
