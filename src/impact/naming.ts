/**
 * Files that belong to a target by their names alone: its tests, factories and seeders, in every style of
 * writing names (`cart_service`, `cart-service`, `CartService`, `cartServices`).
 */
import type { AffectedFile } from "./affected.ts";
import { languageOfPath } from "../language/languages.ts";
import { parseTestName } from "../language/test_names.ts";
import { splitIdentifier } from "../analysis/tokens.ts";

/** Languages of documents and data. */
const OTHER: ReadonlySet<string> = new Set(["Markdown", "JSON", "YAML", "TOML"]);

/** Whether a file is of a language of code. */
export function isCode(path: string): boolean {
  const language = languageOfPath(path);
  return language !== undefined && !OTHER.has(language.name);
}

/** The name of a file without its endings. */
export function fileStem(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.replace(/\.blade\.php$|\.d\.[mc]?ts$|\.[^.]+$/, "").replace(/^_(?!_)/, "");
}

/** Files by what their names say they are. */
export interface NamingMatches {
  readonly tests: readonly string[];
  readonly factories: readonly string[];
  readonly seeders: readonly string[];
}

interface Convention {
  readonly folder: RegExp;
  /** Words round the name of the target. */
  readonly words: ReadonlySet<string>;
}

const FACTORY: Convention = {
  folder: /(?:^|\/)(?:[\w-]*[_-])?(?:factory|factories|fixtures?)\//i,
  words: new Set(["factory", "factories", "fixture", "fixtures"]),
};
const SEEDER: Convention = {
  folder: /(?:^|\/)(?:seed|seeds|seeders?)\//i,
  words: new Set(["seeder", "seeders", "seed", "seeds"]),
};
/** Names that say nothing of what a file is about: it is called by its folder. */
const ENTRY = new Set(["index", "mod", "main", "lib", "init", "__init__", "page", "route"]);

/** Finds files named for the targets; a target is never named for itself. */
export function findNamed(
  targets: readonly string[],
  files: readonly string[],
): NamingMatches {
  const own = new Set(targets);
  const bases = new Set(targets.flatMap((path) => {
    const base = baseFormOf(path);
    return base === "" ? [] : [base];
  }));
  const table = buildNameTable(files);
  const take = (kind: keyof NameTable) => {
    const found = pick(table[kind], bases).filter((path) => !own.has(path));
    for (const path of found) own.add(path);
    return found;
  };
  const [tests, factories, seeders] = [take("tests"), take("factories"), take("seeders")];
  return { tests: preferExact(tests, targets), factories, seeders };
}

/** Tests that are named for one of the symbols (`Type.member` for its last part, and for its type). */
export function findTestsOf(
  symbols: readonly string[],
  files: readonly string[],
): readonly string[] {
  const forms = new Set(symbols.flatMap((name) => name.split(".").slice(-2)).map(normalizeName));
  return pick(buildNameTable(files).subjects, forms);
}

/** A path, and its place in the list. */
interface Listed {
  readonly path: string;
  readonly at: number;
}

type ByForm = ReadonlyMap<string, readonly Listed[]>;

/** The files of a list whose names say that they belong to another one, by the form of its name. */
interface NameTable {
  readonly tests: ByForm;
  /** Tests whose name says more than that they are some. */
  readonly subjects: ByForm;
  readonly factories: ByForm;
  readonly seeders: ByForm;
}

/** The form under which a file stands in each part of the table. */
type NameFacts = Readonly<Partial<Record<keyof NameTable, string>>>;

/** Taking names apart takes a large project a third of a second: it is done once for a list, and for each path that is new. */
const tables = new WeakMap<readonly string[], NameTable>();
let known: ReadonlyMap<string, NameFacts> = new Map();

function buildNameTable(files: readonly string[]): NameTable {
  const made = tables.get(files);
  if (made !== undefined) return made;
  const facts = new Map<string, NameFacts>();
  const parts = { tests: new Map(), subjects: new Map(), factories: new Map(), seeders: new Map() };
  for (const [at, path] of files.entries()) {
    const own = known.get(path) ?? readNameFacts(path);
    facts.set(path, own);
    for (const [kind, form] of Object.entries(own) as [keyof NameTable, string][]) {
      const listed = parts[kind].get(form);
      if (listed === undefined) parts[kind].set(form, [{ path, at }]);
      else listed.push({ path, at });
    }
  }
  known = facts;
  tables.set(files, parts);
  return parts;
}

const NO_FACTS: NameFacts = {};

function readNameFacts(path: string): NameFacts {
  const stem = fileStem(path);
  const test = parseTestName(path);
  const factories = findFollowed(path, stem, FACTORY);
  const seeders = findFollowed(path, stem, SEEDER);
  if (test === null && factories === null && seeders === null) return NO_FACTS;
  const subject = test?.subject ?? null;
  return {
    // A test is named for its subject; in a folder of tests the plain name will do.
    ...(test === null ? {} : { tests: normalizeName(subject ?? stem) }),
    ...(subject === null ? {} : { subjects: normalizeName(subject) }),
    ...(factories === null ? {} : { factories }),
    ...(seeders === null ? {} : { seeders }),
  };
}

/** The paths with one of the forms, in the order of the list. */
function pick(byForm: ByForm, forms: ReadonlySet<string>): readonly string[] {
  const listed = [...forms].flatMap((form) => byForm.get(form) ?? []);
  return listed.sort((one, other) => one.at - other.at).map(({ path }) => path);
}

/** `users_spec` tests `user` only where nothing is called `user_spec`. */
function preferExact(tests: readonly string[], targets: readonly string[]): readonly string[] {
  const bases = new Set(targets.map((path) => splitIdentifier(baseNameOf(path)).join("")));
  const exact = tests.filter((path) => {
    const name = parseTestName(path)?.subject ?? fileStem(path);
    return bases.has(splitIdentifier(name).join(""));
  });
  return exact.length > 0 ? exact : tests;
}

/** The form of what a file follows by the convention; null where it follows nothing. */
function findFollowed(path: string, stem: string, { folder, words }: Convention): string | null {
  const parts = splitIdentifier(stem);
  const plain = parts.filter((word) => !words.has(word));
  const isNamed = plain.length < parts.length || folder.test(path);
  return isNamed ? normalizeName(plain.join("_")) : null;
}

/**
 * The name of a file in a form that all styles share: words in the singular, without separators.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { normalizeName } from "./naming.ts";
 * const names = ["cart_service", "cart-services", "CartService", "cartService", "CART_SERVICE"];
 * deepEqual([...new Set(names.map(normalizeName))], ["cartservice"]);
 * ```
 */
export function normalizeName(name: string): string {
  return splitIdentifier(name).map(singularize).join("");
}

function singularize(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ses|xes|ches|shes)$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word)
    ? word.slice(0, -1)
    : word;
}

function baseFormOf(path: string): string {
  return normalizeName(baseNameOf(path));
}

function baseNameOf(path: string): string {
  const stem = fileStem(path);
  return ENTRY.has(stem) ? path.split("/").at(-2) ?? "" : stem;
}

/** The tests, and behind them those that are named for a file which must be verified: no link may lead to these. */
export function addTestsOf(
  files: readonly AffectedFile[],
  tests: readonly string[],
  list: readonly string[],
): readonly string[] {
  const must = files.filter((file) => file.isMust && file.group === undefined && !file.isTest);
  if (must.length === 0) return tests;
  return [...new Set([...tests, ...findNamed(must.map(({ path }) => path), list).tests])];
}
