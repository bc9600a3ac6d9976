/**
 * What the index knows of one content: the result of analysing a text once, whatever files, branches
 * and worktrees hold it. Nothing here depends on where the file lies. Pure types.
 */

/** What a place does with a name; `text` is a mention in a comment or string. */
export type ReferenceKind = "call" | "import" | "type" | "write" | "read" | "definition" | "text";

/** Where the definitions of a content came from: a syntax tree, rules on its lines, or none. */
export type Parser = "tree-sitter" | "regex" | "none";

/** A definition. Lines and columns are 1-based; columns count UTF-16 units. */
export interface CodeSymbol {
  /** Plain name, as it is written. */
  readonly name: string;
  /** Kind in the vocabulary of `Tag.kind`: `function`, `method`, `class`, `constant` … */
  readonly kind: string;
  /** Where the name stands. */
  readonly line: number;
  readonly column: number;
  /** The whole definition, decorators, attributes and the comment that documents it included. */
  readonly startLine: number;
  readonly endLine: number;
  /** Position of the symbol that holds it in the same list; always smaller than its own. Null: top level. */
  readonly parent: number | null;
  /**
   * What holds it by its own words where that does not stand round it: the receiver's type of a Go
   * method, `A` of `A::f`, `app` of `app.use = …`. `parent` names it too when it is in this content, earlier.
   */
  readonly scope?: string;
  /** Parameters and result as written, on one line, at most 200 characters. */
  readonly signature?: string;
  /** First sentence of its comment or doc string, at most 200 characters. */
  readonly doc?: string;
  /** Whether other files can name it; absent where the language does not say. */
  readonly isExported?: boolean;
  /** Types that it extends, implements or includes, as written without type arguments. */
  readonly bases?: readonly string[];
}

/** A place in code, never in comments or strings, that names something. */
export interface Occurrence {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  readonly kind: Exclude<ReferenceKind, "text">;
  /**
   * What the name is a member of: the plain names before the dot, arrow or `::`, joined by dots (`this`, `Auth`,
   * `app.models`). The name that a method of Go gives its own object is `this` too. `T()`: an object of the type
   * T, as in `new T().save()`. Empty: something without such a name, as `get().save()`, or the object that a key
   * belongs to. Absent: it is no member.
   */
  readonly receiver?: string;
  /**
   * The name is that of a variable of a block, a parameter or a type parameter. Of a member, the
   * first name of its receiver counts.
   */
  readonly isLocal?: boolean;
}

/**
 * What a text says of the type of one name. `type`: as it is declared; `value`: the short form of the expression that
 * gives its first value (`expression_text.ts`); `each`: of what a loop goes through; `result`: the type that a function
 * answers with; `alias`: what a name of a type stands for; `bound`: what a type parameter extends; `context`: the place
 * of a function without types, as `callee@argument@parameter` or `:type@parameter`; `chain`: the short form of what
 * the name is a member of. A `value` at the top of a script that is no definition is a name that the module gives to
 * others: `export { a as b }`, `default`, and `WHOLE_MODULE` for what it is as a whole. One with the text `IN_BLOCK` is a definition
 * inside of a block, and `within` is that block. `attribute`: the short form of what a method gives its object's attribute
 * of the name; `returned`: of what the function of the name answers with there. `generic`: the type parameters of a type
 * as they are written; `extends`: a base of a type with what it gives the base's own; `called`: parameters and result of an interface that is a function; `narrowed`: which value of a
 * member the variable has in `within`, as `member=value|value`; `injected`: a parameter that the runner of the tests gives
 * the fixture of its name. Of grammars whose patterns say no types: `local`: a variable that holds in `within`, or in the
 * whole file; a `value` of `this`: what object it is in `within`, as `RawObject.of`; one with the text `OF_TYPE`: a method
 * that a type has itself.
 */
export interface TypeFact {
  readonly name: string;
  /** Where the name stands, 1-based. */
  readonly line: number;
  readonly column: number;
  readonly kind: TypeFactKind;
  readonly text: string;
  /** Where the name holds, as positions by `toPosition` (`position.ts`); absent for what is no variable of a block. */
  readonly within?: readonly [from: number, to: number];
}

/** What the text of a fact is, in the order that is part of the packed form. */
export const TYPE_FACT_KINDS = [
  "type",
  "value",
  "each",
  "result",
  "alias",
  "bound",
  "context",
  "chain",
  "attribute",
  "returned",
  "generic",
  "called",
  "narrowed",
  "extends",
  "injected",
  "local",
] as const;

/** One of `TYPE_FACT_KINDS`. */
export type TypeFactKind = typeof TYPE_FACT_KINDS[number];

/** One name that a content takes from another module. */
export interface ImportEntry {
  /** The module as written: `./auth`, `app.models`, `App\Models\User`, `<vector>`. */
  readonly module: string;
  /** The name in that module; `*` for all, `default` for what a script imports without a name, null for the module itself. */
  readonly name: string | null;
  /** The name that it has here; empty where it has none (side effect, include). */
  readonly alias: string;
  /** 1-based. */
  readonly line: number;
  /** Passed on to whoever imports this file: `export … from`. */
  readonly isReexport?: boolean;
}

/** A part of a content that is found, shown and embedded as one. Lines are 1-based and inclusive. */
export interface Chunk {
  readonly startLine: number;
  readonly endLine: number;
  /** `definition`, `block` (what lies between), or the name of a special unit such as `migration`. */
  readonly kind: string;
  /** Qualified name of the definition that it is or begins in (`Class.method`), else empty. */
  readonly name: string;
  /** Positions of the symbols whose name stands in this chunk. */
  readonly symbols: readonly number[];
}

/** Everything that is stored of one content in one language. */
export interface Analysis {
  /** Name of the language in `LANGUAGES`; null for text of none. */
  readonly language: string | null;
  readonly parser: Parser;
  /** The tree has errors, or the parser gave up: names may be missing. */
  readonly isPartial: boolean;
  readonly lineCount: number;
  /** In the order of their places. */
  readonly symbols: readonly CodeSymbol[];
  /** In the order of their places. */
  readonly occurrences: readonly Occurrence[];
  readonly imports: readonly ImportEntry[];
  /** In the order of their places. */
  readonly types: readonly TypeFact[];
  /** In order, disjoint, covering every line that is not blank. */
  readonly chunks: readonly Chunk[];
}

/** How a text is analysed. */
export interface AnalysisOptions {
  /** Path in the project: some special units are known by it (`composer.json`). */
  readonly path: string;
  /** Largest chunk in tokens, a token taken as four characters; 0 cuts none, where names are all that is wanted. */
  readonly chunkMaxTokens: number;
  /** Name or alias of a language that counts instead of the path's. */
  readonly language?: string;
}
