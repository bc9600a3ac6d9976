/**
 * Files that belong to a target by their names alone: its tests, factories and seeders, in every style of
 * writing names (`cart_service`, `cart-service`, `CartService`, `cartServices`).
 */
import { toTestName } from "../language/mod.ts";
import { splitIdentifier } from "../analysis/mod.ts";
import { toStem } from "./file_stem.ts";

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
    const base = toBase(path);
    return base === "" ? [] : [base];
  }));
  const tests: string[] = [];
  const factories: string[] = [];
  const seeders: string[] = [];
  if (bases.size === 0) return { tests, factories, seeders };
  for (const path of files) {
    if (own.has(path)) continue;
    const test = toTestName(path);
    if (isTestOf(path, test?.subject ?? null, bases) && test !== null) tests.push(path);
    else if (follows(path, FACTORY, bases)) factories.push(path);
    else if (follows(path, SEEDER, bases)) seeders.push(path);
  }
  return { tests: preferExact(tests, targets), factories, seeders };
}

/** Tests that are named for one of the symbols (`Type.member` for its last part, and for its type). */
export function findTestsOf(
  symbols: readonly string[],
  files: readonly string[],
): readonly string[] {
  const forms = new Set(symbols.flatMap((name) => name.split(".").slice(-2)).map(toForm));
  return files.filter((path) => {
    const subject = toTestName(path)?.subject ?? null;
    return subject !== null && forms.has(toForm(subject));
  });
}

/** `users_spec` tests `user` only where nothing is called `user_spec`. */
function preferExact(tests: readonly string[], targets: readonly string[]): readonly string[] {
  const bases = new Set(targets.map((path) => splitIdentifier(toBaseName(path)).join("")));
  const exact = tests.filter((path) => {
    const name = toTestName(path)?.subject ?? toStem(path);
    return bases.has(splitIdentifier(name).join(""));
  });
  return exact.length > 0 ? exact : tests;
}

/** A test is named for its subject; in a folder of tests the plain name will do. */
function isTestOf(path: string, subject: string | null, bases: ReadonlySet<string>): boolean {
  return bases.has(toForm(subject ?? toStem(path)));
}

function follows(path: string, { folder, words }: Convention, bases: ReadonlySet<string>): boolean {
  const parts = splitIdentifier(toStem(path));
  const plain = parts.filter((word) => !words.has(word));
  if (!bases.has(toForm(plain.join("_")))) return false;
  return plain.length < parts.length || folder.test(path);
}

/**
 * The name of a file in a form that all styles share: words in the singular, without separators.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { toForm } from "./naming.ts";
 * const names = ["cart_service", "cart-services", "CartService", "cartService", "CART_SERVICE"];
 * deepEqual([...new Set(names.map(toForm))], ["cartservice"]);
 * ```
 */
export function toForm(name: string): string {
  return splitIdentifier(name).map(toSingular).join("");
}

function toSingular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ses|xes|ches|shes)$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word)
    ? word.slice(0, -1)
    : word;
}

function toBase(path: string): string {
  return toForm(toBaseName(path));
}

function toBaseName(path: string): string {
  const stem = toStem(path);
  return ENTRY.has(stem) ? path.split("/").at(-2) ?? "" : stem;
}
