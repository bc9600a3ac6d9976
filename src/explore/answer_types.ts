/** What all answers about code have in common: how a question is limited, and what is said beside results. Pure types. */
import type { Builder } from "../index/index_api.ts";

/** How old the knowledge of an answer is; `live`: the files were read during the call. */
export type Freshness = "live" | IndexFreshness;

/** How far the index was when it answered. */
export interface IndexFreshness {
  /** Files that it knows. */
  readonly files: number;
  /** Changed files that it does not know yet. */
  readonly pending: number;
  /** Their names, where there are any. */
  readonly pendingFiles?: readonly string[];
  readonly chunks: number;
  /** Chunks that have a vector. */
  readonly embedded: number;
  readonly ready: "lexical" | "hybrid";
  /** Files whose vectors are still to be made. */
  readonly vectorsLeft: number;
  /** When the files were last compared with it, ISO 8601. */
  readonly checkedAt: string;
  /** The state of the index that the answer was made from. */
  readonly revision: number;
  /** Who is building it just now. */
  readonly builder?: Builder;
}

/** Which part of the results a call wants, and where it looks. */
export interface PageInput {
  /** Folder or file of the project; default the project root. */
  readonly path?: string;
  /** Most results of the whole answer. */
  readonly maxResults: number;
  /** Results to pass over, for going on after a cut answer. */
  readonly offset?: number;
  /** Also files and folders whose name begins with a dot. */
  readonly includeHidden?: boolean;
  /** Also files that the ignore rules of git leave out. */
  readonly includeIgnored?: boolean;
}

/** What every answer says beside its results. */
export interface Found {
  /** The question could be answered, with or without results. */
  readonly kind: "found";
  /** Exact number of results, shown or not. */
  readonly total: number;
  /** What gave the answer, joined by `+`: `index`, `scip`, `tree-sitter`, `rg`, `scan`, `regex`, `files`; never empty. */
  readonly source: string;
  /** How old the knowledge is. */
  readonly freshness: Freshness;
  /** Files whose content or symbols are in the results shown. */
  readonly shownFiles: readonly string[];
  /** Names of the symbols in the results shown. */
  readonly shownSymbols: readonly string[];
  /** What limits the answer: a missing program, files left out, a time limit. */
  readonly notices?: readonly string[];
}

/** A place where a symbol is defined. */
export interface Definition {
  /** Its name. */
  readonly name: string;
  /** Its kind, in one vocabulary for all backends. */
  readonly kind: string;
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** Last line, 1-based. */
  readonly endLine?: number;
  /** The symbol that holds it, as the language writes it. */
  readonly scope?: string;
  /** Parameters as they are written. */
  readonly signature?: string;
  /** First sentence of its comment. */
  readonly doc?: string;
  /** Name of its language. */
  readonly language: string;
}
