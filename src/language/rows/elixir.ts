/** Elixir, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form, HASH } from "../language_row.ts";

/** The row. */
export const ELIXIR: LanguageRow = {
  name: "Elixir",
  grammar: "elixir",
  family: "elixir",
  familyFacts: { looseTypes: true, open: true },
  interpolation: "#{",
  ...HASH,
  ext: "ex exs",
  aliases: "ex",
  ctags: "Elixir",
  quotes: ['"""', '"'],
  nameChars: "?!",
  forms: [
    form("module", "^\\s*defmodule\\s+(?<name>[\\w.]+)"),
    form("protocol", "^\\s*defprotocol\\s+(?<name>[\\w.]+)"),
    form(
      "function",
      "^\\s*(?:def|defp|defdelegate|defguardp?)\\s+(?<name>[\\p{L}_][\\p{L}\\p{N}_]*[?!]?)",
    ),
    form("macro", "^\\s*defmacrop?\\s+(?<name>[\\p{L}_][\\p{L}\\p{N}_]*[?!]?)"),
  ],
  prints: /^IO\.(?:puts|write)$/,
  tests: { names: /^(.+)_test$/, calls: /^(?:test|property|doctest)$/ },
  bodies: {
    functions: "",
    blocks: "do_block",
    emptyClass: /^$/,
  },
  mutants: {
    operators: "binary_operator",
    constants: "integer float boolean",
    statements: "do_block else_block body",
    calls: "call",
    gap: "nil",
  },
};
