/** Elixir, as a row of the table of languages. */
import type { DefinitionPattern, LanguageRow } from "../language_row.ts";
import { form, HASH } from "../language_row.ts";

const FORMS: readonly DefinitionPattern[] = [
  form("module", "^\\s*defmodule\\s+(?<name>[\\w.]+)"),
  form("protocol", "^\\s*defprotocol\\s+(?<name>[\\w.]+)"),
  form(
    "function",
    "^\\s*(?:def|defp|defdelegate|defguardp?)\\s+(?<name>[\\p{L}_][\\p{L}\\p{N}_]*[?!]?)",
  ),
  form("macro", "^\\s*defmacrop?\\s+(?<name>[\\p{L}_][\\p{L}\\p{N}_]*[?!]?)"),
];

/** The row. */
export const ELIXIR: LanguageRow = {
  name: "Elixir",
  grammar: "elixir",
  family: "elixir",
  interpolation: "#{",
  ...HASH,
  ext: "ex exs",
  aliases: "ex",
  ctags: "Elixir",
  quotes: ['"""', '"'],
  nameChars: "?!",
  forms: FORMS,
  tests: { names: /^(.+)_test$/, begin: /\b(?:test|property|describe|doctest)\b[\s(]/g },
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
