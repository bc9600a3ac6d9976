/** Svelte: markup with components and expressions; the script is read as what it is. */
import { MARKUP_TAGS } from "./html.ts";
import type { LanguageQuery } from "./language_query.ts";

const TAGS = `
([(start_tag (tag_name) @reference.call) (self_closing_tag (tag_name) @reference.call)] (#match? @reference.call "[A-Z-]"))
(svelte_raw_text) @embed.expression
`;

/** The rules of the grammar. */
export const QUERY: LanguageQuery = { tags: MARKUP_TAGS + TAGS, separators: [] };
