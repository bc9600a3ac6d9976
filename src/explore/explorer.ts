/**
 * The questions about code that tools and commands may ask, and the form of the answers. What answers
 * them (the index, or files that are read now) is behind the interface `Explorer` and named in each answer. Pure types.
 */
import type { Builder } from "../index/index_api.ts";
import type { Problem } from "../base/problem.ts";
import type { ReferenceKind } from "../analysis/analysis.ts";

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

/** Input of {@link Explorer.analyzeStructure}: a path, or code with its language. */
export interface AnalyzeStructureInput extends PageInput {
  /** Code to look at instead of a file. */
  readonly code?: string;
  /** Name of the language of the code; of a file it is known by its path. */
  readonly language?: string;
}

/** A definition with what it holds. */
export interface SymbolNode extends Definition {
  /** First sentence of its comment. */
  readonly doc?: string;
  readonly children?: readonly SymbolNode[];
}

/** What a file imports from one module. */
export interface ImportNode {
  readonly module: string;
  /** 1-based. */
  readonly line: number;
  /** Names as they are called here; empty where the module itself is taken. */
  readonly names: readonly string[];
}

/** A file of a folder. */
export interface FileNode {
  readonly path: string;
  readonly language: string | null;
  readonly lines: number;
  /** `kind name:line` of each definition at the top. */
  readonly symbols: readonly string[];
}

/** The structure of one text. */
export interface FileStructure extends Found {
  readonly of: "file";
  /** Relative to the project; absent for code that is no file. */
  readonly path?: string;
  readonly language: string | null;
  readonly lines: number;
  /** Errors in the text: names may be missing. */
  readonly isPartial: boolean;
  /** Every definition before its children; `depth` tells who holds whom. */
  readonly symbols: readonly (SymbolNode & { readonly depth: number })[];
  readonly imports: readonly ImportNode[];
  /** Names that other files can use, where the language says so. */
  readonly exports: readonly string[];
  readonly summary: {
    readonly functions: number;
    readonly classes: number;
    readonly imports: number;
  };
}

/** The structure of a folder. */
export interface FolderStructure extends Found {
  readonly of: "folder";
  readonly path: string;
  readonly files: readonly FileNode[];
}

/** Input of {@link Explorer.getFunctionAtLine}. */
export interface FunctionAtLineInput {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** Lines before and after the function. */
  readonly contextLines: number;
}

/** The innermost function that holds the line. */
export interface FunctionFound extends Found {
  readonly path: string;
  /** Absent where the line is in no function. */
  readonly definition?: SymbolNode & { readonly startLine: number; readonly endLine: number };
  /** Its lines, whole. */
  readonly content: readonly string[];
  readonly contextBefore: readonly string[];
  readonly contextAfter: readonly string[];
  /** Where the line is in no function: the nearest ones, and what holds the line. */
  readonly nearest: readonly Definition[];
}

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
   * Several patterns take turns in the order of the results, so that a frequent one leaves room for
   * the others. Each has its own total. Default: all results in the order of their paths.
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
export interface QuestionRefused {
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
  /** What the place does; `seen`: a run of the tests called from there what no text there names. */
  readonly kind: ReferenceKind | "seen";
  /** The line. */
  readonly text: string;
  /** `resolved`: an import or a scope leads to a definition; `name`: only the name is the same; `seen`: a run went there. */
  readonly confidence: "resolved" | "name" | "seen";
  /** The definition that it leads to, as `path:line`; not of places by name alone. */
  readonly definedAt?: string;
  /** The function of a place of kind `seen`. */
  readonly within?: string;
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
  readonly byKind: Readonly<Partial<Record<Reference["kind"], number>>>;
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
  searchText(
    input: SearchTextInput,
    options?: ExploreOptions,
  ): Promise<TextFound | QuestionRefused>;
  /** Files by glob or by name. */
  searchFiles(
    input: SearchFilesInput,
    options?: ExploreOptions,
  ): Promise<FilesFound | QuestionRefused>;
  /** Places where a symbol is defined. */
  findDefinitions(
    input: FindDefinitionsInput,
    options?: ExploreOptions,
  ): Promise<DefinitionsFound | QuestionRefused>;
  /** Places that name a symbol. */
  findReferences(
    input: FindReferencesInput,
    options?: ExploreOptions,
  ): Promise<ReferencesFound | QuestionRefused>;
  /** Symbols of a file, or the top-level ones of a folder. */
  getSymbols(
    input: GetSymbolsInput,
    options?: ExploreOptions,
  ): Promise<SymbolsFound | QuestionRefused>;
  /** What a file, a text or a folder is made of. */
  analyzeStructure(
    input: AnalyzeStructureInput,
    options?: ExploreOptions,
  ): Promise<FileStructure | FolderStructure | QuestionRefused>;
  /** The function that a line is in. */
  getFunctionAtLine(
    input: FunctionAtLineInput,
    options?: ExploreOptions,
  ): Promise<FunctionFound | QuestionRefused>;
}
