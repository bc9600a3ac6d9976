/** Swift, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form, SLASH } from "../language_row.ts";
import { KOTLIN_MODIFIERS } from "./jvm.ts";

/** The row. */
export const SWIFT: LanguageRow = {
  name: "Swift",
  grammar: "swift",
  family: "swift",
  familyFacts: { binding: true, blocks: true, implicitMembers: true, open: true },
  ...SLASH,
  ext: "swift",
  quotes: ['"""', '"'],
  overloads: true,
  forms: [
    form("class", `^\\s*${KOTLIN_MODIFIERS}(?:class|actor)\\s+(?!func\\b)NAME`),
    form("struct", `^\\s*${KOTLIN_MODIFIERS}struct\\s+NAME`),
    form("enum", `^\\s*${KOTLIN_MODIFIERS}(?:indirect\\s+)?enum\\s+NAME`),
    form("protocol", `^\\s*${KOTLIN_MODIFIERS}protocol\\s+NAME`),
    form("extension", `^\\s*${KOTLIN_MODIFIERS}extension\\s+NAME`),
    form("function", `^\\s*${KOTLIN_MODIFIERS}func\\s+NAME`),
    form("property", `^\\s*${KOTLIN_MODIFIERS}(?:let|var)\\s+NAME`),
  ],
  prints: /^(?:print|pprint|pprint\.pprint|NSLog|debugPrint)$/,
  tests: {
    names: /^(.+)(?:Tests?|Spec)$/,
    functions: /\bfunc\s+test|@Test\b/,
    off: /@Test\(\s*\.disabled/,
  },
  bodies: {
    functions: "function_declaration init_declaration deinit_declaration",
    lambdas: "lambda_literal",
    named: "property_declaration",
    classes: "class_declaration",
    blocks: "function_body statements class_body enum_class_body",
    neutral: "import_declaration modifiers attribute",
    abstract: /\binit\?\s*\(\s*coder\b/,
    emptyClass: /:|@|\b(?:struct|enum|actor)\b/,
  },
  mutants: {
    operators:
      "infix_expression comparison_expression equality_expression additive_expression multiplicative_expression conjunction_expression disjunction_expression range_expression",
    swaps: { "..<": "...", "...": "..<" },
    constants: "integer_literal real_literal boolean_literal",
    conditions: "if_statement.condition guard_statement.condition ternary_expression.condition",
    returns: "control_transfer_statement",
    nothing: "nil",
    statements: "statements",
    calls: "call_expression try_expression",
    gap: "_ = 0",
  },
};
