/** Patterns that JavaScript, TypeScript and TSX share, and what they add to each other. */
import type { LanguageQuery, Visible } from "./language_query.ts";

const PARTS = `[
  (object_pattern [(shorthand_property_identifier_pattern) @name (pair_pattern value: (identifier) @name)
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name) (rest_pattern (identifier) @name)])
  (array_pattern [(identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern (identifier) @name)])]`;
/** Names taken out of a value. What is taken out of a module is an import. */
const PARTED = [['lexical_declaration kind: "const"', "constant"], [
  'lexical_declaration kind: "let"',
  "variable",
], ["variable_declaration", "variable"]].map(([declaration, kind]) =>
  `(${declaration} (variable_declarator name: ${PARTS} value: (_) @_value)
    (#not-match? @_value "^require\\\\s*\\\\(")) @definition.${kind}`
).join("\n");

/** What a parameter or a declared variable may be, with the names that it binds. */
export const BOUND = `[(identifier) @bound
  (object_pattern [(shorthand_property_identifier_pattern) @bound (object_assignment_pattern left: (shorthand_property_identifier_pattern) @bound)
    (pair_pattern value: (identifier) @bound) (pair_pattern value: (assignment_pattern left: (identifier) @bound)) (rest_pattern (identifier) @bound)])
  (array_pattern [(identifier) @bound (assignment_pattern left: (identifier) @bound) (rest_pattern (identifier) @bound)])
  (assignment_pattern left: (identifier) @bound)
  (rest_pattern (identifier) @bound)]`;

/** What is given another value. */
const WRITTEN = `[(identifier) @reference.write
  (member_expression property: [(property_identifier) (private_property_identifier)] @reference.write)]`;

/**
 * Patterns of JavaScript that hold in TypeScript too. Each node with something inside takes its time to compile, so places that
 * differ only deep inside are one pattern. No choice stands directly in another: tree-sitter would lose all but its first.
 */
export const SCRIPT_TAGS = `
(comment) @doc
(hash_bang_line) @doc

[(identifier) (property_identifier) (private_property_identifier) (shorthand_property_identifier)] @reference.read
(shorthand_property_identifier_pattern) @reference.write
(pair_pattern value: (identifier) @reference.write)
(call_expression function: [(identifier) @reference.call
  (member_expression property: [(property_identifier) (private_property_identifier)] @reference.call)
  (super) @reference.call @member @of])
(new_expression constructor: [(identifier) @reference.call (member_expression property: (property_identifier) @reference.call)])
(decorator (identifier) @reference.call)
(assignment_expression left: ${WRITTEN})
(augmented_assignment_expression left: ${WRITTEN})
(update_expression argument: ${WRITTEN})
(variable_declarator name: (identifier) @reference.write)
(for_in_statement left: (identifier) @reference.write)
(pair key: (property_identifier) @reference.write @member)
(pair_pattern key: (property_identifier) @member)
(member_expression object: [(new_expression constructor: (identifier) @of) (parenthesized_expression (new_expression constructor: (identifier) @of))] property: (_) @member)
(import_specifier (identifier) @reference.import)
(import_clause (identifier) @reference.import)
(namespace_import (identifier) @reference.import)

[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body) (arrow_function) (function_expression)
  (function_declaration) (generator_function) (generator_function_declaration) (method_definition)] @block
(arrow_function parameter: (identifier) @bound)
(function_expression name: (identifier) @bound)
(for_in_statement kind: _ left: ${BOUND})
(catch_clause parameter: ${BOUND})

(arrow_function body: (_) @local)
(function_expression body: (_) @local)
(function_declaration body: (_) @local)
(generator_function_declaration body: (_) @local)
(generator_function body: (_) @local)
(method_definition body: (_) @local)
(for_statement) @local
(class_static_block) @local

(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name)) @definition.constant
(lexical_declaration kind: "let" (variable_declarator name: (identifier) @name)) @definition.variable
(variable_declaration (variable_declarator name: (identifier) @name)) @definition.variable
${PARTED}
(_ (variable_declarator name: (identifier) @name
  value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params) (generator_function parameters: (_) @params)])) @definition.function
(_ (variable_declarator name: (identifier) @name value: (class))) @definition.class

(function_declaration name: (identifier) @name parameters: (_) @params) @definition.function
(generator_function_declaration name: (identifier) @name parameters: (_) @params) @definition.function
(method_definition name: [(property_identifier) (private_property_identifier) (string) (computed_property_name)] @name parameters: (_) @params) @definition.method
(object (pair key: [(property_identifier) (string)] @name
  value: [(arrow_function parameters: (_) @params) (function_expression parameters: (_) @params)]) @definition.method)

(expression_statement (assignment_expression left: (member_expression object: (identifier) @_exports property: (property_identifier) @name)
  (#eq? @_exports "exports"))) @definition.variable @export
(expression_statement (assignment_expression left: (member_expression object: (member_expression) @_module property: (property_identifier) @name)
  (#eq? @_module "module.exports"))) @definition.variable @export
(arguments (function_expression name: (identifier) @name parameters: (_) @params) @definition.function)
(arguments (class name: (_) @name) @definition.class)
(return_statement (function_expression name: (identifier) @name parameters: (_) @params) @definition.function)
(expression_statement (assignment_expression left: (member_expression) @_module
  right: (function_expression name: (identifier) @name parameters: (_) @params) @definition.function) @export
  (#eq? @_module "module.exports"))
(function_expression name: (identifier) @reference.write)
(expression_statement (assignment_expression left: (member_expression object: (_) @scope property: (property_identifier) @name)
  right: [(function_expression parameters: (_) @params) (arrow_function [parameters: (_) parameter: (_)] @params) (generator_function parameters: (_) @params)
    (assignment_expression right: [(function_expression parameters: (_) @params) (arrow_function parameters: (_) @params)])])) @definition.function
(expression_statement (assignment_expression left: (member_expression object: (_) @scope property: (property_identifier) @name)
  right: (class))) @definition.class
(expression_statement (assignment_expression left: (member_expression) @_module
  right: [(identifier) @exported.name (object [(shorthand_property_identifier) @exported.name (pair value: (identifier) @exported.name)])])
  (#eq? @_module "module.exports"))

(variable_declarator name: (identifier) @exported.name value: (assignment_expression left: (_) @_exports) (#any-of? @_exports "exports" "module.exports"))

(export_statement "default" @name value: [(arrow_function) (function_expression) (generator_function)]) @definition.function @export
(export_statement "default" @name value: (class)) @definition.class @export
(export_statement "default" @name value: (object)) @definition.variable @export
(export_statement "default" value: (identifier) @exported.name)
(export_statement declaration: (_ name: (_) @name)) @export
(export_statement declaration: (_ (variable_declarator name: (identifier) @name))) @export
(export_statement declaration: (_ (variable_declarator name: ${PARTS}))) @export
(export_statement !source (export_clause (export_specifier name: (identifier) @exported.name)))

(variable_declarator name: (identifier) @typed value: (_) @value)
(variable_declarator name: (object_pattern [(shorthand_property_identifier_pattern) @typed @part
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @typed @part)
    (pair_pattern key: (property_identifier) @part value: (identifier) @typed)]) value: (_) @value)
(for_in_statement left: (identifier) @typed operator: "of" right: (_) @each)
(arrow_function parameter: (identifier) @untyped)
[(function_declaration parameters: (_) @params) (function_expression parameters: (_) @params)
  (generator_function parameters: (_) @params) (generator_function_declaration parameters: (_) @params)] @rebound
(object (method_definition parameters: (_) @params) @rebound)
(export_statement !source (export_clause (export_specifier name: (identifier) @value alias: (_) @typed)))
(export_statement !source (export_clause (export_specifier name: (identifier) @typed @value !alias)))
(export_statement "default" @typed value: (identifier) @value)
(export_statement "default" @typed declaration: (_ name: (_) @value))
(expression_statement (assignment_expression left: (member_expression) @_module right: (identifier) @typed @value @whole)
  (#eq? @_module "module.exports"))

(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name alias: (identifier)? @import.alias)))
  source: (string (string_fragment) @import.module))
(import_statement (import_clause [(identifier) @import.alias @import.default (namespace_import (identifier) @import.alias) @import.all])
  source: (string (string_fragment) @import.module))
(import_statement . source: (string (string_fragment) @import.module))
(export_statement (export_clause (export_specifier name: (_) @import.name alias: (_)? @import.alias))
  source: (string (string_fragment) @import.module)) @import.reexport
(export_statement ["*" @import.all (namespace_export (identifier) @import.alias) @import.all] source: (string (string_fragment) @import.module)) @import.reexport
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @import.module)))
(variable_declarator name: [(identifier) @import.alias (object_pattern [(shorthand_property_identifier_pattern) @import.name
    (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)])]
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import.module) .))
  (#eq? @_require "require"))
(variable_declarator name: (identifier) @import.alias
  value: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import.module) .))
    property: (property_identifier) @import.name)
  (#eq? @_require "require"))
(expression_statement (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import.module) .))
  (#eq? @_require "require"))
`;

/** Patterns of elements in code. */
export const JSX_TAGS = `
(jsx_opening_element name: [(identifier) @reference.call (member_expression property: (property_identifier) @reference.call)])
(jsx_self_closing_element name: [(identifier) @reference.call (member_expression property: (property_identifier) @reference.call)])
([(jsx_opening_element name: (identifier) @ignore) (jsx_self_closing_element name: (identifier) @ignore)
  (jsx_closing_element name: (identifier) @ignore)] (#match? @ignore "^[a-z]"))
(jsx_closing_element name: [(identifier) @ignore (member_expression property: (property_identifier) @ignore)])
(jsx_attribute (property_identifier) @reference.write @member)
`;

/** The members of a type that an alias names. */
const ALIASED = `(object_type [(property_signature name: (_) @name) @definition.property
  (method_signature name: (_) @name parameters: (_) @params return_type: (_)? @result) @definition.method])`;

/** Patterns of TypeScript alone. */
export const TYPE_TAGS = `
(type_identifier) @reference.type
(nested_type_identifier module: (identifier) @reference.type)
(extends_clause value: (identifier) @reference.type)
(required_parameter pattern: (identifier) @reference.write)
(optional_parameter pattern: (identifier) @reference.write)
(import_require_clause (identifier) @reference.import)

[(class_declaration) (abstract_class_declaration) (interface_declaration) (type_alias_declaration) (function_signature) (method_signature)
  (abstract_method_signature) (function_type) (constructor_type) (call_signature) (construct_signature) (index_signature) (conditional_type)] @block
(required_parameter pattern: ${BOUND})
(optional_parameter pattern: ${BOUND})
(index_signature name: (identifier) @bound)
(type_parameter name: (type_identifier) @bound)
(mapped_type_clause name: (type_identifier) @bound)
(infer_type (type_identifier) @bound)
(property_signature name: (property_identifier) @member)
(method_signature name: (property_identifier) @member)
(member_expression object: (parenthesized_expression [(as_expression (_) (type_identifier) @of) (satisfies_expression (_) (type_identifier) @of)]) property: (_) @member)

(_ (variable_declarator name: (identifier) @name
  value: [(arrow_function parameters: (_) @params return_type: (_) @result) (function_expression parameters: (_) @params return_type: (_) @result)])) @definition.function
(function_declaration name: (identifier) @name return_type: (_) @result) @definition.function
(generator_function_declaration name: (identifier) @name return_type: (_) @result) @definition.function
(function_signature name: (identifier) @name parameters: (_) @params return_type: (_)? @result) @definition.function
(method_definition name: (_) @name return_type: (_) @result) @definition.method
(class_declaration name: (type_identifier) @name) @definition.class
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(class_declaration name: (type_identifier) @name (class_heritage [(extends_clause value: (_) @base) (implements_clause (_) @base)])) @definition.class
(abstract_class_declaration name: (type_identifier) @name (class_heritage [(extends_clause value: (_) @base) (implements_clause (_) @base)])) @definition.class
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @definition.property
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function parameters: (_) @params return_type: (_)? @result) (function_expression parameters: (_) @params return_type: (_)? @result)]) @definition.method
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.property
(required_parameter "readonly" pattern: (identifier) @name) @definition.property
(abstract_method_signature name: (_) @name parameters: (_) @params return_type: (_)? @result) @definition.method
(interface_declaration name: (type_identifier) @name) @definition.interface
(interface_declaration name: (type_identifier) @name (extends_type_clause (_) @base)) @definition.interface
(interface_body (method_signature name: (_) @name parameters: (_) @params return_type: (_)? @result) @definition.method)
(interface_body (property_signature name: (_) @name) @definition.property)
(class_body (method_signature name: (_) @name parameters: (_) @params return_type: (_)? @result) @definition.method)
(type_alias_declaration name: (type_identifier) @name) @definition.type
(type_alias_declaration value: [${ALIASED} (intersection_type ${ALIASED})])
(enum_declaration name: (identifier) @name) @definition.enum
(variable_declarator name: (identifier) @typed type: (type_annotation (_) @type))
(required_parameter pattern: (identifier) @typed type: (type_annotation (_) @type))
(optional_parameter pattern: (identifier) @typed type: (type_annotation (_) @type))
(required_parameter pattern: (identifier) @untyped !type)
(required_parameter pattern: (this) @typed type: (type_annotation (_) @type))
(required_parameter pattern: (object_pattern [(shorthand_property_identifier_pattern) @typed @part
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @typed @part)
    (pair_pattern key: (property_identifier) @part value: (identifier) @typed)]) type: (type_annotation (_) @type))
(public_field_definition name: [(property_identifier) (private_property_identifier)] @typed type: (type_annotation (_) @type))
(public_field_definition name: [(property_identifier) (private_property_identifier)] @typed value: (_) @value)
(method_definition "get" name: [(property_identifier) (private_property_identifier)] @typed return_type: (type_annotation (_) @type))
(property_signature name: (property_identifier) @typed type: (type_annotation (_) @type))
(type_alias_declaration name: (type_identifier) @typed value: (_) @alias)
(type_alias_declaration name: (type_identifier) @typed type_parameters: (_) @generic)
(interface_declaration name: (type_identifier) @typed type_parameters: (_) @generic)
(class_declaration name: (type_identifier) @typed type_parameters: (_) @generic)
(abstract_class_declaration name: (type_identifier) @typed type_parameters: (_) @generic)
(interface_declaration name: (type_identifier) @typed body: (interface_body (call_signature) @called))
(interface_declaration name: (type_identifier) @typed (extends_type_clause (generic_type) @extends))
(class_declaration name: (type_identifier) @typed (class_heritage (extends_clause type_arguments: (_)) @extends))
(abstract_class_declaration name: (type_identifier) @typed (class_heritage (extends_clause type_arguments: (_)) @extends))
(switch_case) @narrowing
(if_statement) @narrowing
(type_parameter name: (type_identifier) @typed constraint: (constraint (_) @bound))
(enum_body name: [(property_identifier) (string)] @name @definition.enumerator)
(enum_assignment name: [(property_identifier) (string)] @name) @definition.enumerator
(internal_module name: (_) @name) @definition.namespace
(module name: (_) @name) @definition.namespace
(ambient_declaration (_ name: (_) @name)) @export
(ambient_declaration (_ (variable_declarator name: (identifier) @name))) @export
(export_statement "=" (identifier) @exported.name)
(export_statement "=" (identifier) @typed @value @whole)
(import_statement (import_require_clause (identifier) @import.alias source: (string (string_fragment) @import.module)))
`;

/** Only what stands at the top of a module is passed on or not; members say it where they are private. */
export function isScriptVisible({ name, header, parentKind }: Visible): boolean | undefined {
  if (parentKind === "") return false;
  return name.startsWith("#") || /\b(?:private|protected)\b/.test(header) ? false : undefined;
}

/** A call of `super` calls the constructor of the base. */
export function nameOfCall(text: string, kind: string): string {
  return text === "super" && kind === "call" ? "constructor" : text;
}

/** The rules of TypeScript; TSX adds elements. */
export const TYPE_SCRIPT: LanguageQuery = {
  tags: SCRIPT_TAGS + TYPE_TAGS,
  spelling: "script",
  separators: [".", "?.", "!."],
  isVisible: isScriptVisible,
  nameOf: nameOfCall,
};

const CLASS_TAGS = `
(class_declaration name: (identifier) @name) @definition.class
(class_declaration name: (identifier) @name (class_heritage (_) @base)) @definition.class
(class_heritage (identifier) @reference.type)
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @definition.property
(field_definition property: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function parameters: (_) @params) (function_expression parameters: (_) @params)]) @definition.method
(formal_parameters (identifier) @reference.write)
(formal_parameters ${BOUND})
(formal_parameters (identifier) @untyped)
(field_definition property: [(property_identifier) (private_property_identifier)] @typed value: (_) @value)
`;

/** The rules of the grammar. */
export const JAVASCRIPT: LanguageQuery = {
  tags: SCRIPT_TAGS + JSX_TAGS + CLASS_TAGS,
  spelling: "script",
  nameOf: nameOfCall,
  isVisible: isScriptVisible,
};

/** Where there are no elements, a cast may stand in angle brackets. */
const CAST_TAGS = `
(member_expression object: (parenthesized_expression (type_assertion (type_arguments . (type_identifier) @of .))) property: (_) @member)
`;

/** The rules of the grammar. */
export const TYPESCRIPT: LanguageQuery = { ...TYPE_SCRIPT, tags: TYPE_SCRIPT.tags + CAST_TAGS };

/** The rules of the grammar. */
export const TSX: LanguageQuery = { ...TYPE_SCRIPT, tags: TYPE_SCRIPT.tags + JSX_TAGS };
