/** Lua. */
import type { LanguageQuery } from "./language_query.ts";

/** The rules of the grammar. */
export const LUA: LanguageQuery = {
  tags: `
(comment) @doc
(identifier) @reference.read
(function_call name: (identifier) @reference.call)
(function_call name: (dot_index_expression field: (identifier) @reference.call))
(function_call name: (method_index_expression method: (identifier) @reference.call))
(assignment_statement (variable_list name: (identifier) @reference.write))
(assignment_statement (variable_list name: (dot_index_expression field: (identifier) @reference.write)))
(parameters name: (identifier) @reference.write)
(field name: (identifier) @reference.write @member)
[(function_declaration) (function_definition) (for_statement) (block)] @block
(parameters name: (identifier) @bound)
(for_generic_clause (variable_list name: (identifier) @bound))
(for_numeric_clause name: (identifier) @bound)

(function_declaration body: (_) @local)
(function_definition body: (_) @local)

(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.variable)
(chunk (variable_declaration (variable_list name: (identifier) @name)) @definition.variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @definition.variable)
(chunk (assignment_statement (variable_list name: (dot_index_expression table: (_) @scope field: (identifier) @name))) @definition.field)
(function_declaration name: (identifier) @name parameters: (_) @params) @definition.function
(function_declaration name: (dot_index_expression table: (_) @scope field: (identifier) @name) parameters: (_) @params) @definition.function
(function_declaration name: (method_index_expression table: (_) @scope method: (identifier) @name) parameters: (_) @params) @definition.method
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_definition parameters: (_) @params)))) @definition.function
(assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_definition parameters: (_) @params))) @definition.function
(assignment_statement (variable_list . name: (dot_index_expression table: (_) @scope field: (identifier) @name)) (expression_list . value: (function_definition parameters: (_) @params))) @definition.function
(field name: (identifier) @name value: (function_definition parameters: (_) @params)) @definition.function

(variable_declaration (assignment_statement (variable_list . name: (identifier) @import.alias .)
  (expression_list . value: (function_call name: (identifier) @_require arguments: (arguments . (string content: (string_content) @import.module)))))
  (#eq? @_require "require"))
(variable_declaration (assignment_statement (variable_list . name: (identifier) @import.alias .)
  (expression_list . value: (dot_index_expression table: (function_call name: (identifier) @_require arguments: (arguments . (string content: (string_content) @import.module))) field: (identifier) @import.name)))
  (#eq? @_require "require"))
(function_call name: (identifier) @_require arguments: (arguments . (string content: (string_content) @import.module))
  (#any-of? @_require "require" "dofile"))
`,
  separators: [".", ":"],
  isVisible: ({ header, parentKind }) => parentKind === "" ? !/\blocal\b/.test(header) : undefined,
};
