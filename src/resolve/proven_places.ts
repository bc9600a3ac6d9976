/** What an indexer of a language proved, as the rules of resolution ask for it; who reads such an index gives it. */
import type { ModuleMap } from "./modules/module_map.ts";

/** A place of the project. */
export interface ProvenSpot {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in units of UTF-16. */
  readonly column: number;
  /** What stands there. */
  readonly word: string;
}

/** What a part of the way to a symbol is. */
export type DescriptorKind =
  | "namespace"
  | "type"
  | "term"
  | "method"
  | "meta"
  | "macro"
  | "type_parameter"
  | "parameter";

/** One part of the way to a symbol: a name and what it is. */
export interface Descriptor {
  readonly name: string;
  readonly kind: DescriptorKind;
}

/** A symbol that other documents may name too: its way from the package down to it. */
export type Descriptors = readonly [Descriptor, ...Descriptor[]];

/** A definition with the way to its symbol. */
export interface ProvenDefinition extends ProvenSpot {
  readonly way: Descriptors;
}

/** The believed places of one state of the files. */
export interface ProvenPlaces {
  /** Whether anything of a file is believed. */
  knows(path: string): boolean;
  /** The places that define what stands at a place; undefined where that is not proven, or lies outside. */
  definitionsAt(path: string, line: number, column: number): readonly ProvenSpot[] | undefined;
  /** Whether a word on a line defines a symbol. */
  defines(path: string, line: number, word: string): boolean;
  /** Definitions of a word that other files can name. */
  findDefinitions(word: string): readonly ProvenDefinition[];
  /** Places that name one of the definitions by another word: `import { a as b }`. */
  findOtherNames(definitions: readonly Omit<ProvenSpot, "word">[]): readonly ProvenSpot[];
}

/** What is believed in one state of the code index. */
export interface ProofState {
  /** The stamp of that state. */
  readonly stamp: string;
  readonly places: ProvenPlaces;
  /** Names that files define which the indexer may not have seen: a place that has one may lead there by now. */
  readonly newNames: ReadonlySet<string>;
}

/** Reads what indexers of the languages proved of a project. */
export interface ProofSource {
  /** What may be believed now; null where there is nothing, or the work on it takes longer than an answer waits. */
  load(modules: ModuleMap): Promise<ProofState | null>;
  /** Why proofs that are there were not used for the last answer, in sentences. */
  toNotices(): readonly string[];
}
