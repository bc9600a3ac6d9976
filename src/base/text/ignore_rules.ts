/**
 * Rules that leave files out, as a `.gitignore` writes them: the last rule that fits decides, `!` takes a path in again, and
 * nothing below a folder that is left out can come in again. Each rule knows the file and the line that it is from, and what
 * is no rule is a fault with its reason. Pure.
 *
 * A clone may hold any pattern, and one with many stars would keep a plain regular expression busy for ever: the globs of
 * `glob.ts` are bounded, those of the package `ignore` are not.
 */
import { parseGlob } from "./glob.ts";

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
 * import { findIgnoring, readIgnoreRules } from "./ignore_rules.ts";
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
export function toIgnoreNotice({ source, line, pattern, reason }: IgnoreFault): string {
  return `The pattern "${pattern}" of ${source}, line ${line}, is passed over: ${reason}.`;
}
