/**
 * Names of symbols as callers write them: plain, qualified, with a sigil; how near two names are, and which definitions
 * are nearest to a name. What is said of a name that nothing nearby bears.
 */
import type { Found, IndexView, SymbolHit } from "../../index/read/view.ts";
import { convertSymbolToTag } from "../index_access.ts";
import { findNearest } from "../../base/text/nearest.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import { foldName } from "../../analysis/tokens.ts";
import type { TextSearchContext } from "../../backends/live_context.ts";
import type { ScopeInput } from "../scope.ts";
import { resolveLimits } from "../scope.ts";
import type { Tag } from "../../language/kinds.ts";
import { isText, languageOfPath } from "../../language/languages.ts";
import type { NameMatch } from "../explorer.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { say, tool } from "../../base/text/words.ts";

/** Most definitions of one name that are followed. */
const MAX_DEFINITIONS = 5_000;

/**
 * The definitions of a name, plain or qualified (`Class.method`), in the order of their places; none where it is no name.
 *
 * @param limit most definitions of a plain name that are given; `total` counts all.
 */
export function findExactDefinitions(
  view: IndexView,
  symbol: string,
  limit = MAX_DEFINITIONS,
): Found<SymbolHit> {
  const parsed = parseSymbolName(symbol);
  if (parsed.kind === "refused") return { hits: [], total: 0 };
  const { value } = parsed;
  const names = new Set([value.whole, value.name]);
  if (value.scope.length === 0 && names.size === 1) {
    return view.findSymbols({ name: value.name, limit });
  }
  const hits = [...names].flatMap((name) => view.findSymbols({ name, limit: MAX_DEFINITIONS }).hits)
    .filter((hit) => isInScope(convertSymbolToTag(hit), value));
  return { hits, total: hits.length };
}

/** The files of a question without its path and its language. */
export interface UnlimitedScope {
  /** Whether a file would belong to the question. */
  readonly covers: (path: string) => boolean;
  /** The limits that were taken off, in words. */
  readonly limits: string;
}

/** Places that one notice names. */
const MAX_NAMED = 3;

/** Takes path and language off a question; null where it has neither. */
export async function removeScopeLimits(
  context: TextSearchContext,
  { path, language, ...rest }: ScopeInput,
): Promise<UnlimitedScope | null> {
  const limits = [
    ...path === undefined || path === "." ? [] : [`"${path}"`],
    ...language === undefined ? [] : [`files of ${language}`],
  ].join(" and ");
  if (limits === "") return null;
  const all = await resolveLimits(context, rest);
  return all.kind === "refused" ? null : { covers: all.covers, limits };
}

/** Says that a name is not within the limits of the question, and where it is. */
export function formatElsewhereNotice(
  name: string,
  { limits }: UnlimitedScope,
  { verb, places }: {
    readonly verb: "defined" | "named";
    readonly places: readonly { readonly path: string; readonly line: number }[];
  },
): string {
  const shown = places.slice(0, MAX_NAMED).map(({ path, line }) => `${path}:${line}`);
  const more = places.length > MAX_NAMED ? ", …" : "";
  const count = formatCount(places.length, "place", "places");
  return `"${name}" is not ${verb} in ${limits}; ${count} elsewhere: ${shown.join(", ")}${more}.`;
}

/** Letters that a mistyped name is taken to have right. */
const SURE_LETTERS = 2;
const MOST_LIKE = 2_000;

/** Says which names begin alike and differ little from one that stands nowhere; none where no name does. */
export function formatSpellingNotices(view: IndexView, wanted: string): readonly string[] {
  const begin = foldName(wanted).slice(0, SURE_LETTERS);
  if (begin.length < SURE_LETTERS) return [];
  const { hits } = view.findSymbols({ name: begin, match: "prefix", limit: MOST_LIKE });
  const names = hits.filter(({ path }) => isCodePath(path)).map((hit) => hit.name);
  if (names.includes(wanted)) return [];
  const near = findNearest(wanted, names, { hasShortForms: false });
  return near.length === 0
    ? []
    : [`Nothing is called "${wanted}". Perhaps you mean ${near.join(" or ")}.`];
}

/** The nearest definitions. */
export interface Nearest<T extends Tag> {
  readonly match: NameMatch;
  readonly tags: readonly T[];
  /** Places of the same plain name, whatever holds them. */
  readonly sameNamed: number;
}

/** The nearest definitions, if any, and what the caller should know of the others. */
export interface NearestFound<T extends Tag> {
  readonly nearest?: Nearest<T>;
  readonly notices: readonly string[];
}

/** How near the name of a definition is to the wanted one. */
export type CompareNames = (found: string, wanted: SymbolName) => NameMatch | undefined;

/** False for files of data and prose: each key of a data file would otherwise count as a definition of that name. */
export function isCodePath(path: string): boolean {
  return !isText(languageOfPath(path));
}

/** Exact names first, then other cases, then names that hold it; one tag a place, none merged. */
export function pickNearest<T extends Tag>(
  tags: readonly T[],
  wanted: SymbolName,
  compare: CompareNames = compareNames,
): NearestFound<T> {
  const notices: string[] = [];
  const byMatch: Record<NameMatch, T[]> = { exact: [], "case_insensitive": [], "sub_word": [] };
  for (const tag of tags) {
    const match = compare(tag.name, wanted);
    if (match !== undefined) byMatch[match].push(tag);
  }
  for (const match of ["exact", "case_insensitive", "sub_word"] as const) {
    const named = byMatch[match];
    const inScope = keepBestOfPlace(named.filter((tag) => isInScope(tag, wanted)));
    const words = inScope.filter((tag) => match !== "sub_word" || beginsWord(tag.name, wanted));
    const chosen = words.length > 0 ? words : inScope;
    const sameNamed = keepBestOfPlace(named).length;
    if (chosen.length > 0) return { nearest: { match, tags: chosen, sameNamed }, notices };
    if (match === "exact" && named.length > 0) {
      notices.push(
        `"${wanted.name}" is defined ${sameNamed} times, but not in ${
          wanted.scope.join(".")
        }; ask for "${wanted.name}" alone to see them.`,
      );
    }
  }
  return { notices };
}

/**
 * One tag a place: parsers report a struct and its typedef, a getter and its setter, or a function under
 * the object that it is put into. The one that tells most stands for the place.
 */
function keepBestOfPlace<T extends Tag>(tags: readonly T[]): readonly T[] {
  const places = new Map<string, T>();
  for (const tag of tags) {
    const key = JSON.stringify([tag.path, tag.line, tag.name]);
    const known = places.get(key);
    if (known === undefined || countDetails(tag) > countDetails(known)) places.set(key, tag);
  }
  return [...places.values()];
}

function countDetails({ endLine, signature, scope }: Tag): number {
  return Number(endLine !== undefined) * 4 + Number(signature !== undefined) * 2 +
    Number(scope !== undefined);
}

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
    problem: makeProblem("invalid_symbol", message, {
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
  const parts = splitName(bare.slice(sigil.length));
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
  const holders = splitName(definition.scope ?? "").map(stripSigil);
  const own = splitName(stripSigil(definition.name)).slice(0, -1);
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

/** The parts of a qualified name, however the language joins them. */
export function splitName(name: string): string[] {
  return name.split(/::|->|[.#\\]/).filter((part) => part !== "");
}

function stripSigil(name: string): string {
  return name.replace(/^(?:--|[.#@%$:])+/, "");
}

function lastPart(name: string): string {
  return name.slice(
    Math.max(name.lastIndexOf("."), name.lastIndexOf("\\"), name.lastIndexOf(":")) + 1,
  );
}
