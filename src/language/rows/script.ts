/** JavaScript, TypeScript and what holds scripts, whose languages have most in common: a row each. */
import { anyOf } from "../../base/text/any_of.ts";
import type {
  BodyRow,
  DefinitionPattern,
  HollowRow,
  LanguageRow,
  MutantRow,
} from "../language_row.ts";
import { form, SLASH } from "../language_row.ts";

const JS_WORDS =
  "(?!(?:if|for|while|switch|catch|return|function|await|super|new|typeof|do|else)\\b)";
const JS_MODIFIERS =
  "(?:(?:public|private|protected|static|async|override|readonly|abstract|get|set)\\s+)*";
/** The forms of definitions, which other languages have too. */
export const SCRIPT_FORMS: readonly DefinitionPattern[] = [
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
/** What the languages of scripts have in common. */
export const SCRIPT = {
  ...SLASH,
  interpolation: "${",
  quotes: ["`", '"', "'"],
  nameChars: "$",
  family: "script",
  familyFacts: {
    renames: true,
    moduleIsFile: true,
    binding: true,
    typed: true,
    knownByFiles: true,
    passesOn: ["export *"],
  },
  prints: /(?:^|\.)console\.(?:log|info)$|^(?:window\.)?alert$/,
  tests: {
    names: /^(.+)[._-](?:test|spec|cy|e2e)s?$|^test[_-](.+)$/i,
    calls:
      /^(?:Deno\.)?[xf]?(?:it|test|specify|bench)(?:\.(?!describe|before|after|use)\w+)*(?:\(\))?$/,
    off: /^x(?:it|test|describe|context)\b|\.(?:skip|todo|ignore)\b/,
    missing: anyOf(
      /(?:^|Error:? )(?:\S.*[.(, ])?([\w$]+)\)? is not a (?:function|constructor)\b/,
      /(?:^|Error:? )([\w$]+) is not defined/,
      /(?:does not provide|has no) (?:an )?export(?:ed member)? named:? ['"`]?([\w$]+)|No matching export .* for import "([\w$]+)"/,
      /(?:Cannot find module|Module not found|Failed to resolve import) ['"]?([^'"\s]+)/,
      /TS\d{4}.*(?:has no exported member|Cannot find name) '([\w$]+)'|TS2339.*Property '([\w$]+)' does not exist/,
      /TS2554.*Expected [\d-]+ arguments?, but got \d+|TS2305|TS2724/,
    ),
  },
} as const satisfies Partial<LanguageRow>;
/** How all of them write what may be an empty implementation. */
export const SCRIPT_BODIES: BodyRow = {
  functions: "function_declaration generator_function_declaration method_definition",
  lambdas: "arrow_function function_expression generator_function",
  named:
    "variable_declarator pair field_definition public_field_definition assignment_expression export_statement",
  classes: "class_declaration class abstract_class_declaration internal_module",
  blocks: "statement_block class_body",
  neutral: "import_statement decorator accessibility_modifier override_modifier export_clause",
  constructors: /\bconstructor\s*\(/,
  promotes: /\(\s*[\s\S]*\b(?:private|public|protected|readonly)\b/,
  emptyClass: /\bextends\b|\bimplements\b|@/,
};

function hollowOf(leave: string, given = "ARG"): HollowRow {
  return {
    leave,
    values: [
      [/^(?:Promise<)?string\b(?!\[)/, '""', '"?"'],
      [/^(?:Promise<)?(?:number|bigint)\b(?!\[)/, "0", "7"],
      [/^(?:Promise<)?(?:boolean\b(?!\[)|\w+ is )/, "false", "true"],
      [/^array$|\[\]>?$|^(?:Promise<)?(?:readonly |Readonly)?(?:Array|\[)/, "[]", "[{}]"],
      [/^object$|^(?:Promise<)?Record\b/, "{}", '({ "": 0 })'],
      [/^null$|\| null\b/, "null", "[{}]"],
      [/^/, "undefined", "[{}]"],
    ],
    items: { wrapped: "[ARG]", last: `${given}.at(-1)`, first: `${given}[0]` },
    parameter: /^(?<name>[\w$]+)/,
  };
}

/** What a small wrong version changes in them; the value that is left out fits every type. */
export const SCRIPT_MUTANTS: MutantRow = {
  operators: "binary_expression",
  constants: "number true false",
  conditions: "if_statement.condition ternary_expression.condition",
  returns: "return_statement",
  nothing: "undefined as never",
  statements: "expression_statement",
  calls: "call_expression await_expression",
  hollow: hollowOf("if (1 as number) return (VALUE as never);", "(ARG as never as string)"),
};

/** The row of JavaScript. */
export const JAVASCRIPT: LanguageRow = {
  ...SCRIPT,
  name: "JavaScript",
  grammar: "javascript",
  ext: "js mjs cjs jsx",
  aliases: "js jsx node",
  ctags: "JavaScript",
  bodies: SCRIPT_BODIES,
  mutants: { ...SCRIPT_MUTANTS, nothing: "undefined", hollow: hollowOf("return VALUE;") },
  forms: SCRIPT_FORMS,
};

/** The forms of definitions, which other languages have too. */
export const TYPESCRIPT_FORMS: readonly DefinitionPattern[] = [
  ...SCRIPT_FORMS,
  form("interface", "^\\s*(?:export\\s+)?(?:declare\\s+)?interface\\s+NAME"),
  form("type", "^\\s*(?:export\\s+)?(?:declare\\s+)?type\\s+NAME\\s*(?:<[^=]*>)?\\s*="),
  form("enum", "^\\s*(?:export\\s+)?(?:declare\\s+)?(?:const\\s+)?enum\\s+NAME"),
  form("namespace", "^\\s*(?:export\\s+)?(?:declare\\s+)?(?:namespace|module)\\s+NAME"),
];

/** The row of TypeScript. */
export const TYPESCRIPT: LanguageRow = {
  ...SCRIPT,
  name: "TypeScript",
  grammar: "typescript",
  ext: "ts mts cts",
  aliases: "ts",
  ctags: "TypeScript",
  bodies: SCRIPT_BODIES,
  mutants: SCRIPT_MUTANTS,
  forms: TYPESCRIPT_FORMS,
};

/** The row of TSX. */
export const TSX: LanguageRow = {
  ...TYPESCRIPT,
  name: "TSX",
  grammar: "tsx",
  ext: "tsx",
  aliases: "tsx",
};

/** The row of Vue. */
export const VUE: LanguageRow = {
  ...SCRIPT,
  name: "Vue",
  grammar: "vue",
  ext: "vue",
  nature: "markup",
  block: [["/*", "*/"], ["<!--", "-->"]],
  rulesMislead: true,
  holdsScripts: true,
  forms: TYPESCRIPT_FORMS,
};

/** The row of Svelte. */
export const SVELTE: LanguageRow = {
  ...SCRIPT,
  name: "Svelte",
  grammar: "svelte",
  ext: "svelte",
  nature: "markup",
  block: [["/*", "*/"], ["<!--", "-->"]],
  rulesMislead: true,
  holdsScripts: true,
  forms: TYPESCRIPT_FORMS,
};
