/**
 * Globs as regular expressions: `**`, `*`, `?`, `[..]`, `{a,b}`. Every piece is bounded by `/` or
 * the end. So no glob can make the matcher run away on the paths of a project. Pure.
 */

/** One rule. */
export interface IgnoreRule {
  /** The file that it is from, as a notice names it. */
  readonly source: string;
  /** Its line there, from 1. */
  readonly line: number;
  /** As it is written, without spaces behind it. */
  readonly pattern: string;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** The folder that it speaks of, with a `/` behind it; empty for the root. */
  readonly base: string;
  /** Whether a path below `base` fits, relative to it. */
  readonly test: (path: string) => boolean;
}

/** A line that is no rule. */
export interface IgnoreFault {
  readonly source: string;
  readonly line: number;
  readonly pattern: string;
  readonly reason: string;
}

/** What a file with rules says. */
export interface IgnoreRules {
  readonly rules: readonly IgnoreRule[];
  readonly faults: readonly IgnoreFault[];
}

/** Where rules are from, and how they are written. */
export interface IgnoreOptions {
  /** The file that they are from, as a notice names it. */
  readonly source: string;
  /** The folder that they speak of, relative to the root of the project; default the root. */
  readonly folder?: string;
  /** Whether `{a,b}` means one of both; in a `.gitignore` braces are letters. Default false. */
  readonly hasBraces?: boolean;
}

/**
 * Reads rules, one a line; empty lines and those that begin with `#` are none.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { findIgnoring, readIgnoreRules } from "./glob.ts";
 * const { rules } = readIgnoreRules("*.log\n!keep.log\n", { source: ".gitignore" });
 * equal(findIgnoring("a/b.log", rules)?.pattern, "*.log");
 * equal(findIgnoring("a/keep.log", rules), null);
 * ```
 */
export function readIgnoreRules(text: string, options: IgnoreOptions): IgnoreRules {
  const rules: IgnoreRule[] = [];
  const faults: IgnoreFault[] = [];
  const { source, folder = "", hasBraces = false } = options;
  const base = folder === "" ? "" : `${folder}/`;
  for (const [at, whole] of text.split(/\r?\n/).entries()) {
    const pattern = whole.replace(/(?<!\\)\s+$/, "");
    if (pattern === "" || pattern.startsWith("#")) continue;
    const place = { source, line: at + 1, pattern };
    const isNegated = pattern.startsWith("!");
    const isForFolders = pattern.endsWith("/");
    const body = pattern.slice(isNegated ? 1 : 0, isForFolders ? -1 : undefined);
    const glob = parseGlob(hasBraces ? body : body.replaceAll(/[{}]/g, "\\$&"));
    if (glob.kind === "invalid") faults.push({ ...place, reason: glob.reason });
    else rules.push({ ...place, isNegated, isForFolders, base, test: glob.test });
  }
  return { rules, faults };
}

/** The rule that decides about this very path, whatever holds it; null where none fits. */
export function findRule(
  path: string,
  isFolder: boolean,
  rules: readonly IgnoreRule[],
): IgnoreRule | null {
  return rules.findLast(({ base, isForFolders, test }) =>
    (isFolder || !isForFolders) && path.startsWith(base) && test(path.slice(base.length))
  ) ?? null;
}

/** The rule that leaves a file out, by its own path or by a folder that holds it; null where it belongs. */
export function findIgnoring(path: string, rules: readonly IgnoreRule[]): IgnoreRule | null {
  if (rules.length === 0) return null;
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const rule = findRule(path.slice(0, slash), true, rules);
    if (rule?.isNegated === false) return rule;
  }
  const own = findRule(path, false, rules);
  return own?.isNegated === false ? own : null;
}

/** A line that is no rule, as a notice. */
export function formatIgnoreNotice({ source, line, pattern, reason }: IgnoreFault): string {
  return `The pattern "${pattern}" of ${source}, line ${line}, is passed over: ${reason}.`;
}

/** A glob ready to use, or why it is none. */
export type GlobResult =
  | { readonly kind: "glob"; readonly test: (path: string) => boolean }
  | { readonly kind: "invalid"; readonly reason: string };

const MAX_GLOB_CHARS = 500;
// The matcher backtracks once for every star, so their number bounds the work for one path.
const MAX_STARS = 8;
const MAX_STARS_IN_PART = 3;

/** Whether the text has a wildcard; without one it is a name. */
export function isGlob(text: string): boolean {
  return /[*?[\]{}]/.test(text);
}

/**
 * Reads a glob. Without a `/` it is held against the file name, else against the whole path; with a
 * `/` at its end it takes everything below that folder.
 */
export function parseGlob(
  glob: string,
  options: { readonly ignoreCase?: boolean } = {},
): GlobResult {
  if (glob.length > MAX_GLOB_CHARS) {
    return { kind: "invalid", reason: `it is longer than ${MAX_GLOB_CHARS} characters` };
  }
  if (countStars(glob) > MAX_STARS) {
    return { kind: "invalid", reason: `it has more than ${MAX_STARS} stars` };
  }
  if (glob.split("/").some((part) => countStars(part) > MAX_STARS_IN_PART)) {
    return { kind: "invalid", reason: `a part of it has more than ${MAX_STARS_IN_PART} stars` };
  }
  let text = glob.startsWith("./") ? glob.slice(2) : glob;
  if (text.endsWith("/")) text += "**";
  const source = translateGlob(text.startsWith("/") ? text.slice(1) : text);
  if (source.kind === "invalid") return source;
  const onName = !text.includes("/");
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^(?:${source.source})$`, options.ignoreCase === true ? "iu" : "u");
  } catch {
    return { kind: "invalid", reason: "a range in brackets is not closed or runs backwards" };
  }
  return {
    kind: "glob",
    test: (path) => pattern.test(onName ? path.slice(path.lastIndexOf("/") + 1) : path),
  };
}

function countStars(glob: string): number {
  return glob.match(/\*+/g)?.length ?? 0;
}

type Source =
  | { readonly kind: "source"; readonly source: string }
  | { readonly kind: "invalid"; readonly reason: string };

function translateGlob(glob: string): Source {
  let source = "";
  let depth = 0;
  for (let i = 0; i < glob.length; i++) {
    const char = glob.charAt(i);
    if (char === "*") {
      let end = i;
      while (glob[end + 1] === "*") end++;
      const piece = translateStars(glob, i, end);
      source += piece.source;
      i = piece.last;
    } else if (char === "?") source += "[^/]";
    else if (char === "[") {
      const end = glob.indexOf("]", i + 2);
      if (end < 0) return { kind: "invalid", reason: `the "[" at ${i + 1} is not closed` };
      source += translateClass(glob.slice(i + 1, end));
      i = end;
    } else if (char === "{") {
      depth++;
      source += "(?:";
    } else if (char === "}") {
      if (depth === 0) return { kind: "invalid", reason: `the "}" at ${i + 1} was not opened` };
      depth--;
      source += ")";
    } else if (char === "," && depth > 0) source += "|";
    else if (char === "\\" && i + 1 < glob.length) source += escapeChar(glob.charAt(++i));
    else source += escapeChar(char);
  }
  if (depth > 0) return { kind: "invalid", reason: 'a "{" is not closed' };
  return { kind: "source", source };
}

function translateStars(
  glob: string,
  start: number,
  end: number,
): { source: string; last: number } {
  if (end === start) return { source: "[^/]*", last: end };
  const before = start === 0 || glob[start - 1] === "/";
  if (before && glob[end + 1] === "/") return { source: "(?:[^/]+/)*", last: end + 1 };
  return { source: ".*", last: end };
}

function translateClass(body: string): string {
  const negated = body.startsWith("!") || body.startsWith("^");
  const inner = (negated ? body.slice(1) : body).replace(/[\\\]^[&~|]/g, "\\$&");
  // A class never takes a slash, so that `[!a]` stays inside one part of the path.
  return negated ? `[^/${inner}]` : `[${inner}]`;
}

function escapeChar(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}
