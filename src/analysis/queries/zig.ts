/** Zig. */
import type { LanguageQuery } from "./language_query.ts";

const CONTAINERS = ["struct", "enum", "union", "opaque"].map((word) =>
  `(variable_declaration . (identifier) @name (${word}_declaration)) @definition.${
    word === "opaque" ? "struct" : word
  }`
).join("\n");

/** The rules of the grammar. */
export const ZIG: LanguageQuery = {
  tags: `
(comment) @doc
(identifier) @reference.read
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression member: (identifier) @reference.call))
(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (field_expression member: (identifier) @reference.write))
(field_initializer . (identifier) @reference.write)
(parameter name: (identifier) @reference.write)
(parameter type: (identifier) @reference.type)
(function_declaration type: (identifier) @reference.type)
(container_field type: (identifier) @reference.type)
(pointer_type (identifier) @reference.type)

(function_declaration body: (_) @local)
(test_declaration (block) @local)

(variable_declaration "var" . (identifier) @name) @definition.variable
(variable_declaration "const" . (identifier) @name) @definition.constant
${CONTAINERS}
(function_declaration name: (identifier) @name (parameters) @params) @definition.function
(function_declaration name: (identifier) @name (parameters) @params type: (_) @result) @definition.function
(container_field name: (identifier) @name) @definition.field
(test_declaration (string (string_content) @name)) @definition.test

(variable_declaration . (identifier) @import.alias
  (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @import.module))) (#eq? @_import "@import"))
(variable_declaration . (identifier) @import.alias
  (field_expression object: (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @import.module))) member: (identifier) @import.name) (#eq? @_import "@import"))
`,
  isVisible: ({ header, kind }) =>
    kind === "field" || kind === "test" ? undefined : /\bpub\b/.test(header),
};
