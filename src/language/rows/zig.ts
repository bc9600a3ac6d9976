/** Zig, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form } from "../language_row.ts";

/** The row. */
export const ZIG: LanguageRow = {
  name: "Zig",
  grammar: "zig",
  family: "zig",
  familyFacts: { moduleIsFile: true, looseTypes: true },
  line: ["//"],
  ext: "zig",
  quotes: ['"'],
  forms: [
    form("function", "^\\s*(?:pub\\s+)?(?:export\\s+|inline\\s+|extern\\s+)*fn\\s+NAME"),
    form(
      "struct",
      "^\\s*(?:pub\\s+)?const\\s+NAME\\s*=\\s*(?:extern\\s+|packed\\s+)?(?:struct|enum|union)\\b",
    ),
    form(
      "constant",
      "^(?:pub\\s+)?const\\s+NAME(?!.*=\\s*(?:extern\\s+|packed\\s+)?(?:struct|enum|union)\\b)",
    ),
  ],
  prints: /^std\.log\.(?:debug|info)$/,
  tests: { names: /^(.+)_tests?$|^tests?$/, functions: /^test\b/ },
  bodies: {
    functions: "function_declaration test_declaration",
    blocks: "block",
    neutral: "visibility_modifier",
  },
  mutants: {
    operators: "binary_expression",
    constants: "integer float boolean",
    conditions: "if_statement.condition if_expression.condition",
    statements: "expression_statement",
    calls: "call_expression try_expression",
    gap: "{}",
  },
};
