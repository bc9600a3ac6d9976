/** What mutants replace, made of the rows of the languages, and what is never touched. Pure. */
import { clipLine } from "../../base/text/clip.ts";
import type { Language } from "../../language/languages.ts";

/** What is changed, the more telling kinds first. */
export const MUTANT_KINDS = [
  "reach",
  "branch",
  "argument",
  "bound",
  "swap",
  "logical",
  "return",
  "condition",
  "equality",
  "arithmetic",
  "call",
  "pattern",
  "constant",
] as const;

/** Kinds that take a whole part of the change away: they tell most. */
export const WHOLE_KINDS: ReadonlySet<MutantKind> = new Set(["reach", "branch", "argument"]);

/** What is changed: a bound moved, a condition turned, a call left out. */
export type MutantKind = typeof MUTANT_KINDS[number];

/** A change of one place of a file. */
export interface Mutant {
  /** The file, relative to the worktree. */
  readonly path: string;
  /** Line of the place, counted from 1. */
  readonly line: number;
  readonly kind: MutantKind;
  /** Where the place begins and ends in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** What stands there. */
  readonly before: string;
  /** What the mutant has instead. */
  readonly after: string;
  /** A version that is tried where no test fails with the mutant, to learn whether both may be equal. */
  readonly probe?: Probe;
  /** The change in words, where the texts do not say it. */
  readonly words?: string;
  /** True where both versions differ for few values only: where no test fails with it, none has such a value. */
  readonly isSubtle?: true;
}

/** Other text for a place of a file, in UTF-16 units. */
export type Replacement = Pick<Mutant, "start" | "end" | "after">;

/** The same with what it says whether a test fails with it or not: `isMet` of a survivor; null for nothing. */
export interface Probe extends Replacement {
  readonly failing: boolean | null;
  readonly passing: boolean | null;
}

const MOST_CHARS = 60;

/** The text with the change. */
export function applyMutant(text: string, { start, end, after }: Replacement): string {
  return text.slice(0, start) + after + text.slice(end);
}

/**
 * The change in words.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toChange } from "./mutant_rules.ts";
 * const place = { path: "a.ts", line: 1, start: 0, end: 2 };
 * equal(toChange({ ...place, kind: "bound", before: ">=", after: ">" }), "`>` for `>=`");
 * equal(toChange({ ...place, kind: "call", before: "go();", after: ";" }), "nothing for `go();`");
 * ```
 */
export function toChange({ kind, before, after, words }: Mutant): string {
  if (words !== undefined) return words;
  const there = `\`${clipLine(before, MOST_CHARS)}\``;
  return kind === "call" || after === ""
    ? `nothing for ${there}`
    : `\`${clipLine(after, MOST_CHARS)}\` for ${there}`;
}

/** What an operator is replaced by where the row of the language says nothing else. */
const SWAPS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "-lt": "-le",
  "-le": "-lt",
  "-gt": "-ge",
  "-ge": "-gt",
  "==": "!=",
  "!=": "==",
  "===": "!==",
  "!==": "===",
  "-eq": "-ne",
  "-ne": "-eq",
  "&&": "||",
  "||": "&&",
  "and": "or",
  "or": "and",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
};

/** Where the condition of a node stands. */
export interface ConditionPlace {
  readonly type: string;
  /** A field, the position among the named parts, or (null) in brackets. */
  readonly at: string | number | null;
}

/** What is changed in one language. */
export interface MutantRules {
  /** The name of the language. */
  readonly language: string;
  readonly operators: ReadonlySet<string>;
  readonly swaps: ReadonlyMap<string, string>;
  readonly constants: ReadonlySet<string>;
  readonly conditions: readonly ConditionPlace[];
  readonly not: readonly [string, string];
  readonly returns: ReadonlySet<string>;
  /** What is given back instead of a value; null where nothing fits. */
  readonly nothing: string | null;
  readonly statements: ReadonlySet<string>;
  readonly calls: ReadonlySet<string>;
  readonly gap: string;
  readonly functions: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
}

/** The rules of a language; null where its grammar has nothing that a mutant changes. */
export function buildMutantRules({ name, mutants, bodies }: Language): MutantRules | null {
  if (mutants === undefined) return null;
  const { conditions = "", not = ["!(", ")"], nothing = null, gap = ";" } = mutants;
  return {
    language: name,
    operators: splitToSet(mutants.operators),
    swaps: new Map(Object.entries({ ...SWAPS, ...mutants.swaps })),
    constants: splitToSet(mutants.constants),
    conditions: [...splitToSet(conditions)].map(parsePlace),
    not,
    returns: splitToSet(mutants.returns),
    nothing,
    statements: splitToSet(mutants.statements),
    calls: splitToSet(mutants.calls),
    gap,
    functions: new Set([...bodies?.functions ?? [], ...bodies?.lambdas ?? []]),
    classes: bodies?.classes ?? new Set(),
  };
}

function splitToSet(names = ""): ReadonlySet<string> {
  return new Set(names.split(" ").filter((name) => name !== ""));
}

function parsePlace(text: string): ConditionPlace {
  if (text.endsWith("()")) return { type: text.slice(0, -2), at: null };
  const [type = "", at = ""] = text.split(/[.#]/);
  return { type, at: text.includes("#") ? Number(at) : at };
}

/** What kind of change the replacement of an operator is. */
export function classifyOperator(operator: string): MutantKind {
  if (/^(?:[<>]=?|-[lg][te]|\.\..*)$/.test(operator)) return "bound";
  if (/^(?:&&|\|\||and|or)$/.test(operator)) return "logical";
  return /^[-+*/%]+$/.test(operator) ? "arithmetic" : "equality";
}

/** Whether a node compares by an operator whose replacement says the opposite. */
export function isEqualitySign(text: string): boolean {
  return /^[!=~/]==?$|^(?:is|in|is not|not in)$|^-(?:eq|ne)$/.test(text);
}

/** Nodes in which nothing runs, or nothing that a test should notice: imports, types, comments, texts of errors. */
export const PASSED_OVER =
  /comment|^(?:import|use_|using_|package|namespace_use|preproc_(?:include|def|function_def|line)|(?:inner_)?attribute_(?:item|list)|(?:marker_)?annotation|decorator|type_(?!test|cast|conv)|signature$|pragma|interface_declaration|enum_(?:assignment|constant|entry|variant|member)|string(?:_literal)?$|raw_string|char|regex|throw|raise|echo_)|_type$|_annotation$/;

/** Names of calls that only tell somebody something, or check what cannot be. */
const TELLS =
  /(?:^|[.:>_$])(?:log|logger|logging|slog|console)\b|(?:^|[.:>])(?:log|debug|info|warn(?:ing)?|trace|e?print\w*|puts|echo|NSLog|assert\w*|invariant|precondition)!?$/i;

/** What looks like a call and is part of the language, or of how a class is set up. */
const NO_CALL =
  /^(?:def\w*|use|import|alias|require\w*|include|extend|if|unless|case|cond|with|for|quote|receive|try|super)\b/;

/** The function that a call names: what stands before its arguments. */
function headOfCall(call: string): string {
  return /^(?:await\s+)?([^\s("'`[{]*)/.exec(call)?.[1] ?? "";
}

/** Whether a call only tells somebody something: no test looks at it. */
export function isTelling(call: string): boolean {
  return TELLS.test(headOfCall(call));
}

/** Whether a call can be left out. */
export function isLeavable(call: string): boolean {
  return !isTelling(call) && !NO_CALL.test(call);
}

/** What removes files, ends processes, starts programs or drops tables: a wrong version of its guard may do harm. */
export const UNSAFE =
  /\b(?:rm|rmdir\w*|rmtree|unlink\w*|remove_?(?:all|dir\w*|file\w*|tree)|delete_?(?:all|dir\w*|files?|tree|recursive\w*)|truncate\w*|wipe\w*|kill\w*|popen|system|spawn\w*|exec(?:Sync|File\w*|v\w*|l\w*)|fork|shutdown|reboot|shell_exec|passthru|proc_open)!?\s*\(|\b(?:Deno\.(?:remove|Command|kill)|os\.(?:remove|RemoveAll|Remove)|shutil\.|fs(?:Promises)?\.(?:rm|unlink)\w*|FileUtils\.|File\.delete|Files\.delete\w*|subprocess\.|child_process|exec\.Command|Command::new|ProcessBuilder|Process\.Start|fs::remove\w*)|\b(?:rm|sudo|mkfs|dd)\s+-|\b(?:DROP|TRUNCATE)\s+(?:TABLE|DATABASE|SCHEMA)\b/i;

/** Loops that end by what their body does. */
export const OPEN_LOOP = /^(?:while|until|loop|repeat|do_while|do_statement|labeled_statement)/;
/** Any loop. */
export const LOOP = /^(?:while|until|loop|repeat|for|do_while|do_statement)/;
/** The part of a loop that it repeats. */
export const LOOP_BODY = /block|body|statements?$|compound|^do$/;

/** Languages in which a division of whole numbers leaves its rest out. */
export const ROUNDS_DOWN = /^(?:Go|Java|C|C\+\+|C#|Rust)$/;

const DECLARED =
  /\b(?:def|func(?:tion)?|fn|class|const|let|var)\s+(?:\([^)\n]*\)\s*)?(\w+)|\b(\w+)\s*\([^()]*\)\s*\{/g;

/** The names of functions, classes and variables that a text declares, and some more. */
export function listDeclared(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(DECLARED)].map(([, name, method]) => name ?? method ?? ""));
}

/** Where the order of equal things, not a bound, is decided. */
export const ORDERING = /sort|order|compar|cmp|\bless\b|rank|priorit/i;
/** Functions for which the order of two arguments says nothing. */
export const COMMUTATIVE =
  /^(?:max|min|\w*equals?|same|gcd|lcm|hypot|union|intersect\w*|overlap\w*|isclose|add|sum|plus|xor|zip|distance|isinstance)$/i;
/** Calls whose first text is a regular expression. */
export const PATTERN_CALL =
  /^re(?:gex)?\.\w+$|^regexp\.\w+$|Pattern\.compile$|\.(?:matches|replaceFirst)$|^preg_\w+$|Regex::new$|\bRegExp$|\bRegex$/;
/** Functions that do nearly the same, each with the next one; Python alone has the first two. */
const NEAR =
  " fullmatch match fullmatch startsWith endsWith startsWith startswith endswith startswith HasPrefix HasSuffix HasPrefix starts_with ends_with starts_with min max min floor ceil floor some every some any all any upper lower upper toUpperCase toLowerCase toUpperCase ";

/** The name of a function that does nearly the same; undefined where none is known. */
export function nearName(language: string, name: string): string | undefined {
  const isOfOther = name === "" || (name === "match" && language !== "Python");
  return isOfOther ? undefined : NEAR.split(` ${name} `)[1]?.split(" ")[0];
}
