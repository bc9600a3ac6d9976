/**
 * Recognises placeholder statements by their text: errors, logs, and values that say nothing. Pure.
 */
import { anyOf } from "../../base/text/any_of.ts";

/**
 * What a statement does for its function. `trivial`: a value that says nothing, such as null. `constant`: another
 * value written out, which is work where nothing beside it says that it stands in. `crash`: it ends the program or
 * throws, and says nothing about why.
 */
export type StatementKind = "real" | "noop" | "placeholder" | "trivial" | "constant" | "crash";

/** Wordings of "not implemented", also inside names such as NotImplementedError. */
const NOT_IMPLEMENTED = anyOf(
  /(?:not[\s_-]*(?:yet[\s_-]*)?(?:been[\s_-]*)?|un-?|to[\s_-]be[\s_-])implemented|implement[\s_-](?:me|this|later)\b/i,
  /coming[\s_-]soon|under[\s_-]construction|work[\s_-]in[\s_-]progress|(?:missing|no)[\s_-]implementation/,
  /not[\s_-](?:done|finished|written)[\s_-]yet|not[\s_-]supported[\s_-]yet|未実装/,
);

/**
 * Marks of unfinished work. Lower case counts only where the text says nothing else, because to-dos
 * may be what the code is about.
 */
const MARKS = /\b(?:TODO|FIXME|XXX)\b|["'`]\s*(?:todo|fixme|xxx)\s*(?:[:.!]|["'`])/;

/** Beginnings of statements that end a function without a result. */
const REFUSES = anyOf(
  /^(?:throw|raise|panic|@panic|@compileError|fatalError|preconditionFailure|assertionFailure|trigger_error)/,
  /^(?:error|die|(?:std::)?(?:abort|terminate)|exit|assert|fail|Err|Left|\{:error|(?:Promise|Future|Task)\.\w+)/,
  /^return (?:throw|Promise\.reject|Err\b|Left\b|Result\.failure|error\b)/,
);

/** Beginnings of statements that only print or log. */
const TELLS = anyOf(
  /^(?:console\.|e?print|debugPrint|fmt\.\w*[Pp]rint|log(?:ger|ging)?\b|Logger\.|puts\b|echo\b|f?printf\b|putStrLn)/,
  /^(?:error_log|NSLog|os_log|IO\.|System\.(?:out|err)\.|Console\.|(?:std::)?c(?:out|err|log)\b|warn(?:ing)?s?\b)/,
  /^(?:dbg!|std\.(?:debug|log)\.|(?:this|self|\$this)[.>-]+(?:log|logger)\b)/,
);

/** Calls that exist only as placeholders. */
const STANDS_IN =
  /^(?:(?:std::|core::)?(?:todo|unimplemented)!|TODO\s*\(|\?\?\?$|not_?implemented\s*\()/i;

/** A statement that only ends the function with an error of no name and no words. */
const CRASHES = anyOf(
  /^(?:throw|raise) (?:new )?\\?(?:Standard|Runtime)?(?:Error|Exception)(?:\( ?(?:""|'')? ?\))?$/,
  /^throw (?:new )?std::(?:runtime_error|exception)(?:\( ?(?:""|'')? ?\))?$/,
  /^(?:fatalError|preconditionFailure|assertionFailure|@?panic|error|(?:std::)?abort|std::terminate) ?\( ?(?:""|'')? ?\)$/,
  /^(?:panic|unreachable|todo)!\(\)$|^raise$|^assert (?:False|false)$|^assert\((?:false|0)\)$/,
  /^return (?:Err|Left)\((?:""|'')\)$/,
);

/** A value written out: the result of a function that computes nothing. */
const CONSTANT = /^(?:true|false|True|False|TRUE|FALSE|YES|NO|-?\d{1,3}(?:\.0)?|""|''|``|:ok|ok)$/;

/** Words of a comment that call a written value a stand-in. */
const STAND_IN_WORDS = anyOf(
  /\b(?:TODO|FIXME|XXX|HACK|for now|placeholder|stub(?:bed)?|dummy|hard-?coded)\b|未実装|仮/i,
  /\b(?:not (?:yet )?implemented|implement (?:this|me|later))\b/,
);

/** A returned error of such a wording: a name or a quoted text. */
const RETURNS_REFUSAL = anyOf(
  /^return\b.*["'`][^"'`]*(?:not (?:yet )?implemented|unimplemented)/i,
  /^return\b.*(?::not_implemented|\bErrNotImplemented|\bcodes\.Unimplemented)/,
);

/** Empty containers and zero values made by a call. */
const EMPTY_CALLS = [
  "(?:Optional|Stream|Mono|Flux)\\.empty\\(\\)|Collections\\.empty\\w+\\(\\)|(?:List|Set|Map)\\.of\\(\\)",
  "(?:empty(?:List|Map|Set|Array|Sequence)|(?:list|map|set|array|mutableList|mutableMap)Of)(?:<[^>]*>)?\\(\\)",
  "(?:Vec|String|HashMap|HashSet|BTreeMap)::new\\(\\)|vec!\\[\\]|Default::default\\(\\)|<> ?</>",
  "(?:Array|Enumerable)\\.Empty<[^>]*>\\(\\)|throw new (?:UnsupportedOperation|NotSupported)Exception\\(\\)",
];
/** Values that say nothing, as they are written. */
const EMPTY_VALUES = [
  "null|None|nil|NULL|nullptr|undefined|void 0|\\.none|\\.null|Nothing|Unit|default(?:\\([\\w?]*\\))?",
  "(?:dict|list|array)\\(\\)|Ok\\(\\(\\)\\)|\\( ?\\)|%\\{ ?\\}",
  "(?:const )?(?:<[\\w, ]*>)?(?:\\{ ?\\}|\\[ ?\\])",
];
const ATOM = `(?:${[...EMPTY_CALLS, ...EMPTY_VALUES].join("|")})`;
const TRIVIAL = new RegExp(`^${ATOM}$`);
/** Several results of which one says nothing and the others are zero. */
const TRIVIAL_LIST = new RegExp(
  `^(?=.*\\bnil\\b)(?:(?:${ATOM}|""|0|false|[\\w.]+\\{\\})(?:, ?|$)){2,}$`,
);

/** Statements that only silence a warning about an unused name. */
const DISCARDS = /^(?:\(void\) ?\w+|_ ?= ?&?\w+|let _\w* ?= ?&?\w+|void \w+|(\w+) = \1)$/;

/**
 * What a statement does, by its text without comments.
 *
 * @param noop what does nothing in the language, beside an empty statement.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { kindOfStatement } from "./empty_wording.ts";
 * equal(kindOfStatement('throw new Error("Not implemented yet");'), "placeholder");
 * equal(kindOfStatement("return null;"), "trivial");
 * equal(kindOfStatement('throw new Error("Todo not found");'), "real");
 * ```
 */
export function kindOfStatement(text: string, noop?: RegExp): StatementKind {
  const statement = text.replaceAll(/\s+/g, " ").trim().replace(/[; ]+$/, "");
  if (statement === "" || statement === "return" || noop?.test(statement)) return "noop";
  if (DISCARDS.test(statement)) return "noop";
  if (isStandIn(statement)) return "placeholder";
  if (CRASHES.test(statement)) return "crash";
  const value = stripParentheses(
    stripWrappers(stripParentheses(statement.replace(/^return\s+/, ""))),
  );
  if (isStandIn(value)) return "placeholder";
  if (TRIVIAL.test(value) || TRIVIAL_LIST.test(value)) return "trivial";
  return CONSTANT.test(value) ? "constant" : "real";
}

function isStandIn(statement: string): boolean {
  if (STANDS_IN.test(statement) || RETURNS_REFUSAL.test(statement)) return true;
  if (!REFUSES.test(statement) && !TELLS.test(statement)) return false;
  return NOT_IMPLEMENTED.test(statement) || MARKS.test(statement);
}

/** The value inside one pair of round brackets. */
function stripParentheses(value: string): string {
  const inner = /^\(\s*([^()]+)\s*\)$/.exec(value)?.[1];
  return (inner ?? value).trim();
}

const RESOLVED =
  /^(?:Promise\.resolve|Task\.FromResult|Future\.value|CompletableFuture\.completedFuture)(?:<[^>]*>)?\((.*)\)$/;

/** A value without what only wraps it: `await`, a resolved promise, a cast to a type. */
function stripWrappers(value: string): string {
  let bare = value.replace(/^await /, "").replace(/^<\w+>(?=null|undefined|\{|\[)/, "");
  const resolved = RESOLVED.exec(bare)?.[1];
  if (resolved !== undefined) bare = resolved.trim() === "" ? "null" : resolved.trim();
  return bare.replace(/(?: (?:as|satisfies) [\w.$<>[\], |]+?)+$/, "");
}

/** Whether a comment says of the value beside it that it stands in for work that is to be done. */
export function isStandInComment(comment: string): boolean {
  return STAND_IN_WORDS.test(comment);
}

/** Whether a line, without comment signs, is only a mark of unfinished work. */
export function isMark(line: string): boolean {
  return /^\W*(?:TODO|FIXME|XXX)\b/.test(line);
}

/** A mark that says nothing further, or only that the text is still to be written. */
const BARE_MARK = new RegExp(
  "^(?!#+\\s)[^\\p{L}\\p{N}]*(?:TODO|FIXME|XXX|TBD)\\b[\\s:.]*" +
    "(?:write|describe|explain|document|fill in|complete|add)?" +
    "(?: ?(?:this|it|me|here|docs?|documentation|text|later))*[^\\p{L}\\p{N}]*$",
  "iu",
);

/** Whether a line of a document stands in for a text: in prose every other mark may be what the text is about. */
export function isBareMark(line: string): boolean {
  return BARE_MARK.test(line);
}
