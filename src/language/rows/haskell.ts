/** Haskell, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form } from "../language_row.ts";

/** The row. */
export const HASKELL: LanguageRow = {
  name: "Haskell",
  grammar: "haskell",
  family: "haskell",
  familyFacts: { moduleIsFile: true },
  line: ["--"],
  block: [["{-", "-}"]],
  ext: "hs",
  aliases: "hs",
  ctags: "Haskell",
  quotes: ['"'],
  nameChars: "'",
  forms: [
    form("module", "^module\\s+(?<name>[\\w.]+)"),
    form("type", "^(?:data|newtype|type)\\s+(?:family\\s+|instance\\s+)?(?<name>[A-Z][\\w']*)"),
    form("class", "^class\\s+(?:.*=>\\s*)?(?<name>[A-Z][\\w']*)"),
    form("function", "^(?<name>[a-z_][\\w']*)\\s*::"),
  ],
  prints: /^(?:putStrLn|print)$/,
  tests: { names: /^(.+)(?:Spec|Test)$/ },
  bodies: {
    functions: "function bind",
    blocks: "declarations instance_declarations class_declarations",
    neutral: "header imports import signature pragma",
    noop: /^undefined$/,
    comments: /comment|haddock/,
    emptyClass: /^/,
  },
  mutants: {
    operators: "infix",
    swaps: { "==": "/=", "/=": "==" },
    constants: "integer float constructor",
    conditions: "conditional.if boolean#0",
    not: ["not (", ")"],
  },
};
