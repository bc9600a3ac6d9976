/** TypeScript. */
import type { LanguageQuery } from "./language_query.ts";
import { TYPE_SCRIPT } from "./script.ts";

/** The rules of the grammar. */
export const QUERY: LanguageQuery = TYPE_SCRIPT;
