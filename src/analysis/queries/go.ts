/** Go. */
import type { LanguageQuery } from "./language_query.ts";

/** Keys of a literal whose type stands round it. */
const KEYS = "(literal_value (keyed_element key: (literal_element (identifier) @typed)))";

/** The rules of the grammar. */
export const GO: LanguageQuery = {
  tags: `
(comment) @doc
[(identifier) (field_identifier)] @reference.read
(type_identifier) @reference.type
(package_identifier) @reference.read
(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression field: (field_identifier) @reference.call))
(type_conversion_expression type: (generic_type type: (type_identifier) @reference.call))
(type_conversion_expression type: (generic_type type: (qualified_type name: (type_identifier) @reference.call)))
(assignment_statement left: (expression_list (identifier) @reference.write))
(assignment_statement left: (expression_list (selector_expression field: (field_identifier) @reference.write)))
(short_var_declaration left: (expression_list (identifier) @reference.write))
(range_clause left: (expression_list (identifier) @reference.write))
(inc_statement (identifier) @reference.write)
(inc_statement (selector_expression field: (field_identifier) @reference.write))
(dec_statement (identifier) @reference.write)
(keyed_element key: (literal_element (identifier) @reference.write @member))
(parameter_declaration name: (identifier) @reference.write)
(import_spec name: (package_identifier) @reference.import)

[(block) (function_declaration) (method_declaration) (func_literal) (method_elem) (function_type) (if_statement) (for_statement)
  (expression_switch_statement) (type_switch_statement) (expression_case) (type_case) (default_case) (communication_case)] @block
(parameter_declaration name: (identifier) @bound)
(variadic_parameter_declaration name: (identifier) @bound)
(short_var_declaration left: (expression_list (identifier) @bound))
(range_clause left: (expression_list (identifier) @bound) ":=")
(type_switch_statement alias: (expression_list (identifier) @bound))
(receive_statement left: (expression_list (identifier) @bound) ":=")

(function_declaration body: (_) @local)
(method_declaration body: (_) @local)
(func_literal body: (_) @local)

(package_clause (package_identifier) @name) @definition.package
(function_declaration name: (identifier) @name parameters: (_) @params result: (_)? @result) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @scope
    (pointer_type (type_identifier) @scope)
    (generic_type type: (type_identifier) @scope)
    (pointer_type (generic_type type: (type_identifier) @scope))]))
  name: (field_identifier) @name parameters: (_) @params result: (_)? @result) @definition.method
(method_declaration receiver: (parameter_list (parameter_declaration name: (identifier) @self)) name: (field_identifier) @name) @range
(type_declaration (type_spec name: (type_identifier) @name) @definition.type)
(type_declaration (type_alias name: (type_identifier) @name) @definition.type)
(type_declaration (type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct)
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface)
(type_declaration "type" . (type_spec name: (type_identifier) @name) .) @range
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list (field_declaration !name type: (_) @base)))) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type (type_elem (_) @base))) @definition.interface
(field_declaration name: (field_identifier) @name) @definition.field
(method_elem name: (field_identifier) @name parameters: (_) @params result: (_)? @result) @definition.method
(const_spec name: (identifier) @name) @definition.constant
(var_spec name: (identifier) @name) @definition.variable
(const_declaration "const" . (const_spec name: (identifier) @name) .) @range
(var_declaration "var" . (var_spec name: (identifier) @name) .) @range

(parameter_declaration name: (identifier) @typed type: (_) @type)
(variadic_parameter_declaration name: (identifier) @typed type: (_) @type) @listed
(var_spec name: (identifier) @typed type: (_) @type)
(var_spec name: (identifier) @typed value: (expression_list . (_) @value .))
(field_declaration name: (field_identifier) @typed type: (_) @type)
(type_spec name: (type_identifier) @typed type: [(slice_type) (map_type) (pointer_type) (array_type) (function_type) (type_identifier)
  (qualified_type) (generic_type)] @alias)
(type_parameter_declaration name: (identifier) @typed type: (_) @bound)
(short_var_declaration left: (expression_list) @lefts right: (expression_list) @rights)
(range_clause left: (expression_list) @lefts ":=" right: (_) @ranged)
(composite_literal type: (_) @chain body: (literal_value (keyed_element key: (literal_element (identifier) @typed))))
(composite_literal type: [(slice_type element: (_) @chain) (array_type element: (_) @chain) (map_type value: (_) @chain)]
  body: (literal_value [(literal_element ${KEYS}) (keyed_element value: (literal_element ${KEYS}))]))

(import_spec name: (_)? @import.alias path: (_) @import.module)
`,
  spelling: "go",
  isVisible: ({ name, kind }) => kind === "package" ? undefined : /^\p{Lu}/u.test(name),
  aliasOf: (module) => module.replace(/\/v\d+$/, "").split("/").at(-1) ?? "",
};
