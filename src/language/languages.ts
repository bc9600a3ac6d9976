/**
 * The one table of languages, made of the rows: which files they are, what the backends call them, how comments, names,
 * definitions and tests are written. A language is a row of `rows/`; one without a grammar may be one of `plain_languages.ts`. Pure.
 */
import type {
  BodyRow,
  DefinitionPattern,
  LanguageRow,
  MutantRow,
  Nature,
  TestRow,
} from "./language_row.ts";
import type { Family } from "./families.ts";
import { PLAIN_ROWS, ROWS } from "./rows.ts";

/** One language. */
export interface Language {
  /** Its name. */
  readonly name: string;
  /** Endings without the leading dot, longest meaning first (`blade.php` beats `php`). */
  readonly extensions: readonly string[];
  /** Whole file names that belong to it, such as `Rakefile`. */
  readonly fileNames: readonly string[];
  /** Other names that callers use for it, lower case; its types in ripgrep are among them. */
  readonly aliases: readonly string[];
  /** Name of its parser in Universal Ctags, beside which the accuracy is measured. */
  readonly ctags?: string;
  /** Name of its vendored grammar in `wasm/`; null where there is none. */
  readonly grammar: string | null;
  /** What it is for. */
  readonly nature: Nature;
  /** The languages that import from one another by one rule; null for data and prose. */
  readonly family: Family | null;
  /** What begins a comment to the end of the line. */
  readonly lineComments: readonly string[];
  /** Pairs that enclose comments. */
  readonly blockComments: readonly (readonly [string, string])[];
  /** What encloses strings, longest first. */
  readonly quotes: readonly string[];
  /** Characters of names beside letters, digits and `_`; `?` and `!` only at their end. */
  readonly nameChars: string;
  /** What begins code inside strings, such as `${`; it ends with `}`. */
  readonly interpolation?: string;
  /** Forms of definitions, for use without a parser. */
  readonly definitions: readonly DefinitionPattern[];
  /** Whether these forms look at strings too. */
  readonly readsStrings: boolean;
  /** Whether rules on lines would take values and text for definitions. */
  readonly rulesMislead: boolean;
  /** Whether its files hold scripts of another language inside tags. */
  readonly holdsScripts: boolean;
  /** What is a name, for use without a parser, where most words name nothing. */
  readonly words?: RegExp;
  /** Lines that take another file in, for use without a parser. */
  readonly imports?: RegExp;
  /** Whether functions of one name may differ in their parameters. */
  readonly overloads: boolean;
  /** Whether every function says the type of its result. */
  readonly saysResults: boolean;
  /** How tests look, where they have a look of their own. */
  readonly tests?: TestRow;
  /** How its grammar writes what may be an empty implementation. */
  readonly bodies?: BodyRow;
  /** How its grammar writes what a small wrong version changes. */
  readonly mutants?: MutantRow;
}

function toLanguage(row: LanguageRow): Language {
  const { name, ctags, interpolation, words, imports, tests, bodies, mutants } = row;
  return {
    name,
    extensions: row.ext.split(" "),
    fileNames: row.files?.split(" ") ?? [],
    aliases: [...new Set([name.toLowerCase(), ...(row.aliases?.split(" ") ?? [])])],
    grammar: row.grammar ?? null,
    nature: row.nature ?? "code",
    family: row.family ?? null,
    lineComments: row.line ?? [],
    blockComments: row.block ?? [],
    quotes: row.quotes ?? ['"', "'"],
    nameChars: row.nameChars ?? "",
    definitions: row.forms,
    readsStrings: row.readsStrings === true,
    rulesMislead: row.rulesMislead === true,
    holdsScripts: row.holdsScripts === true,
    overloads: row.overloads === true,
    saysResults: row.saysResults === true,
    ...(ctags === undefined ? {} : { ctags }),
    ...(interpolation === undefined ? {} : { interpolation }),
    ...(words === undefined ? {} : { words }),
    ...(imports === undefined ? {} : { imports }),
    ...(tests === undefined ? {} : { tests }),
    ...(bodies === undefined ? {} : { bodies }),
    ...(mutants === undefined ? {} : { mutants }),
  };
}

/** Every language, in the order of the table. */
export const LANGUAGES: readonly Language[] = [...ROWS, ...PLAIN_ROWS].map(toLanguage);

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
export function toFamily(language: string | null): Family | null {
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
export function keepOfSign<T extends { readonly language: string | null }>(
  name: string,
  hits: readonly T[],
): readonly T[] {
  const own = /^[#.]/.test(name)
    ? hits.filter(({ language }) => toFamily(language) === "style")
    : [];
  return own.length > 0 ? own : hits;
}
