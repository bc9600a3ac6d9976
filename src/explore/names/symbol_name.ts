/** Names of symbols as callers write them: plain, qualified, with a sigil; and how near two names are. Pure. */
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import { say, tool } from "../../base/text/words.ts";
import type { NameMatch } from "../explorer.ts";

/** A name taken apart. */
export interface SymbolName {
  /** The last part, which is what is looked for in files. */
  readonly name: string;
  /** The parts before it, outermost first; empty for a plain name. */
  readonly scope: readonly string[];
  /** As it was given. */
  readonly whole: string;
}

/** A name, or why it is none. */
export type SymbolNameResult =
  | { readonly kind: "name"; readonly value: SymbolName }
  | { readonly kind: "refused"; readonly problem: Problem };

const MAX_NAME_CHARS = 300;

/** Reads `Class.method`, `ns::f`, `Class#method`, `ns\f`, `obj->field`, `.css-class`, `save!`, `$x`. */
export function parseSymbolName(input: string): SymbolNameResult {
  const text = input.trim();
  const refuse = (message: string): SymbolNameResult => ({
    kind: "refused",
    problem: toProblem("invalid_symbol", message, {
      at: "symbol",
      hint: say`Give one name, plain or qualified, such as \`UserService.save\`; ${
        tool("search_text")
      } finds other text.`,
    }),
  });
  if (text === "") return refuse("The symbol is empty");
  if (text.length > MAX_NAME_CHARS) {
    return refuse(`The symbol is longer than ${MAX_NAME_CHARS} characters`);
  }
  // deno-lint-ignore no-control-regex -- control characters are what is refused
  if (/[\u0000-\u001f]/.test(text)) {
    return refuse("The symbol holds a line break or control character");
  }
  const bare = text.replace(/\(\)$/, "");
  const sigil = /^(?:--|[.#@%$:]|\\)*/.exec(bare)?.[0] ?? "";
  const parts = bare.slice(sigil.length).split(/::|->|\.|#|\\/).filter((part) => part !== "");
  const name = parts.at(-1);
  if (name === undefined || !/[\p{L}\p{N}_]/u.test(name)) return refuse(`"${text}" holds no name`);
  const isPlain = parts.length === 1;
  return {
    kind: "name",
    value: { name, scope: parts.slice(0, -1), whole: isPlain ? bare : bare.slice(sigil.length) },
  };
}

/** How near the name of a definition is to the name asked for; undefined: not at all. */
export function compareNames(found: string, wanted: SymbolName): NameMatch | undefined {
  const bare = stripSigil(found);
  if (found === wanted.whole || bare === wanted.name || lastPart(bare) === wanted.name) {
    return "exact";
  }
  const lower = bare.toLowerCase();
  const lowerWanted = wanted.name.toLowerCase();
  if (lower === lowerWanted || lastPart(lower) === lowerWanted) return "case_insensitive";
  return lower.includes(lowerWanted) ? "sub_word" : undefined;
}

/** Whether the wanted name begins a word inside the found one (`User` in `getUserName`, not in `abuser`). */
export function beginsWord(found: string, wanted: SymbolName): boolean {
  const at = found.toLowerCase().indexOf(wanted.name.toLowerCase());
  if (at <= 0) return at === 0;
  const before = found.charAt(at - 1);
  const first = found.charAt(at);
  return !/[\p{L}\p{N}]/u.test(before) || (/\p{Lu}/u.test(first) && !/\p{Lu}/u.test(before));
}

/** Whether a definition lies in the scope that the name was qualified with. */
export function isInScope(
  definition: { readonly name: string; readonly scope?: string; readonly path: string },
  wanted: SymbolName,
): boolean {
  if (wanted.scope.length === 0 || definition.name === wanted.whole) return true;
  const holders = splitScope(definition.scope ?? "").map(stripSigil);
  const own = splitScope(stripSigil(definition.name)).slice(0, -1);
  const all = [...holders, ...own].map((part) => part.toLowerCase());
  const scope = wanted.scope.map((part) => part.toLowerCase());
  if (endsWith(all, scope)) return true;
  // A module is often its file: `users.load` in Python is `load` in users.py.
  const file = definition.path.replace(/\.[^/]*$/, "").toLowerCase().split("/");
  // A package gives out what its files define: `click.style` stands in click/termui.py.
  if (all.length === 0 && scope.length === 1 && file.slice(0, -1).includes(scope[0] ?? "")) {
    return true;
  }
  return endsWith([...file, ...all], scope) || (scope.length > 1 && endsWith(all, scope.slice(1)) &&
    file.includes(scope[0] ?? ""));
}

function endsWith(all: readonly string[], tail: readonly string[]): boolean {
  return all.length >= tail.length &&
    tail.every((part, i) => all[all.length - tail.length + i] === part);
}

function splitScope(scope: string): string[] {
  return scope.split(/::|->|\.|#|\\/).filter((part) => part !== "");
}

function stripSigil(name: string): string {
  return name.replace(/^(?:--|[.#@%$:])+/, "");
}

function lastPart(name: string): string {
  return name.slice(
    Math.max(name.lastIndexOf("."), name.lastIndexOf("\\"), name.lastIndexOf(":")) + 1,
  );
}
