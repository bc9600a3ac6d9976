/** TypeScript with elements. */
import type { LanguageQuery } from "./language_query.ts";
import { JSX_TAGS, TYPE_SCRIPT } from "./script.ts";

/** The rules of the grammar. */
export const QUERY: LanguageQuery = { ...TYPE_SCRIPT, tags: TYPE_SCRIPT.tags + JSX_TAGS };
