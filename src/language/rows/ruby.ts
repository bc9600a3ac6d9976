/** Ruby, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form, HASH } from "../language_row.ts";

/** The row. */
export const RUBY: LanguageRow = {
  name: "Ruby",
  grammar: "ruby",
  family: "ruby",
  familyFacts: {
    moduleIsFile: true,
    looseTypes: true,
    binding: true,
    blocks: true,
    dynamic: true,
    implicitMembers: true,
    open: true,
  },
  interpolation: "#{",
  ...HASH,
  block: [["=begin", "=end"]],
  ext: "rb rake gemspec ru",
  files: "Rakefile Gemfile Vagrantfile",
  aliases: "rb",
  ctags: "Ruby",
  nameChars: "?!",
  forms: [
    form("class", "^\\s*class\\s+(?:\\w+::)*NAME"),
    form("module", "^\\s*module\\s+(?:\\w+::)*NAME"),
    form(
      "method",
      "^\\s*(?:(?:private|public|protected)\\s+)?def\\s+(?:self\\.)?(?<name>[\\p{L}_][\\p{L}\\p{N}_]*[?!=]?)",
    ),
    form("constant", "^\\s*(?<name>[A-Z][A-Z0-9_]*)\\s*="),
  ],
  prints: /^(?:puts|pp?|print)$/,
  tests: {
    names: /^(.+)_(?:spec|test)$|^test_(.+)$/,
    functions: /\bdef\s+test_/,
    calls: /^[xf]?(?:it|test|specify|scenario)$/,
    off: /^x(?:it|specify|describe|context)$/,
    missing:
      /undefined (?:local variable or )?method [`'](\w+[?!]?)' (?!for nil)|uninitialized constant ([\w:]+)|cannot load such file -- (\S+)|wrong number of arguments|unknown keyword: :(\w+)/,
  },
  bodies: {
    functions: "method singleton_method",
    lambdas: "lambda",
    named: "assignment",
    classes: "class module singleton_class",
    blocks: "body_statement block do_block block_body",
    neutralText: /^(?:require|require_relative|load|private|protected|public|module_function)\b/,
    constructors: /\bdef initialize\b/,
    emptyClass: /<|\bmodule\b/,
    isBodyOptional: true,
  },
  mutants: {
    operators: "binary",
    constants: "integer float true false",
    conditions:
      "if.condition unless.condition elsif.condition if_modifier.condition unless_modifier.condition conditional.condition",
    returns: "return",
    nothing: "nil",
    statements: "body_statement then else block_body do",
    calls: "call",
    gap: "nil",
    hollow: {
      leave: "return VALUE",
      values: [
        [/^\??(?:string|str)$/, "''", "'?'"],
        [/^\??(?:int|float|number)$/, "0", "7"],
        [/^\??(?:bool|boolean)$/, "false", "true"],
        [/^\??array$/, "[]", "[nil]"],
        [/^/, "nil", "[nil]"],
      ],
      items: { wrapped: "[ARG]", last: "ARG.last", first: "ARG.first" },
      parameter: /^(?<name>\w+)/,
    },
  },
};
