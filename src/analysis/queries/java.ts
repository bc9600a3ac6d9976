/** Java. */
import type { LanguageQuery } from "./language_query.ts";

const TYPES = ["class", "interface", "enum", "record", "annotation_type"].map((type) => {
  const kind = type === "record" ? "class" : type === "annotation_type" ? "interface" : type;
  return `(${type}_declaration name: (identifier) @name) @definition.${kind}`;
}).join("\n");

/** An object whose type stands beside it; with a body of its own it may do otherwise. */
const NEW =
  "(object_creation_expression type: [(type_identifier) @of (generic_type (type_identifier) @of)] arguments: (_) .)";
const OBJECTS = [
  NEW,
  `(parenthesized_expression ${NEW})`,
  "(parenthesized_expression (cast_expression type: [(type_identifier) @of (generic_type (type_identifier) @of)]))",
];

/** The rules of the grammar. */
export const JAVA: LanguageQuery = {
  tags: `
(line_comment) @doc
(block_comment) @doc
(identifier) @reference.read
(type_identifier) @reference.type
(method_invocation name: (identifier) @reference.call)
(object_creation_expression type: (type_identifier) @reference.call)
(object_creation_expression type: (generic_type (type_identifier) @reference.call))
(method_reference (identifier) @reference.call .)
(annotation name: (identifier) @reference.type)
(marker_annotation name: (identifier) @reference.type)
(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (field_access field: (identifier) @reference.write))
(update_expression (identifier) @reference.write)
(update_expression (field_access field: (identifier) @reference.write))
(formal_parameter name: (identifier) @reference.write)
(local_variable_declaration declarator: (variable_declarator name: (identifier) @reference.write))
(import_declaration (identifier) @reference.import)
(import_declaration (scoped_identifier name: (identifier) @reference.import))
(package_declaration (identifier) @reference.read)

(element_value_pair key: (identifier) @member)
${
    OBJECTS.map((object) =>
      `(method_invocation object: ${object} name: (identifier) @member)
(field_access object: ${object} field: (identifier) @member)`
    ).join("\n")
  }
[(block) (lambda_expression) (for_statement) (enhanced_for_statement) (catch_clause) (try_with_resources_statement) (method_declaration)
  (constructor_declaration) (compact_constructor_declaration) (switch_rule) (switch_block_statement_group) (class_declaration)
  (interface_declaration) (record_declaration)] @block
(formal_parameter name: (identifier) @bound)
(spread_parameter (variable_declarator name: (identifier) @bound))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @bound))
(lambda_expression parameters: (identifier) @bound)
(inferred_parameters (identifier) @bound)
(enhanced_for_statement name: (identifier) @bound)
(catch_formal_parameter name: (identifier) @bound)
(resource name: (identifier) @bound)
(instanceof_expression name: (identifier) @bound)
(type_pattern (identifier) @bound)
(type_parameter (type_identifier) @bound)
(record_pattern_component (identifier) @bound)
(object_creation_expression type: (_) @object.type (class_body) @object)
(enum_constant body: (class_body) @object)

(method_declaration body: (_) @local)
(constructor_declaration body: (_) @local)

(package_declaration [(scoped_identifier) (identifier)] @name) @definition.package
${TYPES}
(class_declaration name: (identifier) @name superclass: (superclass (_) @base)) @definition.class
(class_declaration name: (identifier) @name interfaces: (super_interfaces (type_list (_) @base))) @definition.class
(enum_declaration name: (identifier) @name interfaces: (super_interfaces (type_list (_) @base))) @definition.enum
(record_declaration name: (identifier) @name interfaces: (super_interfaces (type_list (_) @base))) @definition.class
(interface_declaration name: (identifier) @name (extends_interfaces (type_list (_) @base))) @definition.interface
(record_declaration name: (identifier) @name parameters: (_) @params) @definition.class
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.field))
(method_declaration type: (_) @result name: (identifier) @name parameters: (_) @params) @definition.method
(constructor_declaration name: (identifier) @name parameters: (_) @params) @definition.method
(compact_constructor_declaration name: (identifier) @name) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(enum_constant name: (identifier) @name) @definition.enumerator

(import_declaration) @import.statement
`,
  callsApart: true,
  separators: [".", "::"],
  isVisible: ({ header, parentKind, kind }) =>
    kind === "package"
      ? undefined
      : /\b(?:public|protected)\b/.test(header) || parentKind === "interface" ||
        parentKind === "enum" && !/\bprivate\b/.test(header),
  importsOf(statement) {
    const match = /^import\s+(?:static\s+)?([\w.$\s]+?)(?:\s*\.\s*(\*))?\s*;?$/.exec(statement);
    const path = match?.[1]?.replace(/\s/g, "");
    if (path === undefined) return [];
    if (match?.[2] !== undefined) return [{ module: path, name: "*", alias: "", offset: 0 }];
    const dot = path.lastIndexOf(".");
    const name = path.slice(dot + 1);
    return [{ module: path.slice(0, Math.max(0, dot)), name, alias: name, offset: 0 }];
  },
};
