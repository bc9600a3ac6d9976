/** C and C++: a row each. */
import type { DefinitionPattern, LanguageRow, TestRow } from "../language_row.ts";
import { form, SLASH } from "../language_row.ts";

/** Words that stand before a bracket without being functions. */
export const C_WORDS =
  "(?!(?:if|for|while|switch|return|else|catch|new|delete|throw|do|case|goto|using)\\b)";
/** The forms of definitions, which other languages have too. */
export const C_FORMS: readonly DefinitionPattern[] = [
  form("macro", "^\\s*#\\s*define\\s+NAME"),
  form("struct", "^\\s*(?:typedef\\s+)?struct\\s+NAME[^;()]*$"),
  form("union", "^\\s*(?:typedef\\s+)?union\\s+NAME[^;()]*$"),
  form("enum", "^\\s*(?:typedef\\s+)?enum\\s+(?:class\\s+)?NAME[^;()]*$"),
  form("typedef", "^\\s*typedef\\s+[^{};]*\\bNAME\\s*;"),
  form("function", `^${C_WORDS}[\\w][\\w\\s*&<>:,\\[\\]]*?[\\s*&](?:\\w+::)*~?NAME\\s*\\([^;]*$`),
];
/** What prints in C and C++. */
export const C_PRINTS = /^(?:std::)?(?:f?printf|puts|NSLog|cout|cerr)$/;
/** Tests of C and C++. */
export const C_TESTS: TestRow = {
  names: /^(.+)(?:[_-](?:unit)?tests?|Tests?)$|^tests?[_-](.+)$|^Test([A-Z].*)$/,
  functions: /^(?:TEST|SCENARIO|BOOST_)\w*\s*\(|\bvoid\s+test\w*\s*\(/,
  calls: /^(?:TEST|SCENARIO|BOOST_)\w*$/,
  off: /\bDISABLED_/,
  missing:
    /implicit declaration of function ['‘`](\w+)|undefined reference to ['‘`](\w+)|['‘`](\w+)['’] (?:undeclared|was not declared in this scope)|no member named ['‘`](\w+)|(?:use of|call to) undeclared (?:identifier|function) '(\w+)|fatal error: (\S+): No such file|too (?:many|few) arguments to function/,
};

/** The row of C. */
export const C: LanguageRow = {
  name: "C",
  grammar: "c",
  family: "c",
  familyFacts: { moduleIsFile: true, binding: true, blocks: true, implicitMembers: true },
  ...SLASH,
  ext: "c h",
  ctags: "C",
  quotes: ['"'],
  forms: C_FORMS,
  prints: C_PRINTS,
  tests: C_TESTS,
  bodies: {
    functions: "function_definition",
    blocks: "compound_statement",
    neutral: "preproc_include storage_class_specifier",
  },
  mutants: {
    operators: "binary_expression",
    constants: "number_literal true false",
    conditions: "if_statement.condition conditional_expression.condition",
    returns: "return_statement",
    nothing: "0",
    statements: "expression_statement",
    calls: "call_expression",
    hollow: {
      leave: "if (1) return VALUE;",
      values: [
        [/^(?:bool|_Bool)$/, "(TYPE){0}", "1"],
        [/^(?:\w+ )*(?:char|short|int|long|size_t|float|double)$/, "(TYPE){0}", "7"],
        [/^/, "(TYPE){0}"],
      ],
      parameter: /^(?<type>.+?[\s*])(?<name>\w+)$/,
    },
  },
};

/** The row of C++. */
export const CPP: LanguageRow = {
  name: "C++",
  grammar: "cpp",
  family: "c",
  ...SLASH,
  ext: "cpp cc cxx c++ hpp hh hxx h++ h inl ipp tpp",
  aliases: "cpp cxx cplusplus",
  ctags: "C++",
  quotes: ['"'],
  overloads: true,
  forms: [
    ...C_FORMS,
    form("class", "^\\s*(?:template\\s*<[^>]*>\\s*)?class\\s+NAME[^;()]*$"),
    form("namespace", "^\\s*(?:inline\\s+)?namespace\\s+NAME"),
    form("method", `^\\s+${C_WORDS}(?:[\\w][\\w\\s*&<>:,]*[\\s*&])~?NAME\\s*\\([^;]*\\)[^;]*\\{`),
    form("type", "^\\s*using\\s+NAME\\s*="),
  ],
  prints: C_PRINTS,
  tests: C_TESTS,
  bodies: {
    functions: "function_definition",
    lambdas: "lambda_expression",
    named: "init_declarator declaration",
    classes: "class_specifier struct_specifier namespace_definition linkage_specification",
    blocks: "compound_statement field_declaration_list declaration_list",
    neutral:
      "preproc_include using_declaration access_specifier template_parameter_list alias_declaration storage_class_specifier",
    constructors:
      /^(?:(?:explicit|inline|constexpr|virtual)\s+)*(?:[\w:<>]+::)?~?([A-Za-z_]\w*)\s*\(/,
    promotes: /\)[^{]*:\s*\w/,
    emptyClass: /:[^:]|\bstruct\b/,
  },
  mutants: {
    operators: "binary_expression",
    constants: "number_literal true false",
    conditions: "if_statement.condition conditional_expression.condition",
    returns: "return_statement",
    nothing: "{}",
    statements: "expression_statement",
    calls: "call_expression",
  },
};
