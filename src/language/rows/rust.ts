/** Rust, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form, SLASH } from "../language_row.ts";

const RUST_MODIFIERS =
  "^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:default\\s+)?(?:const\\s+)?(?:async\\s+)?(?:unsafe\\s+)?";
/** The row. */
export const RUST: LanguageRow = {
  name: "Rust",
  grammar: "rust",
  family: "rust",
  familyFacts: { binding: true, passesOn: ["pub use"] },
  saysResults: true,
  ...SLASH,
  ext: "rs",
  aliases: "rs",
  ctags: "Rust",
  quotes: ['"'],
  forms: [
    form("function", `${RUST_MODIFIERS}(?:extern\\s+"[^"]*"\\s+)?fn\\s+NAME`),
    form("struct", `${RUST_MODIFIERS}struct\\s+NAME`),
    form("enum", `${RUST_MODIFIERS}enum\\s+NAME`),
    form("interface", `${RUST_MODIFIERS}trait\\s+NAME`),
    form("module", `${RUST_MODIFIERS}mod\\s+NAME`),
    form("typedef", `${RUST_MODIFIERS}type\\s+NAME`),
    form(
      "constant",
      "^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:const|static)\\s+(?:mut\\s+)?(?!fn\\b)NAME\\s*:",
    ),
    form(
      "implementation",
      "^\\s*(?:unsafe\\s+)?impl(?:<[^>]*>)?\\s+(?:[\\w:<>, ]+\\s+for\\s+)?NAME",
    ),
    form("macro", "^\\s*macro_rules!\\s+NAME"),
  ],
  prints: /^(?:std::)?e?print(?:ln)?!$/,
  tests: {
    names: /^(.+)_tests?$|^tests?$/,
    functions: /#\[\s*(?:[\w:]+::)?(?:test|rstest|bench|case)\b/,
    calls: /^(?:proptest|quickcheck)!$/,
    off: /#\[\s*ignore\b/,
    missing:
      /\bcannot find (?:\w+ )+`(\w+)!?`|unresolved import `([\w:]+)`|no (?:\w+ )+(?:named )?`(\w+)` (?:found|in)|no `(\w+)` in|this (?:function|method) takes \d+ arguments?/,
  },
  bodies: {
    functions: "function_item",
    lambdas: "closure_expression",
    named: "let_declaration const_item",
    classes: "impl_item mod_item",
    blocks: "block declaration_list",
    neutral:
      "use_declaration extern_crate_declaration attribute_item inner_attribute_item visibility_modifier",
    emptyClass: /\bfor\b/,
  },
  mutants: {
    operators: "binary_expression range_expression",
    swaps: { "..": "..=", "..=": ".." },
    constants: "integer_literal float_literal boolean_literal",
    conditions: "if_expression.condition",
    returns: "return_expression",
    nothing: "Default::default()",
    statements: "expression_statement",
    calls: "call_expression await_expression try_expression",
  },
};
