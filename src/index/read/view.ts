/**
 * Questions to the index, all limited to the files of one worktree and answered from one state of the
 * database. Paths are relative to the project, with `/`; lines and columns are 1-based.
 */
import type { CodeSymbol, ImportEntry, Parser, TypeFact } from "../../analysis/analysis.ts";
import type { Place } from "../../analysis/record/pack.ts";

/** What makes a content one, wherever it is. */
export interface SharedKey {
  /** Hash of the bytes. */
  readonly hash: Uint8Array;
  /** Key of the variant. */
  readonly variant: string;
}

/** The record of a content. */
export interface SharedRecord {
  readonly record: Uint8Array;
  /** Name of the pack that it came in. */
  readonly pack: string;
  /** Whether it is to be compared with an analysis of this machine. */
  readonly isProof: boolean;
}

/** Where records of contents come from. */
export interface SharedContents {
  /** The record of a content; null where nobody shared one. Never fails. */
  find(key: SharedKey): Promise<SharedRecord | null>;
  /** Gives nothing of a pack any more, now and later, and tells the user why. */
  refuse(pack: string, reason: string): Promise<void>;
  /** Whether nothing of a pack may be used. */
  isRefused(pack: string): boolean;
  /** The packs that are refused, each once: what came in them has to be removed. */
  takeRefused(): readonly string[];
}

/** A definition with where it lies. */
export interface SymbolHit extends CodeSymbol {
  readonly path: string;
  /** Position in the list of its content's symbols, to which `parent` refers. */
  readonly position: number;
  /** Name with the names of what holds it, whether it stands there or apart: `Class.method`. */
  readonly qualifiedName: string;
  /** Kind of the symbol that `parent` refers to; absent without one. */
  readonly holderKind?: string;
  /** What it says holds it, with dots, where no symbol of its content is that; else absent. */
  readonly scope?: string;
  readonly language: string | null;
}

/** How a name is compared: exactly; whatever case and separators; by its words; by its beginning. */
export type NameMatch = "exact" | "folded" | "words" | "prefix";

/** Which definitions are wanted. */
export interface SymbolQuery {
  readonly name: string;
  /** Default `exact`. */
  readonly match?: NameMatch;
  /** Only below this folder or in this file. */
  readonly under?: string;
  /** Most hits, default 1,000; `total` counts all. */
  readonly limit?: number;
}

/** Some of what was found, by path and line, and how many there are. */
export interface Found<T> {
  readonly hits: readonly T[];
  readonly total: number;
}

/** A place that names something. */
export interface OccurrenceHit extends Place {
  readonly path: string;
}

/** A place with the name that it names. */
export interface NamedOccurrence extends OccurrenceHit {
  readonly name: string;
}

/** An import with the file that has it. */
export interface ImportHit extends ImportEntry {
  readonly path: string;
}

/** A chunk with the files that have it. */
export interface ChunkHit {
  /** Number in the database, which vectors are kept by. Not for people: it changes when it is rebuilt. */
  readonly number: number;
  /** Stable name: `<first 16 hex digits of the content's hash>:<start>-<end>`. */
  readonly id: string;
  /** Every path of the worktree that has the content, sorted. */
  readonly paths: readonly string[];
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  /** Qualified name of the definition that it is or begins in, else empty. */
  readonly name: string;
  /** Positions of the symbols whose name stands in it. */
  readonly symbols: readonly number[];
}

/** A chunk that has words of the question. */
export interface TextHit extends ChunkHit {
  /** SQLite's `bm25`, turned so that more is better. */
  readonly score: number;
}

/** A full text question. */
export interface TextSearch {
  /** Words in any form; they are split as the texts were. */
  readonly text: string;
  /** Most chunks, default 400. */
  readonly limit?: number;
}

/** A file of the worktree as the index knows it. */
export interface FileInfo {
  readonly path: string;
  readonly language: string | null;
  readonly parser: Parser;
  /** Its tree has errors: names may be missing. */
  readonly isPartial: boolean;
  readonly lineCount: number;
  readonly sizeBytes: number;
  /** First 16 hex digits of the hash of its content. */
  readonly hash: string;
}

/** A file that is not in the index. */
export interface SkippedFile {
  readonly path: string;
  /** In words: `binary`, `larger than 1048576 bytes` … */
  readonly reason: string;
}

/** How much the index knows of the worktree. */
export interface IndexCounts {
  readonly files: number;
  readonly skipped: number;
  readonly contents: number;
  readonly chunks: number;
  readonly symbols: number;
}

/** A chunk by its number, with how well it fits. */
export interface ChunkScore {
  /** Number of the chunk in the database. */
  readonly number: number;
  /** Number of the content that it is part of. */
  readonly content: number;
  /** SQLite's `bm25`, turned so that more is better. */
  readonly score: number;
}

/** A content with one path that has it. */
export interface RankedContent {
  readonly content: number;
  readonly path: string;
  /** Hash of the content, hexadecimal. */
  readonly hash: string;
  readonly lineCount: number;
  readonly language: string | null;
}

/** What the ranking knows of a definition. */
export interface ContentDefinition {
  readonly name: string;
  readonly kind: string;
  /** Name and kind of the symbol that holds it; null at the top level. */
  readonly holder: string | null;
  readonly holderKind: string | null;
  readonly line: number;
}

/** Which facts of which contents are wanted. */
export interface WantedFacts {
  readonly definitions?: readonly number[];
  readonly windows?: readonly number[];
  readonly counts?: readonly number[];
  readonly users?: readonly number[];
}

/** Facts by content; one that has none is not there. */
export interface ContentFactRows {
  /** Definitions in their order. */
  readonly definitions: ReadonlyMap<number, readonly ContentDefinition[]>;
  /** Word vectors of its windows, packed. */
  readonly windows: ReadonlyMap<number, Uint8Array>;
  /** How often its words stand in it, packed. */
  readonly counts: ReadonlyMap<number, Uint8Array>;
  /** Other contents of the worktree that name a definition of this one which no other defines too. */
  readonly users: ReadonlyMap<number, readonly number[]>;
}

/** A line of a content. */
export interface ContentLine {
  readonly content: number;
  /** 1-based. */
  readonly line: number;
}

/** Columns of the full text. */
export type TextColumn = "name" | "signature" | "comments" | "body";

/** Which chunks are wanted. */
export interface ScoreOptions {
  readonly limit: number;
  /** In how many chunks each of some words is, where that is remembered; default they are counted. */
  readonly countsOf?: (words: readonly string[]) => readonly number[];
  /** Only of this file, or of files below this folder. */
  readonly under?: string;
  /**
   * How many chunks with one of the rarer words are scored, more or less; chunks that have only commoner ones come after these,
   * where they are fewer than the limit. Default 1,500.
   */
  readonly rareHits?: number;
}

/** Which chunks with a phrase are wanted. */
export interface PhraseOptions extends ScoreOptions {
  /** Only where one of these columns has it; default any. */
  readonly columns?: readonly TextColumn[];
}

/** Questions of the ranking. Numbers are of the database: they hold within one state of it. */
export interface RankingView {
  /** Changes whenever the database does: what was remembered under another one may be stale. */
  stamp(): string;
  /** The best chunks that have any of the words, best first. */
  scoreChunks(text: string, options: ScoreOptions): readonly ChunkScore[];
  /** The best chunks that have any of the phrases, whose words follow each other; best first. */
  scorePhrases(phrases: readonly string[], options: PhraseOptions): readonly ChunkScore[];
  /** Contents of any worktree with a chunk in which the words follow each other, for each of the phrases. */
  findPhrases(phrases: readonly string[], options: PhraseOptions): readonly (readonly number[])[];
  /** Contents of the worktree whose code has the name as it stands. */
  findNamers(name: string, limit: number): readonly number[];
  /** Contents of the worktree that define the name, whatever its case and separators. */
  findDefiners(name: string, limit: number): readonly number[];
  /** Names that any worktree defines, each once, in the order in which they came. */
  listDefinedNames(limit: number): readonly string[];
  /** How many chunks have each of the words, those of other worktrees included. */
  countChunksWith(words: readonly string[]): readonly number[];
  /** Those of the words, of one part each, that stand in each of the contents. */
  findWordsIn(
    contents: readonly number[],
    words: readonly string[],
  ): readonly (readonly string[])[];
  /** How many chunks there are, those of other worktrees included. */
  countAllChunks(): number;
  /** The paths of contents, one row a path, by path. */
  listContents(contents: readonly number[]): readonly RankedContent[];
  /** Contents of files. */
  findContents(paths: readonly string[]): readonly number[];
  /** What the ranking knows of contents, as far as each of them is asked for. */
  readFacts(wanted: WantedFacts): ContentFactRows;
  /** For each place the number of the chunk that a line of a content is in, or of the next one; null after the last. */
  findChunksAt(places: readonly ContentLine[]): readonly (number | null)[];
  /** Chunks by number; those that no file of the worktree has are left out. */
  readChunks(numbers: readonly number[]): readonly ChunkHit[];
}

/** A definition at the top of its file, or in nothing but a namespace; by numbers of the database. */
export interface OutlineRow {
  readonly file: number;
  readonly name: number;
  readonly kind: number;
  /** 1-based. */
  readonly line: number;
}

/** An import, by numbers of the database; see `ImportEntry`. */
export interface ImportRow {
  readonly file: number;
  readonly module: number;
  readonly name: number | null;
  readonly alias: number;
}

/** The places of a file that name one name, by numbers of the database. */
export interface PlacesRow {
  readonly file: number;
  readonly name: number;
  readonly places: readonly Place[];
}

/**
 * Questions about all files at once. Files, names, kinds and modules are numbers of the database, which hold within one
 * state of it.
 */
export interface MapView {
  /** The number of each file, by its path. */
  listFileNumbers(): ReadonlyMap<string, number>;
  /** What names, kinds and modules are called, by their numbers. */
  readNames(numbers: Iterable<number>): ReadonlyMap<number, string>;
  /** What the files define at their top; those of a file in order. */
  listOutlines(): readonly OutlineRow[];
  /** Every import of the worktree; those of a file in order. */
  listAllImports(): readonly ImportRow[];
  /** The names that each file mentions, rising. */
  listMentioned(): readonly { readonly file: number; readonly names: readonly number[] }[];
  /** The places of some names in some files. */
  listPlacesOf(wanted: ReadonlyMap<number, readonly number[]>): readonly PlacesRow[];
}

/** All questions. Lists are sorted by path, then line. */
export interface IndexView extends RankingView, MapView {
  /** Definitions by name, exported and top-level ones like all others. */
  findSymbols(query: SymbolQuery): Found<SymbolHit>;
  /** The definitions of a file, in order; or of all files below a folder, `.` for the project. */
  listSymbols(under: string): readonly SymbolHit[];
  /** The definitions of each of some files, in order. */
  listSymbolsOf(paths: readonly string[]): readonly (readonly SymbolHit[])[];
  /** Places that name `name`, comments and strings excepted; definitions among them. */
  findOccurrences(name: string, options?: { readonly limit?: number }): Found<OccurrenceHit>;
  /** Says for whose places will be asked one after the other, so that a server is asked for them at once. */
  expectNames(names: readonly string[]): void;
  /** All places of each of the names, as {@link IndexView.findOccurrences} has them. */
  listPlacesNaming(names: readonly string[]): readonly (readonly OccurrenceHit[])[];
  /** Every place of a file that names something, by name; definitions among them. */
  listOccurrences(path: string): readonly NamedOccurrence[];
  /** Names that a file mentions, each once, by name. */
  listNames(path: string): readonly string[];
  /** What a file imports. */
  listImports(path: string): readonly ImportHit[];
  /** What each of some files imports. */
  listImportsOf(paths: readonly string[]): readonly (readonly ImportHit[])[];
  /** What a file says of the types of its names. */
  listTypes(path: string): readonly TypeFact[];
  /** What each of some files says of the types of its names. */
  listTypesOf(paths: readonly string[]): readonly (readonly TypeFact[])[];
  /** Every import of the worktree whose module is written exactly so. */
  findImports(module: string): readonly ImportHit[];
  /** Every module that is imported, as written, each once. */
  listModules(): readonly string[];
  /** The chunks of a file, in order. */
  listChunks(path: string): readonly ChunkHit[];
  /** A chunk by its stable name; null when no file of the worktree has it (any more). */
  getChunk(id: string): ChunkHit | null;
  /** Chunks that have any of the words, best first. */
  searchText(search: TextSearch): readonly TextHit[];
  /** Paths with words of the question, best first. */
  searchPaths(text: string, limit: number): readonly string[];
  /** One file; null when it is not in the index. */
  getFile(path: string): FileInfo | null;
  /** Every indexed file. */
  listFiles(): readonly FileInfo[];
  /** Every file that was left out, with the reason. */
  listSkipped(): readonly SkippedFile[];
  /** How many files were left out, by the reason. */
  countSkipped(): ReadonlyMap<string, number>;
  /** Counts for status and doctor. */
  count(): IndexCounts;
}
