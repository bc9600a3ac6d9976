/**
 * The questions about code that tools and commands may ask, and the form of the answers. What answers
 * them (the index, or programs that are run now) is behind this interface and named in each answer.
 */
import type { Definition, Found, PageInput } from "./answer_types.ts";
import type { Problem } from "../base/problem.ts";
import type { ReferenceKind } from "../analysis/occurrence_kinds.ts";
import type {
  AnalyzeStructureInput,
  FileStructure,
  FolderStructure,
  FunctionAtLineInput,
  FunctionFound,
} from "./structure_types.ts";

/** How an exploration is run. */
export interface ExploreOptions {
  /** Ends the work when the client cancels. */
  readonly signal?: AbortSignal;
}

/** Input of {@link Explorer.searchText}. */
export interface SearchTextInput extends PageInput {
  /** One to five patterns; a line is a match when any of them is found in it. */
  readonly patterns: readonly string[];
  /** Whether upper and lower case differ. */
  readonly caseSensitive: boolean;
  /** The patterns are text, not regular expressions. */
  readonly fixed: boolean;
  /** Only as a whole word. */
  readonly wholeWord: boolean;
  /** Lines shown before and after each match. */
  readonly contextLines: number;
  /** Only files that one of these globs takes; `!glob` leaves files out. */
  readonly globs?: readonly string[];
  /** Name of a language, or a type name of ripgrep. */
  readonly fileType?: string;
  /**
   * Several patterns take turns in the order of the results, so that a frequent one leaves room for the others, and
   * each has its own total. Default: all results in the order of their paths.
   */
  readonly takesTurns?: boolean;
}

/** Input of {@link Explorer.searchFiles}. */
export interface SearchFilesInput extends PageInput {
  /** A glob, or without wildcard a name or part of one. */
  readonly pattern: string;
  /** Name of a language, or a type name of ripgrep. */
  readonly fileType?: string;
}

/** Input of {@link Explorer.findDefinitions}. */
export interface FindDefinitionsInput extends PageInput {
  /** A name, plain or qualified (`Class.method`, `ns::f`). */
  readonly symbol: string;
  /** Only files of this language. */
  readonly language?: string;
  /** Only the very name: no other case, no part of a word. */
  readonly exactMatch: boolean;
  /** Whether another repository defines it, so that files without an index entry of it are not read. */
  readonly isElsewhere?: () => Promise<boolean>;
}

/** Input of {@link Explorer.findReferences}. */
export interface FindReferencesInput extends PageInput {
  /** The name to look for. */
  readonly symbol: string;
  /** Only files of this language. */
  readonly language?: string;
  /** Also places in comments and strings. */
  readonly includeText: boolean;
  /** Where places lead in other repositories, by `path:line`. */
  readonly readLeading?: () => Promise<ReadonlyMap<string, string>>;
}

/** Input of {@link Explorer.getSymbols}. */
export interface GetSymbolsInput extends PageInput {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** Only symbols of this kind. */
  readonly kind?: string;
  /** Only files of this language. */
  readonly language?: string;
}

/** The call cannot be answered as it was asked. */
export interface ExploreRefused {
  /** The question could not be asked as it stands. */
  readonly kind: "refused";
  /** Why not, each with its next step. */
  readonly problems: readonly Problem[];
}

/** One line that a pattern matched. */
export interface TextMatch {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The line without its end, cut around the match. */
  readonly text: string;
  /** Ranges of `text` that matched, as `text.slice(start, end)`. */
  readonly submatches: readonly (readonly [number, number])[];
  /** How many ranges of the whole line matched; only where `submatches` has fewer. */
  readonly submatchCount?: number;
  /** The line is longer than `text`. */
  readonly isCut?: true;
  /** Which of several patterns matched, by position. */
  readonly matched?: readonly number[];
  /** Lines before the match. */
  readonly before?: readonly string[];
  /** Lines after the match. */
  readonly after?: readonly string[];
}

/** Answer of {@link Explorer.searchText}. */
export interface TextFound extends Found {
  /** The lines of this page. */
  readonly matches: readonly TextMatch[];
  /** Number of files with matches. */
  readonly files: number;
  /** Matching lines of each pattern, where the patterns took turns; a line with two of them counts for both. */
  readonly totals?: readonly number[];
}

/** Answer of {@link Explorer.searchFiles}. */
export interface FilesFound extends Found {
  /** Files of the answer. */
  readonly files: readonly string[];
  /** How the pattern was read. */
  readonly match: "glob" | "name";
}

/** How near a found name is to the name that was asked for. */
export type NameMatch = "exact" | "case_insensitive" | "sub_word";

/** Answer of {@link Explorer.findDefinitions}. */
export interface DefinitionsFound extends Found {
  /** The definitions of this page. */
  readonly definitions: readonly Definition[];
  /** How near the names are. */
  readonly match: NameMatch;
  /** Definitions of the same plain name, those of other scopes included. */
  readonly sameNamed: number;
}

/** A place that names a symbol. */
export interface Reference {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based column of the first mention of this kind that leads where it leads. */
  readonly column: number;
  /** What the place does. */
  readonly kind: ReferenceKind;
  /** The line. */
  readonly text: string;
  /** `resolved`: an import or a scope leads to a definition; `name`: only the name is the same. */
  readonly confidence: "resolved" | "name";
  /** The definition that it leads to, as `path:line`; only of resolved places. */
  readonly definedAt?: string;
  /** Where `definedAt` is the first of several overloads, of which one is meant: how many they are. */
  readonly overloads?: number;
}

/** Answer of {@link Explorer.findReferences}. */
export interface ReferencesFound extends Found {
  /** The places of this page. */
  readonly references: readonly Reference[];
  /** Definitions of the name in the project; absent where they were not counted. */
  readonly sameNamed?: number;
  /** Number of results of each kind. */
  readonly byKind: Readonly<Partial<Record<ReferenceKind, number>>>;
  /** Number of files with results. */
  readonly files: number;
}

/** Answer of {@link Explorer.getSymbols}. */
export interface SymbolsFound extends Found {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** The symbols of this page. */
  readonly symbols: readonly Definition[];
}

/** Answers questions about the code of one project. */
export interface Explorer {
  /** What is wrong with a path of a call: outside the project, or not there. Empty where it can be asked about. */
  checkPath(path: string, options?: ExploreOptions): Promise<readonly Problem[]>;
  /** Lines that match patterns. */
  searchText(input: SearchTextInput, options?: ExploreOptions): Promise<TextFound | ExploreRefused>;
  /** Files by glob or by name. */
  searchFiles(
    input: SearchFilesInput,
    options?: ExploreOptions,
  ): Promise<FilesFound | ExploreRefused>;
  /** Places where a symbol is defined. */
  findDefinitions(
    input: FindDefinitionsInput,
    options?: ExploreOptions,
  ): Promise<DefinitionsFound | ExploreRefused>;
  /** Places that name a symbol. */
  findReferences(
    input: FindReferencesInput,
    options?: ExploreOptions,
  ): Promise<ReferencesFound | ExploreRefused>;
  /** Symbols of a file, or the top-level ones of a folder. */
  getSymbols(
    input: GetSymbolsInput,
    options?: ExploreOptions,
  ): Promise<SymbolsFound | ExploreRefused>;
  /** What a file, a text or a folder is made of. */
  analyzeStructure(
    input: AnalyzeStructureInput,
    options?: ExploreOptions,
  ): Promise<FileStructure | FolderStructure | ExploreRefused>;
  /** The function that a line is in. */
  getFunctionAtLine(
    input: FunctionAtLineInput,
    options?: ExploreOptions,
  ): Promise<FunctionFound | ExploreRefused>;
}
