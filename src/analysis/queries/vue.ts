/** Vue: markup with components and expressions; the script is read as what it is. */
import { MARKUP_TAGS } from "./html.ts";
import type { LanguageQuery } from "./language_query.ts";

const TAGS = `
([(start_tag (tag_name) @reference.call) (self_closing_tag (tag_name) @reference.call)] (#match? @reference.call "[A-Z-]"))
(interpolation (raw_text) @embed.expression)
(directive_attribute (quoted_attribute_value (attribute_value) @embed.expression))
(template_element) @unit
`;

/** The rules of the grammar. */
export const QUERY: LanguageQuery = { tags: MARKUP_TAGS + TAGS, separators: [] };
