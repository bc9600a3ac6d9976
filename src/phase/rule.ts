/** What a rule of a stage is, and the checks that several rules share. Pure. */
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import type { Facts } from "./facts.ts";
import type { PayloadOf } from "./payloads.ts";
import type { Stage } from "./phases.ts";
import type { Effect, SessionState } from "./state.ts";
import type { Outcome } from "./transitions.ts";

/** What a rule may look at. */
export interface RuleContext {
  readonly state: SessionState;
  readonly facts: Facts;
}

/** An accepted payload: where it leads, what it changes, what has to be done for it. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly patch?: Partial<SessionState>;
  readonly effects?: readonly Effect[];
  /** Fields of the reply beside those of every reply. */
  readonly reply?: Readonly<Record<string, unknown>>;
}

/** A verdict, or everything that is wrong. */
export type RuleResult = Verdict | { readonly problems: readonly Problem[] };

/** The rule of one stage. */
export type Rule<S extends Stage> = (payload: PayloadOf<S>, context: RuleContext) => RuleResult;

/** Problems of paths that must exist inside the project. */
export function checkPaths(paths: readonly string[], at: string, facts: Facts): Problem[] {
  return paths.flatMap((path, index): readonly Problem[] => {
    const fact = facts.paths?.[path] ?? "missing";
    if (fact === "file" || fact === "folder") return [];
    const where = paths.length > 1 || at.endsWith("s") ? `${at}[${index}]` : at;
    return fact === "outside"
      ? [toProblem("path_outside", `"${path}" lies outside the project`, {
        at: where,
        hint: "Name a file inside the project, relative to its root.",
        path,
      })]
      : [toProblem("path_not_found", `"${path}" does not exist`, {
        at: where,
        hint: "Name files that exist; search_files finds them.",
        path,
      })];
  });
}

/**
 * The pattern of a path or glob of the project; null when it is none.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { globToRegExp } from "./rule.ts";
 * equal(globToRegExp("src/**")?.test("src/a/b.ts"), true);
 * equal(globToRegExp("src/*.ts")?.test("src/a/b.ts"), false);
 * equal(globToRegExp("../x"), null);
 * ```
 */
export function globToRegExp(glob: string): RegExp | null {
  if (glob.startsWith("/") || glob.includes("\0") || glob.split("/").includes("..")) return null;
  const path = glob.replace(/^\.\//, "");
  const source = path.replaceAll(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    return part.replaceAll(/[\\^$.|+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "su");
}
