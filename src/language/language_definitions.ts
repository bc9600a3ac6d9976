/**
 * How definitions look in each language, as one regular expression a form. A table: used where no
 * parser is at hand, line by line, so it finds what stands on one line and nothing else. Pure.
 */

/** One form of definition. Most languages turn up in no process, so an expression is compiled where it is first used. */
export class DefinitionPattern {
  readonly kind: string;
  readonly #source: string;
  readonly #flags: string;
  #pattern: RegExp | null = null;

  constructor(kind: string, source: string, flags: string) {
    this.kind = kind;
    this.#source = source;
    this.#flags = flags;
  }

  /** The group `name` is the symbol. */
  get pattern(): RegExp {
    return this.#pattern ??= new RegExp(this.#source, this.#flags);
  }
}

const NAME = "(?<name>[\\p{L}_$][\\p{L}\\p{N}_$]*)";

function form(kind: string, source: string, flags = "u"): DefinitionPattern {
  return new DefinitionPattern(kind, source.replaceAll("NAME", NAME), flags);
}

const PYTHON = [
  form("class", "^\\s*class\\s+NAME"),
  form("function", "^\\s*(?:async\\s+)?def\\s+NAME"),
  form("type", "^\\s*type\\s+NAME\\s*(?:\\[[^=]{0,120}\\]\\s*)?=(?!=)"),
  form("variable", "^NAME\\s*(?::[^=]{1,80})?=(?!=)"),
];

const JS_WORDS =
  "(?!(?:if|for|while|switch|catch|return|function|await|super|new|typeof|do|else)\\b)";
const JS_MODIFIERS =
  "(?:(?:public|private|protected|static|async|override|readonly|abstract|get|set)\\s+)*";
const JAVASCRIPT = [
  form("class", "^\\s*(?:export\\s+)?(?:default\\s+)?(?:abstract\\s+)?class\\s+NAME"),
  form("function", "^\\s*(?:export\\s+)?(?:default\\s+)?(?:async\\s+)?function\\s*\\*?\\s*NAME"),
  form(
    "function",
    "^\\s*(?:export\\s+)?(?:const|let|var)\\s+NAME\\s*(?::[^=]{1,120})?=\\s*(?:async\\s*)?" +
      "(?:function\\b|\\([^()]*\\)\\s*(?::[^=]{1,80})?=>|[\\w$]+\\s*=>)",
  ),
  form("constant", "^(?:export\\s+)?const\\s+NAME"),
  form("variable", "^(?:export\\s+)?(?:let|var)\\s+NAME"),
  form(
    "method",
    `^\\s+${JS_MODIFIERS}[*#]?${JS_WORDS}NAME\\s*(?:<[^>]{1,80}>)?\\([^;]*\\{\\s*(?:[^}].*)?(?:\\}\\s*)?$`,
  ),
];
const TYPESCRIPT = [
  ...JAVASCRIPT,
  form("interface", "^\\s*(?:export\\s+)?(?:declare\\s+)?interface\\s+NAME"),
  form("alias", "^\\s*(?:export\\s+)?(?:declare\\s+)?type\\s+NAME\\s*(?:<[^=]*>)?\\s*="),
  form("enum", "^\\s*(?:export\\s+)?(?:declare\\s+)?(?:const\\s+)?enum\\s+NAME"),
  form("namespace", "^\\s*(?:export\\s+)?(?:declare\\s+)?(?:namespace|module)\\s+NAME"),
];

const PHP = [
  form("class", "^\\s*(?:(?:abstract|final|readonly)\\s+)*class\\s+NAME"),
  form("interface", "^\\s*interface\\s+NAME"),
  form("trait", "^\\s*trait\\s+NAME"),
  form("enum", "^\\s*enum\\s+NAME"),
  form("namespace", "^\\s*namespace\\s+(?<name>[\\w\\\\]+)"),
  form(
    "function",
    "^\\s*(?:(?:public|private|protected|static|abstract|final)\\s+)*function\\s+&?\\s*NAME",
  ),
  form(
    "constant",
    "^\\s*(?:(?:public|private|protected|final)\\s+)*const\\s+(?:\\w+\\s+)?NAME\\s*=",
  ),
];

const C_WORDS =
  "(?!(?:if|for|while|switch|return|else|catch|new|delete|throw|do|case|goto|using)\\b)";
const C = [
  form("macro", "^\\s*#\\s*define\\s+NAME"),
  form("struct", "^\\s*(?:typedef\\s+)?struct\\s+NAME[^;()]*$"),
  form("union", "^\\s*(?:typedef\\s+)?union\\s+NAME[^;()]*$"),
  form("enum", "^\\s*(?:typedef\\s+)?enum\\s+(?:class\\s+)?NAME[^;()]*$"),
  form("typedef", "^\\s*typedef\\s+[^{};]*\\bNAME\\s*;"),
  form("function", `^${C_WORDS}[\\w][\\w\\s*&<>:,\\[\\]]*?[\\s*&](?:\\w+::)*~?NAME\\s*\\([^;]*$`),
];
const CPP = [
  ...C,
  form("class", "^\\s*(?:template\\s*<[^>]*>\\s*)?class\\s+NAME[^;()]*$"),
  form("namespace", "^\\s*(?:inline\\s+)?namespace\\s+NAME"),
  form("method", `^\\s+${C_WORDS}(?:[\\w][\\w\\s*&<>:,]*[\\s*&])~?NAME\\s*\\([^;]*\\)[^;]*\\{`),
  form("alias", "^\\s*using\\s+NAME\\s*="),
];

const JAVA_MODIFIERS = "(?:(?:public|private|protected|internal|static|final|abstract|sealed|" +
  "partial|virtual|override|async|synchronized|readonly|default|native|unsafe|extern|new)\\s+)";
const JAVA_TYPE =
  "(?!(?:return|new|else|throw|await|case|package|import|using)\\b)[\\w.]+(?:<[^()]*>)?(?:\\[\\])*\\??";
const JAVA = [
  form("class", `^\\s*${JAVA_MODIFIERS}*(?:class|record)\\s+NAME`),
  form("interface", `^\\s*${JAVA_MODIFIERS}*@?interface\\s+NAME`),
  form("enum", `^\\s*${JAVA_MODIFIERS}*enum\\s+NAME`),
  form("method", `^\\s+${JAVA_MODIFIERS}*(?:<[^>]{1,80}>\\s*)?${JAVA_TYPE}\\s+NAME\\s*\\([^;]*$`),
  form("method", `^\\s+${JAVA_MODIFIERS}+NAME\\s*\\([^;]*$`),
];
const CSHARP = [
  ...JAVA,
  form("struct", `^\\s*${JAVA_MODIFIERS}*struct\\s+NAME`),
  form("namespace", "^\\s*namespace\\s+(?<name>[\\w.]+)"),
  form("property", `^\\s+${JAVA_MODIFIERS}+${JAVA_TYPE}\\s+NAME\\s*(?:\\{|=>)`),
];

const KOTLIN_MODIFIERS =
  "(?:(?:public|private|protected|internal|open|abstract|sealed|final|override|" +
  "inline|suspend|data|inner|const|lateinit|operator|companion|implicit|lazy|case|infix|enum|" +
  "annotation|static|class(?=\\s+func)|mutating|fileprivate|required|convenience|@\\w+)\\s+)*";
const KOTLIN = [
  form("class", `^\\s*${KOTLIN_MODIFIERS}class\\s+NAME`),
  form("interface", `^\\s*${KOTLIN_MODIFIERS}(?:fun\\s+)?interface\\s+NAME`),
  form("object", `^\\s*${KOTLIN_MODIFIERS}object\\s+NAME`),
  form("method", `^\\s*${KOTLIN_MODIFIERS}fun\\s+(?:<[^>]*>\\s*)?(?:[\\w.<>?]+\\.)?NAME`),
  form("property", `^\\s*${KOTLIN_MODIFIERS}(?:val|var)\\s+NAME`),
  form("typealias", `^\\s*${KOTLIN_MODIFIERS}typealias\\s+NAME`),
];
const SCALA = [
  form("class", `^\\s*${KOTLIN_MODIFIERS}class\\s+NAME`),
  form("trait", `^\\s*${KOTLIN_MODIFIERS}trait\\s+NAME`),
  form("object", `^\\s*${KOTLIN_MODIFIERS}object\\s+NAME`),
  form("method", `^\\s*${KOTLIN_MODIFIERS}def\\s+NAME`),
  form("value", `^\\s*${KOTLIN_MODIFIERS}(?:val|var)\\s+NAME`),
  form("type", `^\\s*${KOTLIN_MODIFIERS}type\\s+NAME`),
];
const SWIFT = [
  form("class", `^\\s*${KOTLIN_MODIFIERS}(?:class|actor)\\s+(?!func\\b)NAME`),
  form("struct", `^\\s*${KOTLIN_MODIFIERS}struct\\s+NAME`),
  form("enum", `^\\s*${KOTLIN_MODIFIERS}(?:indirect\\s+)?enum\\s+NAME`),
  form("protocol", `^\\s*${KOTLIN_MODIFIERS}protocol\\s+NAME`),
  form("extension", `^\\s*${KOTLIN_MODIFIERS}extension\\s+NAME`),
  form("function", `^\\s*${KOTLIN_MODIFIERS}func\\s+NAME`),
  form("property", `^\\s*${KOTLIN_MODIFIERS}(?:let|var)\\s+NAME`),
];

const GO = [
  form("function", "^func\\s+(?:\\([^)]*\\)\\s*)?NAME"),
  form("struct", "^\\s*type\\s+NAME(?:\\[[^\\]]*\\])?\\s+struct\\b"),
  form("interface", "^\\s*type\\s+NAME(?:\\[[^\\]]*\\])?\\s+interface\\b"),
  form("type", "^\\s*type\\s+NAME(?:\\[[^\\]]*\\])?\\s+(?!struct\\b|interface\\b)"),
  form("constant", "^const\\s+NAME"),
  form("variable", "^var\\s+NAME"),
  form("package", "^package\\s+NAME"),
];
const RUST_MODIFIERS =
  "^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:default\\s+)?(?:const\\s+)?(?:async\\s+)?(?:unsafe\\s+)?";
const RUST = [
  form("function", `${RUST_MODIFIERS}(?:extern\\s+"[^"]*"\\s+)?fn\\s+NAME`),
  form("struct", `${RUST_MODIFIERS}struct\\s+NAME`),
  form("enum", `${RUST_MODIFIERS}enum\\s+NAME`),
  form("interface", `${RUST_MODIFIERS}trait\\s+NAME`),
  form("module", `${RUST_MODIFIERS}mod\\s+NAME`),
  form("typedef", `${RUST_MODIFIERS}type\\s+NAME`),
  form(
    "constant",
    "^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:const|static)\\s+(?:mut\\s+)?(?!fn\\b)NAME\\s*:",
  ),
  form("implementation", "^\\s*(?:unsafe\\s+)?impl(?:<[^>]*>)?\\s+(?:[\\w:<>, ]+\\s+for\\s+)?NAME"),
  form("macro", "^\\s*macro_rules!\\s+NAME"),
];
const RUBY = [
  form("class", "^\\s*class\\s+(?:\\w+::)*NAME"),
  form("module", "^\\s*module\\s+(?:\\w+::)*NAME"),
  form(
    "method",
    "^\\s*(?:(?:private|public|protected)\\s+)?def\\s+(?:self\\.)?(?<name>[\\p{L}_][\\p{L}\\p{N}_]*[?!=]?)",
  ),
  form("constant", "^\\s*(?<name>[A-Z][A-Z0-9_]*)\\s*="),
];
const LUA = [
  form("function", "^\\s*(?:local\\s+)?function\\s+(?:[\\w.]+[.:])?NAME"),
  form("function", "^\\s*(?:local\\s+)?(?:[\\w.]+\\.)?NAME\\s*=\\s*function\\b"),
];
const BASH = [
  form("function", "^\\s*(?:function\\s+(?<name>[\\w.:-]+)\\s*(?:\\(\\s*\\))?)"),
  form("function", "^\\s*(?<name>[\\w.:-]+)\\s*\\(\\s*\\)\\s*[{(]?\\s*"),
];
const ELIXIR = [
  form("module", "^\\s*defmodule\\s+(?<name>[\\w.]+)"),
  form("protocol", "^\\s*defprotocol\\s+(?<name>[\\w.]+)"),
  form(
    "function",
    "^\\s*(?:def|defp|defdelegate|defguardp?)\\s+(?<name>[\\p{L}_][\\p{L}\\p{N}_]*[?!]?)",
  ),
  form("macro", "^\\s*defmacrop?\\s+(?<name>[\\p{L}_][\\p{L}\\p{N}_]*[?!]?)"),
];
const HASKELL = [
  form("module", "^module\\s+(?<name>[\\w.]+)"),
  form("type", "^(?:data|newtype|type)\\s+(?:family\\s+|instance\\s+)?(?<name>[A-Z][\\w']*)"),
  form("class", "^class\\s+(?:.*=>\\s*)?(?<name>[A-Z][\\w']*)"),
  form("function", "^(?<name>[a-z_][\\w']*)\\s*::"),
];
const ZIG = [
  form("function", "^\\s*(?:pub\\s+)?(?:export\\s+|inline\\s+|extern\\s+)*fn\\s+NAME"),
  form(
    "struct",
    "^\\s*(?:pub\\s+)?const\\s+NAME\\s*=\\s*(?:extern\\s+|packed\\s+)?(?:struct|enum|union)\\b",
  ),
  form(
    "constant",
    "^(?:pub\\s+)?const\\s+NAME(?!.*=\\s*(?:extern\\s+|packed\\s+)?(?:struct|enum|union)\\b)",
  ),
];
const DART = [
  form("class", "^\\s*(?:(?:abstract|base|final|sealed|interface|mixin)\\s+)*class\\s+NAME"),
  form("mixin", "^\\s*(?:base\\s+)?mixin\\s+(?!class\\b)NAME"),
  form("extension", "^\\s*extension\\s+(?!on\\b)NAME"),
  form("enum", "^\\s*enum\\s+NAME"),
  form("typedef", "^\\s*typedef\\s+NAME\\s*(?:<[^=]*>)?\\s*="),
  form("typedef", "^\\s*typedef\\s+[^=(]*?\\bNAME\\s*(?:<[^=(]*>)?\\("),
  form(
    "function",
    `^\\s*(?:(?:static|external|factory|override)\\s+)*${C_WORDS}(?:[\\w.]+(?:<[^()]*>)?\\??\\s+)(?:get\\s+)?NAME\\s*` +
      "(?:<[^>]{1,80}>)?\\([^;]*(?:\\{|=>|$)",
  ),
];
const CSS = [
  form("class", "^[^{};:@]*(?<name>\\.[\\w-]+)[^{};]*[{,]\\s*(?:[^}]*\\}\\s*)?$"),
  form("id", "^[^{};:@]*(?<name>#[A-Za-z][\\w-]*)[^{};]*[{,]\\s*(?:[^}]*\\}\\s*)?$"),
  form("property", "^\\s*(?<name>--[\\w-]+)\\s*:"),
];
const SCSS = [
  ...CSS,
  form("mixin", "^\\s*@mixin\\s+(?<name>[\\w-]+)"),
  form("function", "^\\s*@function\\s+(?<name>[\\w-]+)"),
  form("placeholder", "^\\s*(?<name>%[\\w-]+)\\s*\\{"),
  form("variable", "^\\s*(?<name>\\$[\\w-]+)\\s*:"),
];
const HTML = [form("id", "\\bid\\s*=\\s*[\"'](?<name>[\\w:.-]+)[\"']")];
const BLADE = [
  ...HTML,
  form("section", "@(?:section|yield|push|stack)\\(\\s*['\"](?<name>[^'\"]+)['\"]"),
];
const YAML = [form("key", "^\\s*(?:-\\s+)?(?<name>[\\w./-]+)\\s*:(?:\\s|$)")];
const JSON_KEYS = [form("key", '^\\s*"(?<name>[^"]+)"\\s*:')];
const TOML = [
  form("table", "^\\s*\\[\\[?(?<name>[^\\]]+)\\]\\]?"),
  form("key", "^\\s*[\"'](?<name>[^\"']+)[\"']\\s*="),
  form("key", '^\\s*(?<name>[\\w-]+(?:\\s*\\.\\s*(?:[\\w-]+|"[^"]*"))*)\\s*='),
];
const MARKDOWN = [form("section", "^#{1,6}\\s+(?<name>.+?)\\s*#*\\s*$")];
const SQL_NAME = '(?:IF\\s+NOT\\s+EXISTS\\s+)?["`\\[]?(?:\\w+["`\\]]?\\.["`\\[]?)?(?<name>\\w+)';
const SQL = ["TABLE", "VIEW", "FUNCTION", "PROCEDURE", "TRIGGER", "INDEX", "TYPE"].map((word) =>
  form(
    word.toLowerCase(),
    `^\\s*CREATE\\s+(?:OR\\s+REPLACE\\s+)?(?:TEMP(?:ORARY)?\\s+|UNIQUE\\s+|MATERIALIZED\\s+)*${word}\\s+(?:CONCURRENTLY\\s+)?${SQL_NAME}`,
    "iu",
  )
);

/** The forms of definition by the name of the language. */
export const DEFINITION_PATTERNS: Readonly<Record<string, readonly DefinitionPattern[]>> = {
  Python: PYTHON,
  PHP,
  JavaScript: JAVASCRIPT,
  TypeScript: TYPESCRIPT,
  TSX: TYPESCRIPT,
  Vue: TYPESCRIPT,
  Svelte: TYPESCRIPT,
  HTML,
  Blade: BLADE,
  CSS,
  SCSS,
  Go: GO,
  Rust: RUST,
  Java: JAVA,
  Kotlin: KOTLIN,
  Scala: SCALA,
  C,
  "C++": CPP,
  "C#": CSHARP,
  Ruby: RUBY,
  Swift: SWIFT,
  Lua: LUA,
  Bash: BASH,
  Elixir: ELIXIR,
  Haskell: HASKELL,
  Zig: ZIG,
  Dart: DART,
  YAML,
  JSON: JSON_KEYS,
  TOML,
  Markdown: MARKDOWN,
  SQL,
};
