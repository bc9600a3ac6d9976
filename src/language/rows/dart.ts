/** Dart, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form, SLASH } from "../language_row.ts";
import { C_WORDS } from "./c_family.ts";

/** The row. */
export const DART: LanguageRow = {
  name: "Dart",
  grammar: "dart",
  family: "dart",
  // The parts of a library see one another, whichever of them imports.
  familyFacts: {
    moduleIsFile: true,
    implicitMembers: true,
    folderPackage: "declared",
    knownByFiles: true,
  },
  interpolation: "${",
  ...SLASH,
  ext: "dart",
  quotes: ['"""', "'''", '"', "'"],
  nameChars: "$",
  forms: [
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
  ],
  prints: /^(?:print|pprint|pprint\.pprint|NSLog|debugPrint)$/,
  tests: { names: /^(.+)_test$/, calls: /^(?:test|testWidgets)$/ },
  bodies: {
    functions: "function_body",
    lambdas: "function_expression",
    named: "initialized_identifier static_final_declaration initialized_variable_definition pair",
    classes: "class_definition extension_declaration mixin_declaration",
    blocks: "block function_body function_expression_body class_body extension_body",
    neutral:
      "import_or_export library_name part_directive annotation final_builtin const_builtin inferred_type",
    emptyClass: /\b(?:extends|implements|with|mixin|on)\b|@/,
    isBodyBeside: true,
  },
  mutants: {
    operators:
      "relational_expression equality_expression additive_expression multiplicative_expression logical_and_expression logical_or_expression",
    constants: "decimal_integer_literal decimal_floating_point_literal true false",
    conditions: "if_statement()",
    returns: "return_statement",
    nothing: "null",
    statements: "expression_statement",
    calls: "selector await_expression",
    gap: "{}",
  },
};
