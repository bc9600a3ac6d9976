/** HCL: blocks by their last label, and the values of `locals`. */
import type { LanguageQuery } from "./language_query.ts";

const TAGS = `
(comment) @doc
(variable_expr (identifier) @reference.read)
(get_attr (identifier) @reference.read @member)
(function_call (identifier) @reference.call)
(attribute . (identifier) @reference.write @member)

(config_file (body (block (identifier) (string_lit (template_literal) @name) . (block_start)) @definition.block))
(config_file (body (block . (identifier) @_kind (string_lit (template_literal) @name) . (block_start) (#any-of? @_kind "variable" "output")) @definition.variable))
(config_file (body (block . (identifier) @_kind . (string_lit (template_literal) @name) . (block_start) (#eq? @_kind "module")) @definition.module))
(config_file (body (block . (identifier) @_kind (body (attribute . (identifier) @name) @definition.variable)) (#eq? @_kind "locals")))
(config_file (body (block . (identifier) @_kind (body (attribute . (identifier) @_source (expression (literal_value (string_lit (template_literal) @import.module)))) ) (#eq? @_kind "module") (#eq? @_source "source"))))
`;

/** The rules of the grammar. */
export const QUERY: LanguageQuery = { tags: TAGS, aliasOf: () => "" };
