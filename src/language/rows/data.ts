/** Languages of data, prose and queries: a row each. */
import type { DefinitionPattern, LanguageRow } from "../language_row.ts";
import { form, HASH, MARKUP } from "../language_row.ts";

/** The row of JSON. */
export const JSON: LanguageRow = {
  name: "JSON",
  grammar: "json",
  nature: "data",
  ext: "json jsonc json5",
  files: "composer.lock",
  ctags: "JSON",
  quotes: [],
  nameChars: "-",
  readsStrings: true,
  rulesMislead: true,
  forms: [form("key", '^\\s*"(?<name>[^"]+)"\\s*:')],
};

/** The row of YAML. */
export const YAML: LanguageRow = {
  name: "YAML",
  grammar: "yaml",
  nature: "data",
  ...HASH,
  ext: "yaml yml",
  aliases: "yml",
  ctags: "Yaml",
  nameChars: "-",
  readsStrings: true,
  rulesMislead: true,
  forms: [
    form("key", "^\\s*(?:-\\s+)?(?<name>[\\w./-]+)\\s*:(?:\\s|$)"),
  ],
};

/** The row of TOML. */
export const TOML: LanguageRow = {
  name: "TOML",
  grammar: "toml",
  nature: "data",
  ...HASH,
  ext: "toml",
  files: "Cargo.lock",
  quotes: ['"""', "'''", '"', "'"],
  nameChars: "-",
  readsStrings: true,
  forms: [
    form("table", "^\\s*\\[\\[?(?<name>[^\\]]+)\\]\\]?"),
    form("key", "^\\s*[\"'](?<name>[^\"']+)[\"']\\s*="),
    form("key", '^\\s*(?<name>[\\w-]+(?:\\s*\\.\\s*(?:[\\w-]+|"[^"]*"))*)\\s*='),
  ],
};

/** The row of Markdown. */
export const MARKDOWN: LanguageRow = {
  name: "Markdown",
  grammar: "markdown",
  nature: "prose",
  ...MARKUP,
  ext: "md markdown mdx",
  aliases: "md",
  ctags: "Markdown",
  quotes: [],
  nameChars: "-",
  readsStrings: true,
  rulesMislead: true,
  forms: [
    form("section", "^#{1,6}\\s+(?<name>.+?)\\s*#*\\s*$"),
  ],
};

/** Words of statements, which name nothing. */
const SQL_WORDS =
  "add|all|alter|and|any|as|asc|begin|between|by|cascade|case|check|commit|constraint|create|cross|" +
  "declare|default|delete|desc|distinct|drop|each|else|end|except|execute|exists|false|fetch|for|foreign|" +
  "from|full|function|grant|group|having|if|in|index|inner|insert|intersect|into|is|join|left|like|limit|" +
  "materialized|natural|not|null|of|on|or|order|outer|over|partition|primary|procedure|references|rename|replace|" +
  "return|returning|returns|revoke|right|rollback|select|set|table|temp|temporary|then|to|trigger|true|" +
  "truncate|union|unique|update|using|values|view|when|where|with";
const SQL_NAME = '(?:IF\\s+NOT\\s+EXISTS\\s+)?["`\\[]?(?:\\w+["`\\]]?\\.["`\\[]?)?(?<name>\\w+)';
const SQL_FORMS: readonly DefinitionPattern[] = ([
  "table",
  "view",
  "function",
  "procedure",
  "trigger",
  "index",
  "type",
] as const).map((word) =>
  form(
    word,
    `^\\s*CREATE\\s+(?:OR\\s+REPLACE\\s+)?(?:TEMP(?:ORARY)?\\s+|UNIQUE\\s+|MATERIALIZED\\s+)*${word}\\s+(?:CONCURRENTLY\\s+)?${SQL_NAME}`,
    "iu",
  )
);

/** The row of SQL. */
export const SQL: LanguageRow = {
  name: "SQL",
  noGrammar: "its package ships no build",
  nature: "queries",
  line: ["--"],
  block: [["/*", "*/"]],
  ext: "sql",
  quotes: ["'"],
  readsStrings: true,
  words: new RegExp(
    '(?<=["`[])[\\p{L}_][^"`[\\]\\n]* [^"`[\\]\\n]*(?=["`\\]])|' +
      `(?<![\\p{L}\\p{N}_$])(?!(?:${SQL_WORDS})(?![\\p{L}\\p{N}_$]))[\\p{L}_][\\p{L}\\p{N}_$]*`,
    "giu",
  ),
  forms: SQL_FORMS,
};
