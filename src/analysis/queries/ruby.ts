/** Ruby. */
import type { LanguageQuery } from "./language_query.ts";

/** The rules of the grammar. */
export const RUBY: LanguageQuery = {
  tags: `
(comment) @doc
[(identifier) (constant) (instance_variable) (class_variable) (global_variable)] @reference.read
(call method: [(identifier) (constant)] @reference.call)
(superclass (constant) @reference.type)
(superclass (scope_resolution name: (constant) @reference.type))
(assignment left: [(identifier) (constant) (instance_variable) (class_variable) (global_variable)] @reference.write)
(assignment left: (call method: (identifier) @reference.write))
(operator_assignment left: [(identifier) (constant) (instance_variable) (class_variable) (global_variable)] @reference.write)
(operator_assignment left: (call method: (identifier) @reference.write))
(left_assignment_list [(identifier) (instance_variable)] @reference.write)
(method_parameters (identifier) @reference.write)
(optional_parameter name: (identifier) @reference.write)
(keyword_parameter name: (identifier) @reference.write)
(block_parameters (identifier) @reference.write)

(call receiver: (call receiver: (constant) @of method: (identifier) @_new) method: (_) @member (#eq? @_new "new"))
[(method) (singleton_method) (block) (do_block) (lambda)] @block
(method_parameters (identifier) @bound)
(lambda_parameters (identifier) @bound)
(optional_parameter name: (identifier) @bound)
(keyword_parameter name: (identifier) @bound)
(splat_parameter name: (identifier) @bound)
(hash_splat_parameter name: (identifier) @bound)
(block_parameter name: (identifier) @bound)
(block_parameters (identifier) @bound)
(destructured_parameter (identifier) @bound)
(exception_variable (identifier) @bound)
(for pattern: (identifier) @bound)
(assignment left: (identifier) @bound)
(left_assignment_list (identifier) @bound)
(operator_assignment left: (identifier) @bound)

(singleton_class body: (_) @object @object.any)
(singleton_class body: (body_statement (method name: (_) @static)))
(singleton_method name: (_) @static)
(call method: (identifier) @object.any block: (_) @object
  (#any-of? @object.any "instance_eval" "instance_exec" "class_eval" "class_exec" "module_eval"))

(method body: (_) @local)
(singleton_method body: (_) @local)
(block body: (_) @local)

(class name: (constant) @name) @definition.class
(class name: (scope_resolution scope: (_) @scope name: (constant) @name)) @definition.class
(class name: (_ name: (constant) @name) superclass: (superclass (_) @base)) @definition.class
(class name: (constant) @name superclass: (superclass (_) @base)) @definition.class
(class name: (constant) @name body: (body_statement (call method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @base)))
  (#any-of? @_mix "include" "extend" "prepend")) @definition.class
(module name: (constant) @name) @definition.module
(module name: (scope_resolution scope: (_) @scope name: (constant) @name)) @definition.module
(method name: (_) @name) @definition.method
(method name: (_) @name parameters: (_) @params) @definition.method
(singleton_method name: (_) @name) @definition.method
(singleton_method name: (_) @name parameters: (_) @params) @definition.method
(call method: (identifier) @_private arguments: (argument_list . (method name: (_) @name))
  (#any-of? @_private "private" "protected" "public" "module_function" "private_class_method" "memoize")) @range
(alias name: (_) @name) @definition.method
(call method: (identifier) @_alias arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_alias "alias_method" "define_method" "delegate" "scope")) @definition.method
(call method: (identifier) @_attribute arguments: (argument_list (simple_symbol) @name)
  (#any-of? @_attribute "attr_accessor" "attr_reader" "attr_writer" "attr" "mattr_accessor" "cattr_accessor" "class_attribute")) @definition.property
(assignment left: (constant) @name) @definition.constant
(assignment left: (constant) @name right: (call receiver: (constant) @_struct method: (identifier) @_new
  (#any-of? @_struct "Struct" "Class" "Data"))) @definition.class
(program (assignment left: (global_variable) @name) @definition.variable)

(call !receiver method: (identifier) @_require arguments: (argument_list . (string (string_content) @import.module) .)
  (#any-of? @_require "require" "require_relative" "load" "import"))
(call !receiver method: (identifier) @_autoload arguments: (argument_list . (simple_symbol) @import.name (string (string_content) @import.module))
  (#eq? @_autoload "autoload"))
`,
  separators: [".", "&.", "::"],
  definesOutside: true,
  nameOf: (text) => text.replace(/^:(?=\w)/, ""),
  aliasOf: (_module, name) => name === null ? "" : name.replace(/^:/, ""),
};
