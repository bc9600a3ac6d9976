/**
 * Turns a pattern in the syntax of ripgrep into a JavaScript expression that matches the same lines,
 * or says why it cannot. Pure.
 */
import { escapePattern } from "../base/text/plain_text.ts";
import type { TextQuery } from "./text_query.ts";

/** One branch of a group, or of the whole pattern. */
interface Branch {
  /** Parts that take at least one character. */
  required: number;
  /** Those of them that repeat. */
  requiredLoops: number;
  /** Parts that repeat. */
  loops: number;
  /** A repeated dot lies in it, which also takes what other parts match. */
  hasDotLoop: boolean;
}

/** So often repeated counts as repeated without end (guessed): each turn doubles the time. */
const MANY = 8;
const GROUP = /\((?:\?(?:P?<\w+>|[a-z-]*:))?/y;
const ATOM = /\\(?:[pPx]\{[^}]*\}|[^])|\[\^?\]?(?:\\[^]|[^\]\\])*\]?|[^]/y;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
const NO_WIDTH = /^(?:\^|\$|\\[bBAz])$/;
/** What can follow a group without a text that may be missing. */
const END = /^[)*+?]*$/;

/**
 * A repetition whose body can be divided between its turns in several ways, such as `(a+)+`, where something follows that
 * may fail; null where there is none. At the end of a pattern it is matched at once.
 */
export function findRunaway(
  pattern: string,
  { isFollowed = false }: { readonly isFollowed?: boolean } = {},
): string | null {
  let at = 0;
  let found: string | null = null;
  const take = (form: RegExp) => {
    form.lastIndex = at;
    const text = form.exec(pattern)?.[0] ?? "";
    at += text.length;
    return text;
  };
  const readBranches = (): readonly Branch[] => {
    let branch = emptyBranch();
    const branches = [branch];
    for (; at < pattern.length && pattern[at] !== ")";) {
      if (pattern[at] === "|") branches.push(branch = emptyBranch()), at++;
      else readPart(branch);
    }
    return branches;
  };
  const readPart = (branch: Branch) => {
    const from = at;
    const inner = take(GROUP) === "" ? null : readBranches();
    const atom = inner === null ? take(ATOM) : pattern.slice(from, ++at);
    const quantifier = take(QUANTIFIER);
    const repeats = isLoop(quantifier);
    addPart(branch, { atom, inner, quantifier });
    const mayFail = isFollowed || !END.test(pattern.slice(at));
    if (repeats && mayFail && inner?.some(isAmbiguous) === true) found ??= pattern.slice(from, at);
  };
  for (; at < pattern.length; at++) readBranches();
  return found;
}

function emptyBranch(): Branch {
  return { required: 0, requiredLoops: 0, loops: 0, hasDotLoop: false };
}

function addPart(branch: Branch, { atom, inner, quantifier }: {
  readonly atom: string;
  readonly inner: readonly Branch[] | null;
  readonly quantifier: string;
}): void {
  const repeats = isLoop(quantifier) || inner?.some(isAmbiguous) === true;
  const isEmpty = /^(?:[*?]|\{0)/.test(quantifier) ||
    (inner === null ? NO_WIDTH.test(atom) : inner.some(({ required }) => required === 0));
  if (repeats) branch.loops++;
  if (!isEmpty) branch.required++;
  if (repeats && !isEmpty) branch.requiredLoops++;
  branch.hasDotLoop ||= (atom === "." && isLoop(quantifier)) ||
    inner?.some(({ hasDotLoop }) => hasDotLoop) === true;
}

function isLoop(quantifier: string): boolean {
  const [, most] = /^\{\d+,?(\d*)\}/.exec(quantifier) ?? [];
  return /^[*+]|,\}/.test(quantifier) || Number(most ?? 0) > MANY;
}

/** Whether two turns of the branch can also be read as one. */
function isAmbiguous({ required, requiredLoops, loops, hasDotLoop }: Branch): boolean {
  return hasDotLoop || (loops > 0 && (required === 0 || (required === 1 && requiredLoops === 1)));
}

/** An expression, or the reason why there is none. */
export type ScriptPattern =
  | { readonly kind: "pattern"; readonly expression: RegExp }
  | { readonly kind: "invalid"; readonly reason: string; readonly position?: number };

const WORD = "\\p{L}\\p{M}\\p{N}_";
const OUTSIDE: Readonly<Record<string, string>> = {
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  d: "\\p{Nd}",
  D: "\\P{Nd}",
  b: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  B: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  A: "^",
  z: "$",
  a: "\\x07",
};
const INSIDE: Readonly<Record<string, string>> = { w: WORD, d: "\\p{Nd}", D: "\\P{Nd}" };
const SAME = "sStrfvxuPp0123456789k^$\\.*+?()[]{}|/";

/** Builds the expression of one pattern of the query; it is global and knows Unicode. */
export function compileScriptPattern(pattern: string, query: TextQuery): ScriptPattern {
  let flags = query.caseSensitive ? "gu" : "giu";
  let source = pattern;
  if (query.fixed) source = escapePattern(pattern);
  else {
    const runaway = findRunaway(pattern, { isFollowed: query.wholeWord });
    if (runaway !== null) {
      const reason = `"${runaway}" divides a text in countless ways, and only ripgrep can try ` +
        "them; repeat once, such as a+ for (a+)+";
      return { kind: "invalid", reason };
    }
    const inline = /^\(\?([isu]+)\)/.exec(pattern);
    if (inline !== null) {
      if (inline[1]?.includes("i") === true) flags = "giu";
      source = pattern.slice(inline[0].length);
    }
    const translated = translate(source, inline?.[0].length ?? 0);
    if (translated.kind === "invalid") return translated;
    source = translated.source;
  }
  if (query.wholeWord) source = `(?<![${WORD}])(?:${source})(?![${WORD}])`;
  try {
    return { kind: "pattern", expression: new RegExp(source, flags) };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, "") : "";
    return { kind: "invalid", reason: reason.toLowerCase() };
  }
}

type Translated =
  | { readonly kind: "source"; readonly source: string }
  | { readonly kind: "invalid"; readonly reason: string; readonly position: number };

function translate(pattern: string, shift: number): Translated {
  let source = "";
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i);
    const fail = (reason: string): Translated => ({
      kind: "invalid",
      reason,
      position: shift + i + 1,
    });
    if (char === "\\") {
      const next = pattern.charAt(i + 1);
      if (next === "") return fail("the escape has nothing after it");
      if (next === "n") return fail("a match is one line, so a line break never matches");
      if (/[0-9]/.test(next)) return fail("backreferences are not supported");
      if (next === "<" || next === ">") return fail("unrecognized escape sequence; use \\b");
      const code = next === "x" ? /^\{[0-9a-fA-F]{1,6}\}/.exec(pattern.slice(i + 2)) : null;
      if (code !== null) {
        source += `\\u${code[0]}`;
        i += 1 + code[0].length;
        continue;
      }
      const escaped = translateEscape(next, inClass);
      if (escaped === undefined) return fail(`"\\${next}" is not known to the built-in scanner`);
      source += escaped;
      i++;
    } else if (inClass) {
      if (pattern.startsWith("[:", i)) {
        return fail("POSIX classes need ripgrep; use \\w, \\d or a range");
      }
      if (pattern.startsWith("&&", i)) return fail("class arithmetic needs ripgrep");
      if (char === "]") inClass = false;
      source += char === "[" ? "\\[" : char;
    } else if (char === "[") {
      const head = /^\[\^?\]?/.exec(pattern.slice(i))?.[0] ?? "[";
      source += head.replace("]", "\\]");
      i += head.length - 1;
      inClass = true;
    } else if (pattern.startsWith("(?P<", i)) {
      source += "(?<";
      i += 3;
    } else if (/^\(\?(?:[=!]|<[=!])/.test(pattern.slice(i, i + 4))) {
      return fail("look-around, including look-ahead and look-behind, is not supported");
    } else if (/^\(\?[a-zA-Z-]+[:)]/.test(pattern.slice(i, i + 8))) {
      return fail("flags inside the pattern need ripgrep, save (?i) at its start");
    } else if (char === "]" || (char === "}" && !/\{\d*,?\d*$/.test(pattern.slice(0, i)))) {
      source += `\\${char}`;
    } else source += char;
  }
  return { kind: "source", source };
}

function translateEscape(next: string, inClass: boolean): string | undefined {
  const mapped = (inClass ? INSIDE : OUTSIDE)[next];
  if (mapped !== undefined) return mapped;
  if (SAME.includes(next) || (inClass && next === "-")) return `\\${next}`;
  // Other signs may be escaped in ripgrep; JavaScript wants them bare.
  return /[\p{L}\p{N}]/u.test(next) ? undefined : next;
}
