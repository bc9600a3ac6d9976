/** Bash and its kin. */
import type { LanguageQuery } from "./language_query.ts";

/** The rules of the grammar. */
export const BASH: LanguageQuery = {
  tags: `
(comment) @doc
(variable_name) @reference.read
(command_name (word) @reference.call)
(variable_assignment name: (variable_name) @reference.write)
(for_statement variable: (variable_name) @reference.write)

(function_definition body: (_) @local)

(function_definition name: (word) @name) @definition.function
(variable_assignment name: (variable_name) @name) @definition.variable
(declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable
(declaration_command "readonly" (variable_assignment name: (variable_name) @name)) @definition.constant
(declaration_command "export" (variable_assignment name: (variable_name) @name)) @export

(command name: (command_name (word) @_source) . argument: (_) @import.module (#any-of? @_source "source" "."))
`,
  separators: [],
};
