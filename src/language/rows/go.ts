/** Go, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form, SLASH } from "../language_row.ts";

/** The row. */
export const GO: LanguageRow = {
  name: "Go",
  grammar: "go",
  family: "go",
  familyFacts: { binding: true, typed: true, folderPackage: "always", knownByFiles: true },
  ...SLASH,
  ext: "go",
  aliases: "golang",
  ctags: "Go",
  quotes: ["`", '"'],
  saysResults: true,
  forms: [
    form("function", "^func\\s+(?:\\([^)]*\\)\\s*)?NAME"),
    form("struct", "^\\s*type\\s+NAME(?:\\[[^\\]]*\\])?\\s+struct\\b"),
    form("interface", "^\\s*type\\s+NAME(?:\\[[^\\]]*\\])?\\s+interface\\b"),
    form("type", "^\\s*type\\s+NAME(?:\\[[^\\]]*\\])?\\s+(?!struct\\b|interface\\b)"),
    form("constant", "^const\\s+NAME"),
    form("variable", "^var\\s+NAME"),
    form("package", "^package\\s+NAME"),
  ],
  prints: /^(?:(?:fmt|log)\.Print(?:f|ln)?|print(?:ln)?)$/,
  tests: {
    names: /^(.+)_test$/,
    functions: /^func\s+(?:Test|Benchmark|Fuzz|Example)/,
    missing:
      /\bundefined: ([\w.]+)|\bundefined \(type .* has no field or method (\w+)\)|(?:too many|not enough) arguments in call to ([\w.]+)|no required module provides package (\S+)|package (\S+) is not in std|unknown field (\w+)/,
  },
  bodies: {
    functions: "function_declaration method_declaration",
    lambdas: "func_literal",
    named: "var_spec",
    blocks: "block statement_list",
    neutral: "package_clause import_declaration",
  },
  mutants: {
    operators: "binary_expression",
    constants: "int_literal float_literal true false",
    conditions: "if_statement.condition",
    statements: "expression_statement",
    calls: "call_expression",
    gap: "{}",
    hollow: {
      leave: "if true { return VALUE };",
      values: [
        [/^\[\]/, "*new(TYPE)", "make(TYPE, 1)"],
        [/^map\b/, "*new(TYPE)", "TYPE{}"],
        [/^bool$/, "*new(TYPE)", "true"],
        [/^\*/, "*new(TYPE)", "new(ITEM)"],
        [/^/, "*new(TYPE)"],
      ],
      items: { wrapped: "TYPE{ARG}", last: "ARG[len(ARG)-1]", first: "ARG[0]" },
      parameter: /^(?<name>\w+)(?:, \w+)*\s+(?<type>[^.].*)$/,
    },
  },
};
