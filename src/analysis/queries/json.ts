/** JSON: the keys of the outermost object. */
import type { LanguageQuery } from "./language_query.ts";

const TAGS = `
(comment) @doc
(document (object (pair key: (string (string_content) @name)) @definition.key))
(document (object (pair value: (object (pair) @unit))))
`;

/** The rules of the grammar. */
export const QUERY: LanguageQuery = { tags: TAGS, separators: [] };
