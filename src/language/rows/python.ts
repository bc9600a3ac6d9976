/** Python, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form, HASH } from "../language_row.ts";

/** The row. */
export const PYTHON: LanguageRow = {
  name: "Python",
  grammar: "python",
  family: "python",
  familyFacts: {
    moduleIsFile: true,
    looseTypes: true,
    binding: true,
    typed: true,
    knownByFiles: true,
    passesOn: ["import *", "@pytest.fixture"],
  },
  ...HASH,
  ext: "py pyi pyw",
  files: "SConstruct",
  aliases: "py python3",
  ctags: "Python",
  quotes: ['"""', "'''", '"', "'"],
  forms: [
    form("class", "^\\s*class\\s+NAME"),
    form("function", "^\\s*(?:async\\s+)?def\\s+NAME"),
    form("type", "^\\s*type\\s+NAME\\s*(?:\\[[^=]{0,120}\\]\\s*)?=(?!=)"),
    form("variable", "^NAME\\s*(?::[^=]{1,80})?=(?!=)"),
  ],
  prints: /^(?:print|pprint|pprint\.pprint|NSLog|debugPrint)$/,
  tests: {
    names: /^tests?_(.+)$|^(.+)_tests?$|^tests$/,
    functions: /\bdef\s+test/,
    again: /test/i,
    off: /@(?:pytest\.mark\.skip|unittest\.skip|skip)\b/,
    offFile: /^pytestmark = pytest\.mark\.skip\b|^pytest\.skip\(.*allow_module_level/,
  },
  bodies: {
    functions: "function_definition",
    lambdas: "lambda",
    named: "assignment",
    classes: "class_definition",
    blocks: "block",
    neutral: "import_statement import_from_statement future_import_statement decorator",
    noop: /^(?:pass|\.\.\.|[rbuRBU]*(?:"""[\s\S]*"""|'''[\s\S]*'''|"[^"\n]*"|'[^'\n]*'))$/,
    handlers: "except_clause except_group_clause for_statement while_statement",
    constructors: /\bdef __init__\b/,
    abstract: /@(?:\w+\.)*(?:abstract\w+|overload)\b/,
    abstractClass: /\(\s*(?:[\w.]+\s*,\s*)*(?:typing\.|typing_extensions\.)?Protocol\b/,
    emptyClass: /\(\s*[\w.]|@/,
  },
  mutants: {
    operators: "comparison_operator boolean_operator binary_operator",
    swaps: { "is": "is not", "is not": "is", "in": "not in", "not in": "in", "//": "*" },
    constants: "integer float true false",
    conditions: "if_statement.condition elif_clause.condition conditional_expression#1",
    not: ["not (", ")"],
    returns: "return_statement",
    nothing: "None",
    statements: "expression_statement",
    calls: "call await",
    gap: "pass",
  },
};
