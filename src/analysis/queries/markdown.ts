/** Markdown: headings; what stands under one is its range. */
import type { LanguageQuery } from "./language_query.ts";

const TAGS = `
(section . (atx_heading heading_content: (inline) @name)) @definition.section
(setext_heading heading_content: (paragraph (inline) @name)) @definition.section
`;

/** The rules of the grammar. */
export const QUERY: LanguageQuery = { tags: TAGS, separators: [] };
