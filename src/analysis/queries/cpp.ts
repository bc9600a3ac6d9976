/** C++. */
import {
  array,
  blankMacros,
  C_TAGS,
  initialized,
  oneOf,
  pointer,
  toIncludeAlias,
} from "./c_family.ts";
import type { LanguageQuery } from "./language_query.ts";

const FUNCTION = "(function_declarator) @inner";
const REFERENCED = oneOf(FUNCTION, pointer(FUNCTION), `(reference_declarator ${FUNCTION})`);
const LAST =
  "[(identifier) (destructor_name) (operator_name) (template_function name: (identifier))] @name";
const OUTSIDE = `(qualified_identifier scope: (_) @scope name: ${LAST})`;
const METHOD = oneOf(
  ...["field_identifier", "destructor_name", "operator_name"].map((node) => `(${node}) @name`),
  OUTSIDE,
  `(qualified_identifier name: ${oneOf(OUTSIDE, `(qualified_identifier name: ${OUTSIDE})`)})`,
);
const METHODS = [
  `(function_declarator declarator: ${METHOD} parameters: (_) @params) @definition.method`,
  ...["field_declaration", "function_definition", "declaration"].map((node) =>
    `(${node} declarator: ${REFERENCED}) @outer`
  ),
].join("\n");
/** Static members where they are made: outside of their class. */
const OUTER_NAME = "(qualified_identifier scope: (_) @scope name: (identifier) @name)";
const STATIC = [OUTER_NAME, pointer(OUTER_NAME), array(OUTER_NAME)];
const WRAPPED = [
  "function_definition",
  "declaration",
  "class_specifier",
  "struct_specifier",
  "alias_declaration",
  "concept_definition",
];

const TAGS = `
(namespace_identifier) @reference.read
(call_expression function: [
  (qualified_identifier name: [(identifier) @reference.call (qualified_identifier name: (identifier) @reference.call)
    (template_function name: (identifier) @reference.call)])
  (template_function name: (identifier) @reference.call)
  (field_expression field: (template_method name: (field_identifier) @reference.call))])
(new_expression type: (type_identifier) @reference.call)
(field_initializer (field_identifier) @reference.write)
[(lambda_expression) (catch_clause) (for_range_loop) (if_statement) (while_statement) (switch_statement)] @block
(parameter_declaration declarator: (reference_declarator (identifier) @bound))
(optional_parameter_declaration declarator: [(identifier) @bound (pointer_declarator declarator: (identifier) @bound) (reference_declarator (identifier) @bound)])
(for_range_loop declarator: [(identifier) @bound (reference_declarator (identifier) @bound) (pointer_declarator declarator: (identifier) @bound)])
(structured_binding_declarator (identifier) @bound)
(lambda_expression body: (_) @local)

(namespace_definition name: (_) @name) @definition.namespace
(class_specifier name: (_) @name body: (_)) @definition.class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.struct
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.class
(class_specifier name: (type_identifier) @name (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)) @definition.class
(struct_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)]
  (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)) @definition.struct
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.concept
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field
(declaration declarator: ${initialized(STATIC)}) @definition.variable
(declaration declarator: (init_declarator declarator: (reference_declarator (identifier) @name))) @definition.variable
(field_declaration declarator: (pointer_declarator declarator: (reference_declarator (field_identifier) @name))) @definition.field
(type_definition declarator: (reference_declarator (type_identifier) @name)) @definition.typedef
(function_definition declarator: (operator_cast) @name) @definition.method
(declaration declarator: (operator_cast) @name) @definition.method
(function_definition declarator: (qualified_identifier scope: (_) @scope name: (operator_cast) @name)) @definition.method
(declaration declarator: (reference_declarator (function_declarator declarator: (identifier) @name) @inner)) @definition.prototype @outer
(function_declarator declarator: (template_function) @name parameters: (_) @params) @definition.function
${METHODS}
${WRAPPED.map((node) => `(template_declaration (${node}) @inner) @outer`).join("\n")}
(using_declaration (qualified_identifier) @import.module)
`;

/** Kinds whose names may have template arguments. */
const PLAIN_KINDS: ReadonlySet<string> = new Set(["method", "function", "class", "struct"]);

/** The rules of the grammar. */
export const QUERY: LanguageQuery = {
  tags: C_TAGS + TAGS,
  separators: [".", "->", "::"],
  nameOf: (text, kind) =>
    /^operator\b/.test(text)
      ? text.replace(/^operator\s+(?=\W)/, "operator").replace(
        /^(operator\s[\s\S]*\S)\s*\(\s*\)[\s\S]*$/,
        "$1",
      )
      : PLAIN_KINDS.has(kind)
      ? text.replace(/\s*<[\s\S]*$/, "")
      : text,
  repair: blankMacros,
  isVisible: ({ header, kind, parentKind }) =>
    /^(?:namespace)?$/.test(parentKind) && /^(?:function|prototype|variable)$/.test(kind)
      ? !/\bstatic\b/.test(header)
      : undefined,
  aliasOf: toIncludeAlias,
};
