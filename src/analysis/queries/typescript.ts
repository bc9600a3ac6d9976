/** TypeScript. */
import type { LanguageQuery } from "./language_query.ts";
import { TYPE_SCRIPT } from "./script.ts";

/** Where there are no elements, a cast may stand in angle brackets. */
const CAST_TAGS = `
(member_expression object: (parenthesized_expression (type_assertion (type_arguments . (type_identifier) @of .))) property: (_) @member)
`;

/** The rules of the grammar. */
export const QUERY: LanguageQuery = { ...TYPE_SCRIPT, tags: TYPE_SCRIPT.tags + CAST_TAGS };
