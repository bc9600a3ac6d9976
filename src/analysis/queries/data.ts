/** Languages of data and prose, whose definitions are keys, blocks and headings. */
import type { LanguageQuery } from "./language_query.ts";

/** The rules of the grammar. */
export const JSON: LanguageQuery = {
  tags: `
(comment) @doc
(document (object (pair key: (string (string_content) @name)) @definition.key))
(document (object (pair value: (object (pair) @unit))))
`,
  separators: [],
};

/** The rules of the grammar. */
export const YAML: LanguageQuery = {
  tags: `
(comment) @doc
(document (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @definition.key)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair) @unit))))))
(document (block_node (block_sequence (block_sequence_item) @unit)))
`,
  separators: [],
};

const KEYS = "[(bare_key) (dotted_key) (quoted_key)] @name";
/** The rules of the grammar. */
export const TOML: LanguageQuery = {
  tags: `
(comment) @doc
(document (pair . ${KEYS}) @definition.key)
(table . ${KEYS}) @definition.table
(table_array_element . ${KEYS}) @definition.table
(table (pair . ${KEYS}) @definition.key)
`,
  separators: [],
};

/** The rules of the grammar. */
export const HCL: LanguageQuery = {
  tags: `
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
`,
  aliasOf: () => "",
};

/** The rules of the grammar. */
export const MARKDOWN: LanguageQuery = {
  tags: `
(section . (atx_heading heading_content: (inline) @name)) @definition.section
(setext_heading heading_content: (paragraph (inline) @name)) @definition.section
`,
  separators: [],
};
