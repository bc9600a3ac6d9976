/** C#, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form, SLASH } from "../language_row.ts";
import { JAVA_FORMS, JAVA_MODIFIERS, JAVA_TYPE } from "./jvm.ts";

/** The row. */
export const C_SHARP: LanguageRow = {
  name: "C#",
  grammar: "c_sharp",
  family: "c_sharp",
  familyFacts: {
    binding: true,
    blocks: true,
    implicitMembers: true,
    namespaces: true,
    ownFirst: true,
    open: true,
    parent: "base",
  },
  ...SLASH,
  ext: "cs csx",
  aliases: "cs csharp",
  ctags: "C#",
  quotes: ['"'],
  overloads: true,
  saysResults: true,
  forms: [
    ...JAVA_FORMS,
    form("struct", `^\\s*${JAVA_MODIFIERS}*struct\\s+NAME`),
    form("namespace", "^\\s*namespace\\s+(?<name>[\\w.]+)"),
    form("property", `^\\s+${JAVA_MODIFIERS}+${JAVA_TYPE}\\s+NAME\\s*(?:\\{|=>)`),
  ],
  prints: /(?:^|\.)Console\.(?:Error\.)?Write(?:Line)?$/,
  tests: {
    names: /^(.+)(?:Tests?|Specs?)$|^Test([A-Z].*)$/,
    functions: /\[\s*(?:[\w.]*Test\w*|Fact|Theory)\b/,
    off: /\[\s*Ignore\b|\bSkip\s*=/,
    missing:
      /CS(?:0103|0117|1061|0234|0246|1501|1739)\b.*?['"](\w+)['"](?: does not exist|.*? does not contain a definition for '(\w+)')?/,
  },
  bodies: {
    functions:
      "method_declaration constructor_declaration local_function_statement operator_declaration",
    lambdas: "lambda_expression anonymous_method_expression",
    named:
      "variable_declarator variable_declaration field_declaration local_declaration_statement assignment_expression",
    classes: "class_declaration struct_declaration namespace_declaration",
    blocks: "block arrow_expression_clause declaration_list",
    neutral:
      "using_directive file_scoped_namespace_declaration attribute_list modifier extern_alias_directive",
    promotes: /\)\s*:\s*(?:base|this)\b/,
    emptyClass: /:\s*\w|\bstruct\b|\[|\(|\bpartial\b/,
  },
  mutants: {
    operators: "binary_expression",
    constants: "integer_literal real_literal boolean_literal",
    conditions: "if_statement.condition conditional_expression.condition",
    returns: "return_statement",
    nothing: "default",
    statements: "expression_statement",
    calls: "invocation_expression await_expression",
  },
};
