/** PHP, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form } from "../language_row.ts";

/** The row. */
export const PHP: LanguageRow = {
  name: "PHP",
  grammar: "php",
  family: "php",
  familyFacts: {
    binding: true,
    blocks: true,
    dynamic: true,
    namespaces: true,
    open: true,
    parent: "parent",
  },
  line: ["//", "#"],
  block: [["/*", "*/"]],
  ext: "php php3 php4 php5 phtml inc",
  ctags: "PHP",
  forms: [
    form("class", "^\\s*(?:(?:abstract|final|readonly)\\s+)*class\\s+NAME"),
    form("interface", "^\\s*interface\\s+NAME"),
    form("trait", "^\\s*trait\\s+NAME"),
    form("enum", "^\\s*enum\\s+NAME"),
    form("namespace", "^\\s*namespace\\s+(?<name>[\\w\\\\]+)"),
    form(
      "function",
      "^\\s*(?:(?:public|private|protected|static|abstract|final)\\s+)*function\\s+&?\\s*NAME",
    ),
    form(
      "constant",
      "^\\s*(?:(?:public|private|protected|final)\\s+)*const\\s+(?:\\w+\\s+)?NAME\\s*=",
    ),
  ],
  prints: /^(?:echo|print|error_log)$/,
  tests: {
    names: /^(.+)(?:TestCase|Test|Spec|Cest)$/,
    functions: /\bfunction\s+test|#\[\s*(?:\\?[\w\\]*\\)?Test\b/,
    calls: /^(?:it|test)(?:\(\)(?:->\w+)?)?$/,
    off: /->skip$/,
    missing:
      /Call to undefined (?:function|method) ([\w\\:]+)|(?:Class|Interface) "([\w\\]+)" not found|Unknown named parameter \$(\w+)/,
  },
  bodies: {
    functions: "function_definition method_declaration",
    lambdas: "anonymous_function arrow_function",
    named: "assignment_expression array_element_initializer",
    classes: "class_declaration trait_declaration",
    blocks: "compound_statement declaration_list",
    neutral:
      "php_tag declare_statement namespace_definition namespace_use_declaration attribute_list",
    constructors: /\b__(?:con|de)struct\b/,
    promotes: /\(\s*[\s\S]*\b(?:private|public|protected|readonly)\s+[?\w\\|]*\s*\$/,
    emptyClass: /\bextends\b|\bimplements\b|#\[/,
  },
  mutants: {
    operators: "binary_expression",
    constants: "integer float boolean",
    conditions: "if_statement.condition else_if_clause.condition conditional_expression.condition",
    returns: "return_statement",
    nothing: "null",
    statements: "expression_statement",
    calls: "function_call_expression member_call_expression scoped_call_expression",
    hollow: {
      leave: "return VALUE;",
      values: [
        [/^\??(?:string|str)$/, "''", "'?'"],
        [/^\??(?:int|float|number)$/, "0", "7"],
        [/^\??(?:bool|boolean)$/, "false", "true"],
        [/^\??array$/, "[]", "[null]"],
        [/^/, "null", "[null]"],
      ],
      items: { wrapped: "[ARG]", last: "end(ARG)", first: "reset(ARG)" },
      parameter: /^(?:[?\w\\|]+ )?&?(?<name>\$\w+)/,
    },
  },
};
