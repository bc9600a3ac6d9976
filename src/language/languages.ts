/**
 * The one table of languages, made of the rows: which files they are, what the backends call them, how comments, names,
 * definitions and tests are written. A language is a row of `rows/`; one without a grammar may be one of the plain rows of `rows.ts`. Pure.
 */
import type { BodyRow, DefinitionPattern, LanguageRow, Nature } from "./language_row.ts";
import type { Family } from "./families.ts";
import { PLAIN_ROWS, ROWS } from "./rows.ts";

/** One language: its row, and what follows from it. */
export interface Language extends Omit<LanguageRow, "aliases" | "grammar" | "family" | "bodies"> {
  /** Endings without the leading dot, longest meaning first (`blade.php` beats `php`). */
  readonly extensions: readonly string[];
  /** Whole file names that belong to it, such as `Rakefile`. */
  readonly fileNames: readonly string[];
  /** Other names that callers use for it, lower case; its types in ripgrep are among them. */
  readonly aliases: readonly string[];
  /** Name of its vendored grammar in `wasm/`; null where there is none. */
  readonly grammar: string | null;
  readonly nature: Nature;
  /** The languages that import from one another by one rule; null for data and prose. */
  readonly family: Family | null;
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [string, string])[];
  readonly quotes: readonly string[];
  readonly nameChars: string;
  readonly definitions: readonly DefinitionPattern[];
  readonly bodies?: Bodies;
}

const NODE_TYPES = [
  "functions",
  "lambdas",
  "named",
  "classes",
  "blocks",
  "neutral",
  "handlers",
] as const;
type NodeTypes = typeof NODE_TYPES[number];

/** A row about bodies, with types of nodes as sets. */
export type Bodies =
  & Omit<BodyRow, NodeTypes | "comments" | "emptyClass">
  & Required<Pick<BodyRow, "comments" | "emptyClass">>
  & Readonly<Record<NodeTypes, ReadonlySet<string>>>;

function toBodies(row: BodyRow): Bodies {
  const toSet = (types = "") => new Set(types.split(" ").filter(Boolean));
  const sets = NODE_TYPES.map((name) => [name, toSet(row[name])]);
  return { comments: /comment/, emptyClass: /^/, ...row, ...Object.fromEntries(sets) };
}

function buildLanguage(row: LanguageRow): Language {
  const { name, ext, files, aliases, line = [], block = [], bodies, ...rest } = row;
  return {
    nature: "code",
    quotes: ['"', "'"],
    nameChars: "",
    ...rest,
    ext,
    name,
    ...(bodies === undefined ? {} : { bodies: toBodies(bodies) }),
    extensions: ext.split(" "),
    fileNames: files?.split(" ") ?? [],
    aliases: [...new Set([name.toLowerCase(), ...(aliases?.split(" ") ?? [])])],
    grammar: row.grammar ?? null,
    family: (row.family ?? null) as Family | null,
    lineComments: line,
    blockComments: block,
    definitions: row.forms,
  };
}

/** Every language, in the order of the table. */
export const LANGUAGES: readonly Language[] = [...ROWS, ...PLAIN_ROWS].map(buildLanguage);

/** Whether a language is data or prose, whose files do no work of their own; false for files of no known language. */
export function isText(language: Language | undefined): boolean {
  return language?.nature === "data" || language?.nature === "prose";
}

const BY_NAME = new Map(LANGUAGES.map((language) => [language.name, language]));
const BY_ENDING = new Map<string, Language>();
const BY_FILE_NAME = new Map<string, Language>();
const BY_ALIAS = new Map<string, Language>();
for (const language of LANGUAGES) {
  // The first row keeps an ending that two languages share (`h`).
  for (const ending of language.extensions) {
    if (!BY_ENDING.has(ending)) BY_ENDING.set(ending, language);
  }
  for (const name of language.fileNames) BY_FILE_NAME.set(name, language);
  for (const alias of language.aliases) BY_ALIAS.set(alias, language);
}

/** The language of a file by its name, or undefined. */
export function languageOfPath(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const byName = BY_FILE_NAME.get(name);
  if (byName !== undefined) return byName;
  let dot = name.indexOf(".");
  while (dot >= 0) {
    const language = BY_ENDING.get(name.slice(dot + 1).toLowerCase());
    if (language !== undefined) return language;
    dot = name.indexOf(".", dot + 1);
  }
  return undefined;
}

/** The language that a caller means by `name`, whatever its case, or undefined. */
export function languageByName(name: string): Language | undefined {
  return BY_ALIAS.get(name.toLowerCase());
}

/** The family of a language by its name; null for data and prose. */
export function familyOf(language: string | null): Family | null {
  return language === null ? null : BY_NAME.get(language)?.family ?? null;
}

/** Whether a file may be of the language; `x.h` is C and C++. */
export function isOfLanguage(path: string, language: Language): boolean {
  const found = languageOfPath(path);
  if (found === language) return true;
  if (found === undefined) return false;
  // TSX is asked for as TypeScript by everyone, and JavaScript's own row holds JSX.
  if (language.name === "TypeScript" && found.name === "TSX") return true;
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return found.extensions.includes(ending) && language.extensions.includes(ending);
}

/** What a name with the sign of pages (`#id`, `.class`) means: what pages and sheets call so, where there is any. */
export function filterByPageSign<T extends { readonly language: string | null }>(
  name: string,
  hits: readonly T[],
): readonly T[] {
  const own = /^[#.]/.test(name)
    ? hits.filter(({ language }) => familyOf(language) === "style")
    : [];
  return own.length > 0 ? own : hits;
}
