/** PHP. */
import type { ImportPart, LanguageQuery } from "./language_query.ts";

/** The rules of the grammar. */
export const PHP: LanguageQuery = {
  tags: `
(comment) @doc
(name) @reference.read
(function_call_expression function: (name) @reference.call)
(function_call_expression function: (qualified_name (name) @reference.call))
(member_call_expression name: (name) @reference.call)
(nullsafe_member_call_expression name: (name) @reference.call)
(scoped_call_expression name: (name) @reference.call)
(object_creation_expression (name) @reference.call)
(object_creation_expression (qualified_name (name) @reference.call))
(attribute (name) @reference.call)
(attribute (qualified_name (name) @reference.call))
(named_type (name) @reference.type)
(named_type (qualified_name (name) @reference.type))
(base_clause (name) @reference.type)
(base_clause (qualified_name (name) @reference.type))
(class_interface_clause (name) @reference.type)
(class_interface_clause (qualified_name (name) @reference.type))
(class_declaration body: (declaration_list (use_declaration (name) @reference.type)))
(binary_expression operator: "instanceof" right: (name) @reference.type)
(catch_clause type: (type_list (named_type (name) @reference.type)))
(scoped_call_expression scope: (name) @reference.type)
(class_constant_access_expression . (name) @reference.type)
(assignment_expression left: (variable_name (name) @reference.write))
(assignment_expression left: (member_access_expression name: (name) @reference.write))
(assignment_expression left: (scoped_property_access_expression name: (variable_name (name) @reference.write)))
(augmented_assignment_expression left: (variable_name (name) @reference.write))
(augmented_assignment_expression left: (member_access_expression name: (name) @reference.write))
(update_expression argument: (variable_name (name) @reference.write))
(update_expression argument: (member_access_expression name: (name) @reference.write))
(simple_parameter name: (variable_name (name) @reference.write))
(foreach_statement (pair (variable_name (name) @reference.write)))
(foreach_statement (_) . (variable_name (name) @reference.write))
(by_ref (variable_name (name) @reference.write))
(list_literal (variable_name (name) @reference.write))
(catch_clause name: (variable_name (name) @reference.write))
(static_variable_declaration name: (variable_name (name) @reference.write))
(global_declaration (variable_name (name) @reference.write))
(anonymous_function_use_clause (variable_name (name) @reference.write))
(variadic_parameter name: (variable_name (name) @reference.write))
(property_promotion_parameter name: (variable_name (name) @reference.write))
(namespace_use_clause (name) @reference.import)
(namespace_use_clause (qualified_name (name) @reference.import))
(namespace_use_clause alias: (name) @reference.import)

(argument name: (name) @member)
(use_as_clause (name) @member)
(anonymous_class body: (declaration_list) @object)
(anonymous_class (base_clause . (name) @object.type) body: (declaration_list) @object)
(member_call_expression object: (parenthesized_expression (object_creation_expression . (name) @of)) name: (name) @member)
(member_access_expression object: (parenthesized_expression (object_creation_expression . (name) @of)) name: (name) @member)
[(function_definition) (method_declaration) (anonymous_function) (arrow_function)] @block
(variable_name (name) @bound)

(function_definition body: (_) @local)
(method_declaration body: (_) @local)
(anonymous_function body: (_) @local)
(arrow_function body: (_) @local)

(namespace_definition name: (namespace_name) @name) @definition.namespace
(class_declaration name: (name) @name) @definition.class
(class_declaration name: (name) @name (base_clause (_) @base)) @definition.class
(class_declaration name: (name) @name (class_interface_clause (_) @base)) @definition.class
(class_declaration name: (name) @name body: (declaration_list (use_declaration (_) @base))) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(interface_declaration name: (name) @name (base_clause (_) @base)) @definition.interface
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name) @definition.enum
(enum_declaration name: (name) @name (class_interface_clause (_) @base)) @definition.enum
(enum_case name: (name) @name) @definition.enumerator
(function_definition name: (name) @name parameters: (_) @params return_type: (_)? @result) @definition.function
(method_declaration name: (name) @name parameters: (_) @params return_type: (_)? @result) @definition.method
(property_declaration (property_element name: (variable_name (name) @name))) @definition.property
(property_promotion_parameter name: (variable_name (name) @name)) @definition.property
(const_declaration (const_element . (name) @name)) @definition.constant
(function_call_expression function: (name) @_define arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_define "define")) @definition.constant
(program (expression_statement (assignment_expression left: (variable_name (name) @name))) @definition.variable)

(namespace_use_declaration) @import.statement
(include_expression (string (string_content) @import.module))
(include_once_expression (string (string_content) @import.module))
(require_expression (string (string_content) @import.module))
(require_once_expression (string (string_content) @import.module))
(include_expression (binary_expression right: (string (string_content) @import.module)))
(include_once_expression (binary_expression right: (string (string_content) @import.module)))
(require_expression (binary_expression right: (string (string_content) @import.module)))
(require_once_expression (binary_expression right: (string (string_content) @import.module)))
`,
  callsApart: true,
  definesOutside: true,
  bindsByWriting: true,
  separators: ["->", "?->", "::"],
  isVisible: ({ header, parentKind, kind }) =>
    kind === "namespace" || parentKind === ""
      ? undefined
      : !/\b(?:private|protected)\b/.test(header),
  importsOf(statement) {
    const match = /^use\s+(?:(?:function|const)\s+)?([\s\S]*?);?$/.exec(statement);
    const list = match?.[1] ?? "";
    const begin = statement.indexOf(list);
    const group = /^\\?([\w\\]+)\\\s*\{([\s\S]*)\}\s*$/.exec(list);
    const prefix = group?.[1];
    const names = group?.[2] ?? list;
    const from = begin + list.indexOf(names);
    return [...names.matchAll(/[^,]+/g)].flatMap((one) =>
      parsePart(prefix, one[0], from + one.index)
    );
  },
};

function parsePart(prefix: string | undefined, clause: string, offset: number): ImportPart[] {
  const match = /^\s*(?:(?:function|const)\s+)?\\?([\w\\]+)(?:\s+as\s+(\w+))?\s*$/.exec(clause);
  const path = match?.[1];
  if (path === undefined) return [];
  const module = prefix === undefined ? path : `${prefix}\\${path}`;
  const alias = match?.[2] ?? module.split("\\").at(-1) ?? "";
  return [{ module, name: null, alias, offset: offset + clause.indexOf(path) }];
}
