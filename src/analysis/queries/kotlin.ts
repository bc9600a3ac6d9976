/** Kotlin. */
import type { LanguageQuery } from "./language_query.ts";

/** A brace that closes a body on the line of what it holds, with a blank before it. */
const INLINE_CLOSE = /(?<=[^\s{;][ \t]*)[ \t](?=\})/g;

/** The rules of the grammar. */
export const KOTLIN: LanguageQuery = {
  tags: `
(line_comment) @doc
(block_comment) @doc
(identifier) @reference.read
(user_type (identifier) @reference.type)
(constructor_invocation (user_type (identifier) @reference.call))
(call_expression (identifier) @reference.call)
(call_expression (navigation_expression (identifier) @reference.call .))
(assignment left: (identifier) @reference.write)
(assignment left: (navigation_expression (identifier) @reference.write .))
(parameter (identifier) @reference.write)
(import (qualified_identifier (identifier) @reference.import .))
(import (identifier) @reference.import)
(variable_declaration (identifier) @reference.write)
(value_argument (identifier) @reference.write @member "=")
(navigation_expression (call_expression . (identifier) @of) (identifier) @member .)
(navigation_expression (parenthesized_expression (as_expression right: (user_type . (identifier) @of .))) (identifier) @member .)

(string_literal (string_content) @_sign . (string_content) @reference.read (#eq? @_sign "$") (#match? @reference.read "^[A-Za-z_]"))

[(block) (function_declaration) (anonymous_function) (for_statement) (catch_block) (when_expression) (secondary_constructor) (setter) (class_declaration)] @block
(class_parameter . (identifier) @bound)
(object_literal (class_body) @object)
(object_literal (delegation_specifiers . (delegation_specifier [(user_type) @object.type (constructor_invocation (user_type) @object.type)])) (class_body) @object)
(call_expression (navigation_expression (_) @object.value (identifier) @_call .) (annotated_lambda (lambda_literal) @object) (#any-of? @_call "apply" "run"))
(call_expression (call_expression (identifier) @_call (value_arguments . (value_argument (_) @object.value))) (annotated_lambda (lambda_literal) @object) (#eq? @_call "with"))
(call_expression [(identifier) @object.any (call_expression (identifier) @object.any)] (annotated_lambda (lambda_literal) @object)
  (#any-of? @object.any "buildString" "buildList" "buildMap" "buildSet" "sequence" "iterator"))
(parameter (identifier) @bound . ":")
(lambda_parameters [(variable_declaration (identifier) @bound) (multi_variable_declaration (variable_declaration (identifier) @bound))])
(for_statement [(variable_declaration (identifier) @bound) (multi_variable_declaration (variable_declaration (identifier) @bound))])
(catch_block . (identifier) @bound)
(when_subject (variable_declaration (identifier) @bound))

(function_declaration (function_body) @local)
(lambda_literal) @local
(anonymous_initializer) @local
(getter) @local
(setter) @local
(secondary_constructor (block) @local)

(package_header (qualified_identifier) @name) @definition.package
(class_declaration name: (identifier) @name) @definition.class
(class_declaration "interface" name: (identifier) @name) @definition.interface
(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name) @definition.enum
(class_declaration name: (identifier) @name (delegation_specifiers (delegation_specifier [(user_type) @base (constructor_invocation (user_type) @base) (explicit_delegation (user_type) @base)]))) @range
(class_declaration name: (identifier) @name (primary_constructor (class_parameters) @params)) @range
(class_parameter ["val" "var"] . (identifier) @name) @definition.property
(object_declaration name: (identifier) @name) @definition.object
(object_declaration name: (identifier) @name (delegation_specifiers (delegation_specifier [(user_type) @base (constructor_invocation (user_type) @base)]))) @definition.object
(companion_object !name "companion" @name) @definition.object
(companion_object name: (identifier) @name) @definition.object
(secondary_constructor "constructor" @name (function_value_parameters) @params) @definition.method
(enum_entry . (identifier) @name) @definition.enumerator
(function_declaration name: (identifier) @name (function_value_parameters) @params) @definition.function
(function_declaration name: (identifier) @name (function_value_parameters) @params . (_) @result (function_body)) @definition.function
(function_declaration [(user_type) (nullable_type)] @scope . "." name: (identifier) @name) @definition.function
(property_declaration (variable_declaration (identifier) @name)) @definition.variable
(property_declaration (multi_variable_declaration (variable_declaration (identifier) @name))) @definition.variable
(property_declaration [(user_type) (nullable_type)] @scope . "." (variable_declaration (identifier) @name)) @definition.variable
(property_declaration (modifiers (property_modifier "const")) (variable_declaration (identifier) @name)) @definition.constant
(type_alias . (identifier) @name) @definition.type
(type_alias type: (identifier) @name) @definition.type

(import) @import.statement
`,
  // The grammar wants an end between what a body holds and a brace on the same line.
  repair: (text) => text.replace(INLINE_CLOSE, ";"),
  separators: [".", "?.", "::", "!!."],
  // An object without a name has this one in code.
  nameOf: (text, kind) =>
    kind === "object" && text === "companion"
      ? "Companion"
      // In a string the grammar has no node for the name after a sign, only the text from there on.
      : kind === "read"
      ? /^[\p{L}_][\p{L}\p{N}_]*/u.exec(text)?.[0] ?? text
      : text,
  isVisible: ({ header, kind }) =>
    kind === "package" ? undefined : !/\b(?:private|protected)\b/.test(header),
  importsOf(statement) {
    const match = /^import\s+([\w.`]+?)(?:\.(\*))?(?:\s+as\s+(\w+))?\s*;?\s*$/.exec(statement);
    const path = match?.[1];
    if (path === undefined) return [];
    if (match?.[2] !== undefined) return [{ module: path, name: "*", alias: "", offset: 0 }];
    const dot = path.lastIndexOf(".");
    const name = path.slice(dot + 1);
    return [{
      module: path.slice(0, Math.max(0, dot)),
      name,
      alias: match?.[3] ?? name,
      offset: 0,
    }];
  },
};
