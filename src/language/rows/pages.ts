/** The languages of pages and styles: a row each. */
import type { DefinitionPattern, LanguageRow } from "../language_row.ts";
import { form, MARKUP, SLASH } from "../language_row.ts";

/** The forms of definitions, which other languages have too. */
export const HTML_FORMS: readonly DefinitionPattern[] = [
  form("id", "\\bid\\s*=\\s*[\"'](?<name>[\\w:.-]+)[\"']"),
];

/** The row of HTML. */
export const HTML: LanguageRow = {
  name: "HTML",
  grammar: "html",
  nature: "markup",
  family: "style",
  familyFacts: { moduleIsFile: true },
  ...MARKUP,
  ext: "html htm xhtml",
  ctags: "HTML",
  quotes: [],
  nameChars: "-",
  readsStrings: true,
  rulesMislead: true,
  holdsScripts: true,
  forms: HTML_FORMS,
};

/** The row of Blade. */
export const BLADE: LanguageRow = {
  name: "Blade",
  noGrammar: "no package has a grammar",
  nature: "markup",
  family: "style",
  ext: "blade.php",
  block: [["{{--", "--}}"], ["<!--", "-->"]],
  quotes: [],
  nameChars: "-",
  readsStrings: true,
  imports:
    /@(?:extends|include|includeIf|includeWhen|component|each|livewire)\(\s*(?<modules>["'][^"']+["'])/g,
  forms: [
    ...HTML_FORMS,
    form("section", "@(?:section|yield|push|stack)\\(\\s*['\"](?<name>[^'\"]+)['\"]"),
  ],
};

/** The forms of definitions, which other languages have too. */
export const CSS_FORMS: readonly DefinitionPattern[] = [
  form("class", "^[^{};:@]*(?<name>\\.[\\w-]+)[^{};]*[{,]\\s*(?:[^}]*\\}\\s*)?$"),
  form("id", "^[^{};:@]*(?<name>#[A-Za-z][\\w-]*)[^{};]*[{,]\\s*(?:[^}]*\\}\\s*)?$"),
  form("property", "^\\s*(?<name>--[\\w-]+)\\s*:"),
];

/** The row of CSS. */
export const CSS: LanguageRow = {
  name: "CSS",
  grammar: "css",
  nature: "style",
  family: "style",
  block: [["/*", "*/"]],
  ext: "css",
  ctags: "CSS",
  nameChars: "-",
  forms: CSS_FORMS,
};

/** The row of SCSS. */
export const SCSS: LanguageRow = {
  name: "SCSS",
  noGrammar: "the only build that loads comes without a licence text",
  nature: "style",
  family: "style",
  ...SLASH,
  ext: "scss sass",
  aliases: "sass",
  nameChars: "-",
  words:
    /(?:[.%$]|--|#(?![0-9a-f]{3,8}\b))[\p{L}_][\p{L}\p{N}_-]*(?![\p{L}\p{N}_-]*\()|(?<=@(?:include|extend|mixin|function)\s+)[\p{L}_][\p{L}\p{N}_-]*|[\p{L}_][\p{L}\p{N}_-]*(?=\()/gu,
  imports: /@(?:use|forward|import)\s+(?<modules>(?:["'][^"']+["']\s*,?\s*)+)/g,
  forms: [
    ...CSS_FORMS,
    form("mixin", "^\\s*@mixin\\s+(?<name>[\\w-]+)"),
    form("function", "^\\s*@function\\s+(?<name>[\\w-]+)"),
    form("placeholder", "^\\s*(?<name>%[\\w-]+)\\s*\\{"),
    form("variable", "^\\s*(?<name>\\$[\\w-]+)\\s*:"),
  ],
};
