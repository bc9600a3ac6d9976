/**
 * The one table of languages: which files they are, what the backends call them, how comments and
 * names are written. Adding a language is one row here and one in `language_definitions.ts`; one without a grammar is a row
 * of `plain_languages.ts`. Pure.
 */
import type { DefinitionPattern } from "./language_definitions.ts";
import { DEFINITION_PATTERNS } from "./language_definitions.ts";
import type { LanguageRow } from "./plain_languages.ts";
import { PLAIN_DEFINITIONS, PLAIN_ROWS } from "./plain_languages.ts";

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
  /** Name of its parser in Universal Ctags, where there is one. */
  readonly ctags?: string;
  /** Name of its vendored grammar in `wasm/`; null where there is none, see `NO_GRAMMAR`. */
  readonly grammar: string | null;
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
}

const SLASH = { line: ["//"], block: [["/*", "*/"]] } as const;
const HASH = { line: ["#"] } as const;
const MARKUP = { block: [["<!--", "-->"]] } as const;
const DOUBLE = ['"'] as const;
const SCRIPT = ["`", '"', "'"] as const;

// A single quote is no string in languages where it begins lifetimes, symbols or characters.
const ROWS: Readonly<Record<string, LanguageRow>> = {
  Python: {
    ...HASH,
    ext: "py pyi pyw",
    files: "SConstruct",
    aliases: "py python3",
    ctags: "Python",
    quotes: ['"""', "'''", '"', "'"],
  },
  Blade: {
    ext: "blade.php",
    block: [["{{--", "--}}"], ["<!--", "-->"]],
    quotes: [],
    nameChars: "-",
  },
  PHP: {
    line: ["//", "#"],
    block: [["/*", "*/"]],
    ext: "php php3 php4 php5 phtml inc",
    ctags: "PHP",
  },
  JavaScript: {
    interpolation: "${",
    ...SLASH,
    ext: "js mjs cjs jsx",
    aliases: "js jsx node",
    ctags: "JavaScript",
    quotes: SCRIPT,
    nameChars: "$",
  },
  TypeScript: {
    interpolation: "${",
    ...SLASH,
    ext: "ts mts cts",
    aliases: "ts",
    ctags: "TypeScript",
    quotes: SCRIPT,
    nameChars: "$",
  },
  TSX: {
    interpolation: "${",
    ...SLASH,
    ext: "tsx",
    ctags: "TypeScript",
    quotes: SCRIPT,
    nameChars: "$",
  },
  Vue: {
    interpolation: "${",
    ...SLASH,
    block: [["/*", "*/"], ["<!--", "-->"]],
    ext: "vue",
    quotes: SCRIPT,
    nameChars: "$",
  },
  Svelte: {
    interpolation: "${",
    ...SLASH,
    block: [["/*", "*/"], ["<!--", "-->"]],
    ext: "svelte",
    quotes: SCRIPT,
    nameChars: "$",
  },
  HTML: { ...MARKUP, ext: "html htm xhtml", ctags: "HTML", quotes: [], nameChars: "-" },
  CSS: { block: [["/*", "*/"]], ext: "css", ctags: "CSS", nameChars: "-" },
  SCSS: { ...SLASH, ext: "scss sass", aliases: "sass", nameChars: "-" },
  Go: { ...SLASH, ext: "go", aliases: "golang", ctags: "Go", quotes: ["`", '"'] },
  Rust: { ...SLASH, ext: "rs", aliases: "rs", ctags: "Rust", quotes: DOUBLE },
  Java: { ...SLASH, ext: "java", ctags: "Java", quotes: ['"""', '"'], nameChars: "$" },
  Kotlin: {
    interpolation: "${",
    ...SLASH,
    ext: "kt kts",
    aliases: "kt",
    ctags: "Kotlin",
    quotes: ['"""', '"'],
  },
  Scala: { interpolation: "${", ...SLASH, ext: "scala sc", quotes: ['"""', '"'] },
  C: { ...SLASH, ext: "c h", ctags: "C", quotes: DOUBLE },
  "C++": {
    ...SLASH,
    ext: "cpp cc cxx c++ hpp hh hxx h++ h inl ipp tpp",
    aliases: "cpp cxx cplusplus",
    ctags: "C++",
    quotes: DOUBLE,
  },
  "C#": { ...SLASH, ext: "cs csx", aliases: "cs csharp", ctags: "C#", quotes: DOUBLE },
  Ruby: {
    interpolation: "#{",
    ...HASH,
    block: [["=begin", "=end"]],
    ext: "rb rake gemspec ru",
    files: "Rakefile Gemfile Vagrantfile",
    aliases: "rb",
    ctags: "Ruby",
    nameChars: "?!",
  },
  Swift: { ...SLASH, ext: "swift", quotes: ['"""', '"'] },
  Lua: { line: ["--"], block: [["--[[", "]]"]], ext: "lua", ctags: "Lua" },
  Bash: {
    ...HASH,
    ext: "sh bash zsh ksh",
    files: ".bashrc .bash_profile .profile .zshrc",
    aliases: "sh shell zsh",
    ctags: "Sh",
  },
  Elixir: {
    interpolation: "#{",
    ...HASH,
    ext: "ex exs",
    aliases: "ex",
    ctags: "Elixir",
    quotes: ['"""', '"'],
    nameChars: "?!",
  },
  Haskell: {
    line: ["--"],
    block: [["{-", "-}"]],
    ext: "hs",
    aliases: "hs",
    ctags: "Haskell",
    quotes: DOUBLE,
    nameChars: "'",
  },
  Zig: { line: ["//"], ext: "zig", quotes: DOUBLE },
  Dart: {
    interpolation: "${",
    ...SLASH,
    ext: "dart",
    quotes: ['"""', "'''", '"', "'"],
    nameChars: "$",
  },
  YAML: { ...HASH, ext: "yaml yml", aliases: "yml", ctags: "Yaml", nameChars: "-" },
  JSON: {
    ext: "json jsonc json5",
    files: "composer.lock",
    ctags: "JSON",
    quotes: [],
    nameChars: "-",
  },
  TOML: {
    ...HASH,
    ext: "toml",
    files: "Cargo.lock",
    quotes: ['"""', "'''", '"', "'"],
    nameChars: "-",
  },
  Markdown: {
    ...MARKUP,
    ext: "md markdown mdx",
    aliases: "md",
    ctags: "Markdown",
    quotes: [],
    nameChars: "-",
  },
  SQL: { line: ["--"], block: [["/*", "*/"]], ext: "sql", quotes: ["'"] },
};

/** Why a language has no grammar; what asks for one falls back to rules on the text. */
export const NO_GRAMMAR: Readonly<Record<string, string>> = {
  Blade: "no package has a grammar",
  SCSS: "the only build that loads comes without a licence text",
  SQL: "its package ships no build",
  ...Object.fromEntries(Object.keys(PLAIN_ROWS).map((name) => [name, "none is vendored"])),
};

/** Grammars that are not named as their language in lower case. */
const GRAMMARS: Readonly<Record<string, string>> = { "C++": "cpp", "C#": "c_sharp" };

/** Every language, in the order of the table. */
export const LANGUAGES: readonly Language[] = Object.entries({ ...ROWS, ...PLAIN_ROWS })
  .map(([name, row]) => ({
    name,
    extensions: row.ext.split(" "),
    fileNames: row.files?.split(" ") ?? [],
    aliases: [name.toLowerCase(), ...(row.aliases?.split(" ") ?? [])],
    grammar: name in NO_GRAMMAR ? null : GRAMMARS[name] ?? name.toLowerCase(),
    lineComments: row.line ?? [],
    blockComments: row.block ?? [],
    quotes: row.quotes ?? ['"', "'"],
    nameChars: row.nameChars ?? "",
    definitions: DEFINITION_PATTERNS[name] ?? PLAIN_DEFINITIONS[name] ?? [],
    ...(row.ctags === undefined ? {} : { ctags: row.ctags }),
    ...(row.interpolation === undefined ? {} : { interpolation: row.interpolation }),
  }));

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
