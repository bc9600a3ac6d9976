/** Python. */
import type { LanguageQuery } from "./language_query.ts";

const PARAMETERS =
  `[(identifier) @bound (default_parameter name: (identifier) @bound) (typed_parameter (identifier) @bound)
  (typed_default_parameter name: (identifier) @bound) (list_splat_pattern (identifier) @bound) (dictionary_splat_pattern (identifier) @bound)
  (typed_parameter [(list_splat_pattern (identifier) @bound) (dictionary_splat_pattern (identifier) @bound)])]`;
const TARGET =
  `[(identifier) @bound (pattern_list (identifier) @bound) (tuple_pattern (identifier) @bound)
  (pattern_list (tuple_pattern (identifier) @bound)) (tuple_pattern (tuple_pattern (identifier) @bound))]`;

/** The rules of the grammar. */
export const PYTHON: LanguageQuery = {
  tags: `
(comment) @doc
(identifier) @reference.read
(call function: (identifier) @reference.call)
(call function: (attribute attribute: (identifier) @reference.call))
(decorator (identifier) @reference.call)
(decorator (attribute attribute: (identifier) @reference.call))
(assignment left: (identifier) @reference.write)
(assignment left: (attribute attribute: (identifier) @reference.write))
(assignment left: (pattern_list (identifier) @reference.write))
(assignment left: (tuple_pattern (identifier) @reference.write))
(augmented_assignment left: (identifier) @reference.write)
(augmented_assignment left: (attribute attribute: (identifier) @reference.write))
(named_expression name: (identifier) @reference.write)
(keyword_argument name: (identifier) @reference.write @member)
(attribute object: (call function: (identifier) @of) attribute: (identifier) @member)
(for_statement left: (identifier) @reference.write)
(as_pattern_target (identifier) @reference.write)
(parameters (identifier) @reference.write)
(default_parameter name: (identifier) @reference.write)
(typed_default_parameter name: (identifier) @reference.write)
(typed_parameter (identifier) @reference.write)
(type (identifier) @reference.type)
(type (attribute attribute: (identifier) @reference.type))
(type (binary_operator (identifier) @reference.type))
(type (subscript value: (identifier) @reference.type))
(generic_type (identifier) @reference.type)
(class_definition superclasses: (argument_list (identifier) @reference.type))
(class_definition superclasses: (argument_list (attribute attribute: (identifier) @reference.type)))
(import_statement (dotted_name (identifier) @reference.import))
(import_from_statement (dotted_name (identifier) @reference.import))
(relative_import (dotted_name (identifier) @reference.import))
(aliased_import (dotted_name (identifier) @reference.import))
(aliased_import alias: (identifier) @reference.import)

[(module) (list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @block
(function_definition parameters: (parameters ${PARAMETERS}) body: (_) @within)
(lambda parameters: (lambda_parameters ${PARAMETERS}) body: (_) @within)
(for_in_clause left: ${TARGET})
(for_statement left: ${TARGET})
(as_pattern_target [(identifier) @bound (tuple (identifier) @bound)])
(named_expression name: (identifier) @bound)
(case_pattern (dotted_name . (identifier) @bound .))

(function_definition body: (_) @local)
(lambda body: (_) @local)

(function_definition name: (identifier) @name parameters: (_) @params return_type: (_)? @result) @definition.function
(class_definition name: (identifier) @name) @definition.class
(class_definition name: (identifier) @name superclasses: (argument_list [(identifier) (attribute) (subscript)] @base)) @definition.class
(decorated_definition definition: (function_definition name: (identifier) @name)) @definition.function
(decorated_definition definition: (class_definition name: (identifier) @name)) @definition.class
(function_definition name: (identifier) @name body: (block . (expression_statement (string) @docstring))) @definition.function
(class_definition name: (identifier) @name body: (block . (expression_statement (string) @docstring))) @definition.class
(expression_statement (assignment left: (identifier) @name)) @definition.variable
(expression_statement (assignment left: (pattern_list (identifier) @name))) @definition.variable
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @definition.field)))
(expression_statement (assignment left: (identifier) @name right: (lambda parameters: (_) @params))) @definition.function
(type_alias_statement left: (type (identifier) @name)) @definition.type
(type_alias_statement left: (type (generic_type (identifier) @name))) @definition.type

(typed_parameter . (identifier) @typed type: (type) @type)
(typed_parameter . (list_splat_pattern (identifier) @typed) type: (type) @type) @listed
(typed_default_parameter name: (identifier) @typed type: (type) @type)
(function_definition name: (identifier) @_filled
  parameters: (parameters [(identifier) @injected (typed_parameter . (identifier) @injected)]))
(assignment left: (identifier) @typed type: (type) @type)
(assignment left: (identifier) @typed right: (_) @value)
(assignment left: (identifier) @typed right: (call function: (_) @_maker
    arguments: (argument_list (keyword_argument name: (identifier) @_key value: (_) @bound)))
  (#match? @_maker "(?:^|\\.)TypeVar$") (#eq? @_key "bound"))
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @attribute) type: (type) @type (#any-of? @_self "self" "cls"))
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @attribute) !type right: (_) @value (#any-of? @_self "self" "cls"))
(assignment left: [(pattern_list) (tuple_pattern)] @lefts right: (_) @rights)
(named_expression name: (identifier) @typed value: (_) @value)
(for_statement left: (identifier) @typed right: (_) @each body: (_) @within)
(for_statement left: [(pattern_list) (tuple_pattern)] @lefts right: (_) @ranged body: (_) @within)
(for_in_clause left: (identifier) @typed right: (_) @each)
(for_in_clause left: [(pattern_list) (tuple_pattern)] @lefts right: (_) @ranged)
(with_item value: (as_pattern . (_) @value alias: (as_pattern_target (identifier) @typed))) @entered
(type_alias_statement left: (type (identifier) @typed) right: (type) @alias)
(decorated_definition definition: (function_definition name: (identifier) @decorated))
(return_statement (_) @returned)
(yield) @returned
(call function: (identifier) @_is arguments: (argument_list . (identifier) @narrowed) (#eq? @_is "isinstance"))
(attribute object: [(call) (subscript) (parenthesized_expression) (await) (attribute)] @chain attribute: (identifier) @typed)

(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import name: (_) @import.module alias: (_) @import.alias))
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import.module name: (aliased_import name: (_) @import.name alias: (_) @import.alias))
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.all)
`,
  spelling: "python",
  // `import a.b` gives the name `a` only.
  aliasOf: (module, name) => name ?? module.split(".")[0] ?? "",
};
