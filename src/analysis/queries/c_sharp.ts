/** C#. */
import { keepFirstBranch } from "./load.ts";
import type { LanguageQuery } from "./language_query.ts";

const TYPES = [
  ["class", "class"],
  ["interface", "interface"],
  ["struct", "struct"],
  ["record", "class"],
  ["enum", "enum"],
].map(([node, kind]) =>
  `(${node}_declaration name: (identifier) @name) @definition.${kind}
(${node}_declaration name: (identifier) @name (base_list (_) @base)) @definition.${kind}`
).join("\n");

/** Objects whose type stands beside them. */
const NAMED = "[(identifier) @of (generic_name (identifier) @of)]";
const OBJECTS = [
  `(object_creation_expression type: ${NAMED})`,
  `(parenthesized_expression (object_creation_expression type: ${NAMED}))`,
  `(parenthesized_expression (cast_expression type: ${NAMED}))`,
  `(parenthesized_expression (as_expression right: ${NAMED}))`,
];

/** The rules of the grammar. */
export const C_SHARP: LanguageQuery = {
  tags: `
(comment) @doc
(identifier) @reference.read
(invocation_expression function: (identifier) @reference.call)
(invocation_expression function: (generic_name (identifier) @reference.call))
(invocation_expression function: (member_access_expression name: (identifier) @reference.call))
(invocation_expression function: (member_access_expression name: (generic_name (identifier) @reference.call)))
(invocation_expression function: (conditional_access_expression (member_binding_expression name: (identifier) @reference.call)))
(object_creation_expression type: (identifier) @reference.call)
(object_creation_expression type: (generic_name (identifier) @reference.call))
(attribute name: (identifier) @reference.type)
(base_list (identifier) @reference.type)
(base_list (generic_name (identifier) @reference.type))
(type_argument_list (identifier) @reference.type)
(_ type: (identifier) @reference.type)
(_ type: (generic_name (identifier) @reference.type))
(_ type: (nullable_type (identifier) @reference.type))
(_ type: (array_type type: (identifier) @reference.type))
(_ returns: (identifier) @reference.type)
(_ returns: (generic_name (identifier) @reference.type))
(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (member_access_expression name: (identifier) @reference.write))
(postfix_unary_expression (identifier) @reference.write)
(prefix_unary_expression (identifier) @reference.write)
(parameter name: (identifier) @reference.write)
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @reference.write)))
(using_directive (identifier) @reference.import)
(using_directive (qualified_name name: (identifier) @reference.import))

(initializer_expression (assignment_expression left: (identifier) @reference.write @member))
(argument name: (identifier) @member)
(attribute_argument name: (identifier) @member)
${
    OBJECTS.map((object) =>
      `(member_access_expression expression: ${object} name: [(identifier) @member (generic_name (identifier) @member)])`
    ).join("\n")
  }
[(block) (lambda_expression) (anonymous_method_expression) (for_statement) (foreach_statement) (catch_clause) (using_statement)
  (method_declaration) (constructor_declaration) (operator_declaration) (local_function_statement) (switch_section) (query_expression)] @block
(parameter name: (identifier) @bound)
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @bound)))
(for_statement (variable_declaration (variable_declarator name: (identifier) @bound)))
(using_statement (variable_declaration (variable_declarator name: (identifier) @bound)))
(foreach_statement left: [(identifier) @bound (tuple_pattern name: (identifier) @bound)])
(catch_declaration name: (identifier) @bound)
(lambda_expression parameters: (implicit_parameter) @reference.write @bound)
(declaration_pattern name: (identifier) @bound)
(declaration_expression name: (identifier) @bound)
(from_clause name: (identifier) @bound)

(method_declaration body: (_) @local)
(constructor_declaration body: (_) @local)
(destructor_declaration body: (_) @local)
(operator_declaration body: (_) @local)
(conversion_operator_declaration body: (_) @local)

(namespace_declaration name: (_) @name) @definition.namespace
(file_scoped_namespace_declaration name: (_) @name) @definition.namespace
${TYPES}
(record_declaration name: (identifier) @name (parameter_list) @params) @definition.class
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.property))
(enum_member_declaration name: (identifier) @name) @definition.enumerator
(delegate_declaration type: (_) @result name: (identifier) @name parameters: (_) @params) @definition.delegate
(method_declaration returns: (_) @result name: (identifier) @name parameters: (_) @params) @definition.method
(local_function_statement type: (_) @result name: (identifier) @name parameters: (_) @params) @definition.function
(constructor_declaration name: (identifier) @name parameters: (_) @params) @definition.method
(operator_declaration type: (_) @result "operator" . _ @name parameters: (_) @params) @definition.operator
(conversion_operator_declaration type: (_) @name parameters: (_) @params) @definition.operator
(destructor_declaration name: (identifier) @name parameters: (_) @params) @definition.destructor
(property_declaration name: (identifier) @name) @definition.property
(event_declaration name: (identifier) @name) @definition.event
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.event
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(field_declaration (modifier) @_const (variable_declaration (variable_declarator name: (identifier) @name)) (#eq? @_const "const")) @definition.constant
(indexer_declaration "this" @name parameters: (_) @params) @definition.property

(using_directive) @import.statement
`,
  separators: [".", "?.", "::"],
  // What looks like a function of this name is a statement among errors.
  nameOf: (text, kind) =>
    kind === "function" && /^(?:if|for|foreach|while|switch|catch|using|lock)$/.test(text)
      ? ""
      : kind === "operator"
      ? `operator ${text}`
      : kind === "destructor"
      ? `~${text}`
      : text,
  isVisible: ({ header, parentKind, kind }) =>
    kind === "namespace" ? undefined : parentKind === "interface" || parentKind === "enum" ||
      /\b(?:public|internal|protected)\b/.test(header) ||
      // Types of a namespace are internal unless they say otherwise.
      /^(?:namespace)?$/.test(parentKind) && !/\bprivate\b/.test(header),
  // Conditions may cut a declaration in pieces: the first branch is one that fits together.
  repair: keepFirstBranch,
  importsOf(statement) {
    const match =
      /^(?:global\s+)?using\s+(?:static\s+|unsafe\s+)*(?:(\w+)\s*=\s*)?(?:global::)?([\w.:]+)/.exec(
        statement,
      );
    const module = match?.[2];
    if (module === undefined) return [];
    const alias = match?.[1];
    return [
      alias === undefined
        ? { module, name: "*", alias: "", offset: 0 }
        : { module, name: null, alias, offset: 0 },
    ];
  },
};
