/** The languages that run on the virtual machine of Java: a row each. */
import type { DefinitionPattern, LanguageRow, TestRow } from "../language_row.ts";
import { form, SLASH } from "../language_row.ts";

/** What may stand before a declaration, as one of them. */
export const JAVA_MODIFIERS =
  "(?:(?:public|private|protected|internal|static|final|abstract|sealed|" +
  "partial|virtual|override|async|synchronized|readonly|default|native|unsafe|extern|new)\\s+)";
/** A type before a name. */
export const JAVA_TYPE =
  "(?!(?:return|new|else|throw|await|case|package|import|using)\\b)[\\w.]+(?:<[^()]*>)?(?:\\[\\])*\\??";
/** The forms of definitions, which other languages have too. */
export const JAVA_FORMS: readonly DefinitionPattern[] = [
  form("class", `^\\s*${JAVA_MODIFIERS}*(?:class|record)\\s+NAME`),
  form("interface", `^\\s*${JAVA_MODIFIERS}*@?interface\\s+NAME`),
  form("enum", `^\\s*${JAVA_MODIFIERS}*enum\\s+NAME`),
  form("method", `^\\s+${JAVA_MODIFIERS}*(?:<[^>]{1,80}>\\s*)?${JAVA_TYPE}\\s+NAME\\s*\\([^;]*$`),
  form("method", `^\\s+${JAVA_MODIFIERS}+NAME\\s*\\([^;]*$`),
];
/** What prints in the languages that run on the virtual machine of Java. */
export const JVM_PRINTS =
  /\bSystem\.(?:out|err)\.print(?:ln|f)?$|^print(?:ln)?$|\.printStackTrace$/;
/** Tests of the languages that run on the virtual machine of Java. */
export const JVM_TESTS: TestRow = {
  names: /^(.+)(?:TestCase|Tests?|Spec|IT|Suite)$|^Test([A-Z].*)$/,
  functions: /@\w*Test\w*\b|@(?:Property|Example|Theory)\b|\bvoid\s+test/,
  calls: /^(?:x?test|x?it|should|in|when|feature|scenario)(?:\(\))?$/,
  off: /@(?:Disabled|Ignore)\b|^x(?:it|test|describe|context)\b/,
  missing:
    /\berror: cannot find symbol\b|\[ERROR\].*cannot find symbol|\bsymbol: +(?:method|class|variable) (\w+)|package ([\w.]+) does not exist|(?:method|constructor) (\w+) in \w+ .* cannot be applied to given types|[Uu]nresolved reference:? '?(\w+)|not found: (?:value|type) (\w+)|value (\w+) is not a member of/,
};

/** The row of Java. */
export const JAVA: LanguageRow = {
  name: "Java",
  grammar: "java",
  family: "jvm",
  familyFacts: {
    binding: true,
    blocks: true,
    implicitMembers: true,
    folderPackage: "always",
    ownFirst: true,
  },
  ...SLASH,
  ext: "java",
  ctags: "Java",
  quotes: ['"""', '"'],
  nameChars: "$",
  overloads: true,
  saysResults: true,
  forms: JAVA_FORMS,
  prints: JVM_PRINTS,
  tests: JVM_TESTS,
  bodies: {
    functions: "method_declaration constructor_declaration compact_constructor_declaration",
    lambdas: "lambda_expression",
    named: "variable_declarator field_declaration local_variable_declaration assignment_expression",
    classes: "class_declaration",
    blocks: "block constructor_body class_body",
    neutral: "package_declaration import_declaration modifiers marker_annotation annotation",
    emptyClass: /\bextends\b|\bimplements\b|@/,
  },
  mutants: {
    operators: "binary_expression",
    constants: "decimal_integer_literal decimal_floating_point_literal true false",
    conditions: "if_statement.condition ternary_expression.condition",
    returns: "return_statement",
    nothing: "null",
    statements: "expression_statement",
    calls: "method_invocation",
    hollow: {
      leave: "if (true) return VALUE;",
      values: [
        [/^(?:byte|short|int|long|char|Integer)$/, "0", "7"],
        [/^(?:float|double)$/, "0", "7"],
        [/^Long$/, "0L", "7L"],
        [/^Double$/, "0.0", "7.0"],
        [/^[bB]oolean$/, "false", "true"],
        [/^String$/, '""', '"?"'],
        [
          /^(?:List|Collection|Iterable)\b/,
          "new java.util.ArrayList<>()",
          "new java.util.ArrayList<>(java.util.Collections.singletonList(null))",
        ],
        [/^Map\b/, "new java.util.HashMap<>()"],
        [/^Set\b/, "new java.util.HashSet<>()"],
        [/^Optional\b/, "java.util.Optional.empty()"],
        [/^/, "null"],
      ],
      items: {
        wrapped: "java.util.List.of(ARG)",
        last: "ARG.get(ARG.size() - 1)",
        first: "ARG.get(0)",
      },
      parameter: /^(?:final )?(?<type>[^.]+?)\s+(?<name>\w+)$/,
    },
  },
};

/** What may stand before a declaration, with the space behind it; the languages that share it have much of it in common. */
export const KOTLIN_MODIFIERS =
  "(?:(?:public|private|protected|internal|open|abstract|sealed|final|override|" +
  "inline|suspend|data|inner|const|lateinit|operator|companion|implicit|lazy|case|infix|enum|" +
  "annotation|static|class(?=\\s+func)|mutating|fileprivate|required|convenience|@\\w+)\\s+)*";
/** The row of Kotlin. */
export const KOTLIN: LanguageRow = {
  name: "Kotlin",
  grammar: "kotlin",
  family: "jvm",
  interpolation: "${",
  ...SLASH,
  ext: "kt kts",
  aliases: "kt",
  ctags: "Kotlin",
  quotes: ['"""', '"'],
  overloads: true,
  forms: [
    form("class", `^\\s*${KOTLIN_MODIFIERS}class\\s+NAME`),
    form("interface", `^\\s*${KOTLIN_MODIFIERS}(?:fun\\s+)?interface\\s+NAME`),
    form("object", `^\\s*${KOTLIN_MODIFIERS}object\\s+NAME`),
    form("method", `^\\s*${KOTLIN_MODIFIERS}fun\\s+(?:<[^>]*>\\s*)?(?:[\\w.<>?]+\\.)?NAME`),
    form("property", `^\\s*${KOTLIN_MODIFIERS}(?:val|var)\\s+NAME`),
    form("type", `^\\s*${KOTLIN_MODIFIERS}typealias\\s+NAME`),
  ],
  prints: JVM_PRINTS,
  tests: JVM_TESTS,
  bodies: {
    functions: "function_declaration secondary_constructor anonymous_initializer",
    lambdas: "lambda_literal anonymous_function",
    named: "property_declaration",
    classes: "class_declaration object_declaration companion_object",
    blocks: "block function_body class_body",
    neutral: "package_header import annotation",
    promotes: /\)\s*:\s*(?:this|super)\b/,
    emptyClass: /:|\(|@|\b(?:interface|object|data|annotation|enum|sealed)\b/,
    isBodyOptional: true,
  },
  mutants: {
    operators: "binary_expression range_expression",
    swaps: { "..": "..<", "..<": ".." },
    constants: "number_literal float_literal identifier",
    conditions: "if_expression.condition",
    returns: "return_expression",
    nothing: "null",
    statements: "block",
    calls: "call_expression",
    gap: "Unit",
  },
};

/** The row of Scala. */
export const SCALA: LanguageRow = {
  name: "Scala",
  grammar: "scala",
  family: "jvm",
  interpolation: "${",
  ...SLASH,
  ext: "scala sc",
  quotes: ['"""', '"'],
  overloads: true,
  forms: [
    form("class", `^\\s*${KOTLIN_MODIFIERS}class\\s+NAME`),
    form("trait", `^\\s*${KOTLIN_MODIFIERS}trait\\s+NAME`),
    form("object", `^\\s*${KOTLIN_MODIFIERS}object\\s+NAME`),
    form("method", `^\\s*${KOTLIN_MODIFIERS}def\\s+NAME`),
    form("value", `^\\s*${KOTLIN_MODIFIERS}(?:val|var)\\s+NAME`),
    form("type", `^\\s*${KOTLIN_MODIFIERS}type\\s+NAME`),
  ],
  prints: JVM_PRINTS,
  tests: JVM_TESTS,
  bodies: {
    functions: "function_definition",
    lambdas: "lambda_expression",
    named: "val_definition",
    classes: "class_definition object_definition trait_definition package_object",
    blocks: "block template_body indented_block",
    neutral: "import_declaration package_clause annotation",
    emptyClass: /\bextends\b|\(|\btrait\b|\bobject\b|\bcase\b|@/,
  },
  mutants: {
    operators: "infix_expression",
    constants: "integer_literal floating_point_literal boolean_literal",
    conditions: "if_expression.condition",
    statements: "block indented_block",
    calls: "call_expression",
    gap: "()",
  },
};
