/** HTML: elements with an id and elements of the project's own are symbols; scripts and styles are read too. */
import type { LanguageQuery } from "./language_query.ts";

/** Patterns of elements that HTML, Vue and Svelte share. */
export const MARKUP_TAGS = `
(comment) @doc
(element (start_tag (attribute (attribute_name) @_id [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name]) (#eq? @_id "id"))) @definition.id
(element (self_closing_tag (attribute (attribute_name) @_id [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name]) (#eq? @_id "id"))) @definition.id
(attribute (attribute_name) @_class [(quoted_attribute_value (attribute_value) @classes) (attribute_value) @classes] (#eq? @_class "class"))
(element (start_tag (tag_name) @_tag) (#match? @_tag "^(?:section|article|nav|header|footer|main|form|aside|table|dialog|body|head)$|^x-")) @unit
(script_element (start_tag) @embed.tag (raw_text) @embed.script)
(style_element (start_tag) @embed.tag (raw_text) @embed.style)
`;

const TAGS = `
([(start_tag (tag_name) @reference.call) (self_closing_tag (tag_name) @reference.call)] (#match? @reference.call "-"))
(element (start_tag (tag_name) @name) (#match? @name "-")) @definition.element
(element (self_closing_tag (tag_name) @name) (#match? @name "-")) @definition.element
(script_element (start_tag (attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @import.module)) (#eq? @_src "src")))
(element (start_tag (tag_name) @_link (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @import.module)) (#eq? @_link "link") (#eq? @_href "href")))
(element (self_closing_tag (tag_name) @_link (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @import.module)) (#eq? @_link "link") (#eq? @_href "href")))
`;

/** The rules of the grammar. */
export const QUERY: LanguageQuery = { tags: MARKUP_TAGS + TAGS, separators: [] };
