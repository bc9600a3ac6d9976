/** TOML: tables and the keys before them. */
import type { LanguageQuery } from "./language_query.ts";

const KEYS = "[(bare_key) (dotted_key) (quoted_key)] @name";
const TAGS = `
(comment) @doc
(document (pair . ${KEYS}) @definition.key)
(table . ${KEYS}) @definition.table
(table_array_element . ${KEYS}) @definition.table
(table (pair . ${KEYS}) @definition.key)
`;

/** The rules of the grammar. */
export const QUERY: LanguageQuery = { tags: TAGS, separators: [] };
