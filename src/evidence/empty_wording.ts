/** Statements that stand in for work, told by their text: refusals, logs, and values that say nothing. Pure. */

/** What a statement does for the function that it is in. */
export type StatementKind = "real" | "noop" | "placeholder" | "trivial";

/** Wordings of "not implemented", also inside names such as NotImplementedError. */
const NOT_IMPLEMENTED =
  /not[\s_-]*(?:yet[\s_-]*)?(?:been[\s_-]*)?implemented|un-?implemented|to[\s_-]be[\s_-]implemented|implement[\s_-](?:me|this)\b|not[\s_-]supported[\s_-]yet|(?:missing|no)[\s_-]implementation|未実装/i;

/** Marks of unfinished work. In lower case only where nothing else is said: a to-do may be the matter. */
const MARKS = /\b(?:TODO|FIXME|XXX)\b|["'`]\s*(?:todo|fixme|xxx)\s*(?:[:.!]|["'`])/;

/** How statements begin that end a function without a result. */
const REFUSES =
  /^(?:throw|raise|panic|@panic|@compileError|fatalError|preconditionFailure|assertionFailure|error|errorWithoutStackTrace|die|abort|exit|assert|fail|trigger_error|Err|Left|\{:error|(?:std::)?(?:abort|terminate)|(?:Promise|Future|Task)\.\w+|return (?:throw|Promise\.reject|Err\b|Left\b|Result\.failure|error\b))/;

/** How statements begin that only tell somebody. */
const TELLS =
  /^(?:console\.|e?print|debugPrint|fmt\.\w*[Pp]rint|log(?:ger|ging)?\b|puts\b|echo\b|f?printf\b|error_log|NSLog|os_log|IO\.|System\.(?:out|err)\.|Console\.|std::c(?:out|err|log)\b|cout\b|cerr\b|warn(?:ing)?s?\b|dbg!|std\.(?:debug|log)\.|Logger\.|(?:this|self|\$this)[.>-]+(?:log|logger)\b|putStrLn|e?println)/;

/** Calls that exist for nothing else. */
const STANDS_IN =
  /^(?:(?:std::|core::)?(?:todo|unimplemented)!|TODO\s*\(|\?\?\?$|not_?implemented\s*\()/i;

/** An error of such a wording that is returned: a name or a quoted text. */
const RETURNS_REFUSAL =
  /^return\b.*(?:["'`][^"'`]*(?:not (?:yet )?implemented|unimplemented)|:not_implemented|\bErrNotImplemented|\bcodes\.Unimplemented)/i;

const ATOM =
  "(?:null|None|nil|NULL|nullptr|undefined|void 0|\\.none|\\.null|Nothing|Unit|default(?:\\([\\w?]*\\))?|dict\\(\\)|list\\(\\)|array\\(\\)|Ok\\(\\(\\)\\)|(?:const )?(?:<[\\w, ]*>)?\\{ ?\\}|(?:const )?(?:<[\\w, ]*>)?\\[ ?\\]|\\( ?\\)|%\\{ ?\\})";
const TRIVIAL = new RegExp(`^${ATOM}$`);
/** Several results of which one says nothing and the others are zero. */
const TRIVIAL_LIST = new RegExp(
  `^(?=.*\\bnil\\b)(?:(?:${ATOM}|""|0|false|[\\w.]+\\{\\})(?:, ?|$)){2,}$`,
);

/** Statements that only silence a warning about an unused name. */
const DISCARDS = /^(?:\(void\) ?\w+|_ ?= ?&?\w+|let _\w* ?= ?&?\w+|void \w+)$/;

/**
 * What the text of a statement does, comments taken out.
 *
 * @param noop what does nothing in the language, beside an empty statement.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
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
  const value = toInner(statement.replace(/^return\s+/, ""));
  if (isStandIn(value)) return "placeholder";
  return TRIVIAL.test(value) || TRIVIAL_LIST.test(value) ? "trivial" : "real";
}

function isStandIn(statement: string): boolean {
  if (STANDS_IN.test(statement) || RETURNS_REFUSAL.test(statement)) return true;
  if (!REFUSES.test(statement) && !TELLS.test(statement)) return false;
  return NOT_IMPLEMENTED.test(statement) || MARKS.test(statement);
}

/** The value inside one pair of round brackets. */
function toInner(value: string): string {
  const inner = /^\(\s*([^()]+)\s*\)$/.exec(value)?.[1];
  return (inner ?? value).trim();
}

/** Whether a line without comment signs is a mark of unfinished work and nothing else. */
export function isMark(line: string): boolean {
  return /^\W*(?:TODO|FIXME|XXX)\b/.test(line);
}
