/** The questions about the structure of code, and the form of their answers. Pure types. */
import type { Definition, Found, PageInput } from "./answer_types.ts";

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
