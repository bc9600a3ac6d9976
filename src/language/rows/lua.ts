/** Lua, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form } from "../language_row.ts";

/** The row. */
export const LUA: LanguageRow = {
  name: "Lua",
  grammar: "lua",
  family: "lua",
  familyFacts: { moduleIsFile: true, looseTypes: true, binding: true },
  line: ["--"],
  block: [["--[[", "]]"]],
  ext: "lua",
  ctags: "Lua",
  forms: [
    form("function", "^\\s*(?:local\\s+)?function\\s+(?:[\\w.]+[.:])?NAME"),
    form("function", "^\\s*(?:local\\s+)?(?:[\\w.]+\\.)?NAME\\s*=\\s*function\\b"),
  ],
  prints: /^(?:print|pprint|pprint\.pprint|NSLog|debugPrint)$/,
  tests: { names: /^(.+)[_-](?:spec|test)$|^test[_-](.+)$/ },
  bodies: {
    functions: "function_declaration",
    lambdas: "function_definition",
    named: "assignment_statement field",
    blocks: "block",
    isBodyOptional: true,
  },
  mutants: {
    operators: "binary_expression",
    swaps: { "==": "~=", "~=": "==" },
    constants: "number true false",
    conditions: "if_statement.condition elseif_statement.condition",
    not: ["not (", ")"],
    returns: "return_statement",
    nothing: "nil",
    statements: "block",
    calls: "function_call",
    gap: "do end",
  },
};
