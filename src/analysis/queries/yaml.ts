/** YAML: the keys of each document. */
import type { LanguageQuery } from "./language_query.ts";

const TAGS = `
(comment) @doc
(document (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @definition.key)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair) @unit))))))
(document (block_node (block_sequence (block_sequence_item) @unit)))
`;

/** The rules of the grammar. */
export const QUERY: LanguageQuery = { tags: TAGS, separators: [] };
