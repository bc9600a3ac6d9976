/**
 * What a row of the table of languages may say. A language is one file of `rows/`, and the patterns of its grammar in
 * `src/analysis/queries/`. Every table that another folder reads is made of the rows. Pure.
 */
import type { Kind } from "./kinds.ts";

/** One form of definition. Most languages turn up in no process, so an expression is compiled where it is first used. */
export class DefinitionPattern {
  readonly kind: Kind;
  readonly #source: string;
  readonly #flags: string;
  #pattern: RegExp | null = null;

  constructor(kind: Kind, source: string, flags: string) {
    this.kind = kind;
    this.#source = source;
    this.#flags = flags;
  }

  /** The group `name` is the symbol. */
  get pattern(): RegExp {
    return this.#pattern ??= new RegExp(this.#source, this.#flags);
  }
}

const NAME = "(?<name>[\\p{L}_$][\\p{L}\\p{N}_$]*)";

/** A form; `NAME` in it stands for a name of letters, digits, `_` and `$`. */
export function form(kind: Kind, source: string, flags = "u"): DefinitionPattern {
  return new DefinitionPattern(kind, source.replaceAll("NAME", NAME), flags);
}

/** `//` and `/* … *\/`. */
export const SLASH = { line: ["//"], block: [["/*", "*/"]] } as const;
/** `#`. */
export const HASH = { line: ["#"] } as const;
/** Comments of markup. */
export const MARKUP = { block: [["<!--", "-->"]] } as const;

/** What a language is for; `code` where a row does not say. */
export type Nature = "code" | "data" | "markup" | "prose" | "queries" | "style";

/** How one language is written. */
export interface LanguageRow {
  readonly name: string;
  /** Endings of its files without the leading dot, with blanks between. */
  readonly ext: string;
  /** Whole names of files, with blanks between. */
  readonly files?: string;
  /** Other names that callers use for it, lower case, with blanks between. */
  readonly aliases?: string;
  /** Name of its parser in Universal Ctags. */
  readonly ctags?: string;
  /** Its vendored grammar in `wasm/`, which is the name of its file in `src/analysis/queries/` too. */
  readonly grammar?: string;
  /** Why it has no grammar, where it has none. */
  readonly noGrammar?: string;
  readonly nature?: Nature;
  /** Name of the languages that import from one another by one rule; absent for data and prose. */
  readonly family?: string;
  /** What follows from that rule. One row of the family says it. */
  readonly familyFacts?: FamilyFacts;
  /** What begins a comment to the end of the line. */
  readonly line?: readonly string[];
  /** Pairs that enclose comments. */
  readonly block?: readonly (readonly [string, string])[];
  /** What encloses strings, longest first; default `"` and `'`. A sign that also begins lifetimes or characters is none. */
  readonly quotes?: readonly string[];
  /** Characters of names beside letters, digits and `_`; `?` and `!` only at their end. */
  readonly nameChars?: string;
  /** What begins code inside strings, such as `${`; it ends with `}`. */
  readonly interpolation?: string;
  /** Forms of definitions, for texts that no parser reads. */
  readonly forms: readonly DefinitionPattern[];
  /** Whether these forms look at strings too, because names stand in them. */
  readonly readsStrings?: true;
  /** Whether rules on lines would take values and text for definitions, so that only the tree counts. */
  readonly rulesMislead?: true;
  /** Whether its files hold scripts of another language inside tags. */
  readonly holdsScripts?: true;
  /** What is a name, for texts that no parser reads, where most words name nothing; the group `name` where it is not the whole. */
  readonly words?: RegExp;
  /** Lines that take another file in, for texts that no parser reads; the group `modules` lists the files in quotes. */
  readonly imports?: RegExp;
  /** Whether functions of one name may differ in their parameters. */
  readonly overloads?: true;
  /** Whether every function says the type of its result, so that its body decides nothing for who calls it. */
  readonly saysResults?: true;
  /** What is called where a program prints. */
  readonly prints?: RegExp;
  readonly tests?: TestRow;
  /** How its grammar writes what may be an empty implementation; absent where there is none. */
  readonly bodies?: BodyRow;
  /** How its grammar writes what a small wrong version of the code changes; absent where there is nothing of the kind. */
  readonly mutants?: MutantRow;
}

/** What holds in a family of languages. */
export interface FamilyFacts {
  /** Whether a module is a file. Elsewhere an import names a package, which is more than the file. */
  readonly moduleIsFile?: true;
  /** Whether any name may stand for a type. */
  readonly looseTypes?: true;
  /** Whether the index knows which places name a parameter or a variable of a block. */
  readonly binding?: true;
  /** Whether the analysis says where each variable of a block holds, and lines only its type. */
  readonly blocks?: true;
  /** Whether a variable has the type of whatever it was given last. */
  readonly dynamic?: true;
  /** Whether the analysis says the types of names, by the patterns of its grammars. */
  readonly typed?: true;
  /** Whether a member is named without a receiver. */
  readonly implicitMembers?: true;
  /** Whether the files of a folder are one package, whose names all of them have; or may be, where a file says so. */
  readonly folderPackage?: "always" | "declared";
  /** Whether names belong to namespaces. */
  readonly namespaces?: true;
  /** Whether a name of the own package or namespace comes before one that the import of a whole package brings. */
  readonly ownFirst?: true;
  /** Whether code names what it never imported. */
  readonly open?: true;
  /** Whether the files of the project alone say where a module is, so that an ending of a path proves nothing. */
  readonly knownByFiles?: true;
  /** How an object calls its base, where that is not `super`. */
  readonly parent?: string;
  /** Whether an import may give what it brings another name. */
  readonly renames?: true;
  /** The words by which a file passes on whatever a module has, without naming it. */
  readonly passesOn?: readonly string[];
}

/**
 * How tests look in a language, asked of the parts of its code. Without `functions` and `calls` a file has lost its tests
 * only where no line of code is left.
 */
export interface TestRow {
  /** Name of a test file without its ending; the first group that is there names what is tested. */
  readonly names: RegExp;
  /** The header of a function that is a test, with its attributes. */
  readonly functions?: RegExp;
  /** What is called where a call is a test. */
  readonly calls?: RegExp;
  /** The header or the callee of what is not run, with all that is in it. */
  readonly off?: RegExp;
  /** A statement at the top that switches off all tests of the file. */
  readonly offFile?: RegExp;
  /** Names of classes and variables that take the place of a test of the same name. */
  readonly again?: RegExp;
  /** What a run prints where code names what is not there; the first group that is there is the name. */
  readonly missing?: RegExp;
}

/** How a grammar writes functions, classes, bodies and what stands around them: types of nodes, with blanks between. */
export interface BodyRow {
  readonly functions: string;
  /** Functions without a name; they count where something gives them a name. */
  readonly lambdas?: string;
  /** What gives a name to the lambda that is its last part. */
  readonly named?: string;
  /** What holds members: classes, modules, namespaces. */
  readonly classes?: string;
  /** What only holds statements or members. */
  readonly blocks?: string;
  /** What neither does work nor stands in for it: imports, decorators, package names. */
  readonly neutral?: string;
  /** The same by text, for languages that write such things as calls. */
  readonly neutralText?: RegExp;
  /** Types of comments and of documentation; those with `comment` in their name where it is absent. */
  readonly comments?: RegExp;
  /** Whole statements that do nothing. */
  readonly noop?: RegExp;
  /** In whose block a statement that does nothing is deliberate, such as `catch`. */
  readonly handlers?: string;
  /** Header of a constructor, where its node type does not tell. */
  readonly constructors?: RegExp;
  /** Header of a constructor that does work by its header alone. */
  readonly promotes?: RegExp;
  /** Header of a function that may have no body. */
  readonly abstract?: RegExp;
  /** Header of a class whose functions may have no body. */
  readonly abstractClass?: RegExp;
  /** Header of a class that may have no members; any where it is absent. */
  readonly emptyClass?: RegExp;
  /** Whether a function or class without a body node has an empty body. */
  readonly isBodyOptional?: true;
  /** Whether the body is a node beside the header instead of a child. */
  readonly isBodyBeside?: true;
}

/** What a small wrong version of the code changes: types of nodes, with blanks between. */
export interface MutantRow {
  /** Nodes that have an operator among their parts, such as `a < b`. */
  readonly operators: string;
  /** Operators that other languages write in another way, each with what it is replaced by. */
  readonly swaps?: Readonly<Record<string, string>>;
  /** Nodes of numbers and truth values. */
  readonly constants?: string;
  /**
   * Nodes with a condition, each with its place: `if_statement.condition` for a field, `conditional#1` for the position
   * among the named parts, `if_statement()` for what stands in brackets.
   */
  readonly conditions?: string;
  /** What stands before and behind a condition that is turned; default `!(` and `)`. */
  readonly not?: readonly [string, string];
  /** Nodes that give a value back; they begin with `return`. */
  readonly returns?: string;
  /** What is given back instead of the value. */
  readonly nothing?: string;
  /** Nodes that hold statements, or are one (`expression_statement`). */
  readonly statements?: string;
  /** Nodes of calls, which are left out where they are a statement. */
  readonly calls?: string;
  /** What stands in the place of a call that is left out; default `;`. */
  readonly gap?: string;
  /** How a function is made to do nothing. */
  readonly hollow?: HollowRow;
}

/** How a function does nothing, so that all behind its first statement is idle. */
export interface HollowRow {
  /** The statement at the top of its body; `VALUE` stands for what it gives back. */
  readonly leave: string;
  /** The simplest value by the type of the result, in which `TYPE` stands for that and `ITEM` for what it points to, and another; the first that fits is taken. */
  readonly values: readonly (readonly [type: RegExp, value: string, other?: string])[];
  /** What is made of a parameter (`ARG`): a list of it, its last and its first item. */
  readonly items?: { readonly wrapped: string; readonly last: string; readonly first: string };
  /** A parameter; the group `name` is its name, `type` its type where it may be given back only where both are the same. */
  readonly parameter: RegExp;
}
