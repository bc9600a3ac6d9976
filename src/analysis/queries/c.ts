/** C. */
import { blankMacros, C_TAGS, toIncludeAlias } from "./c_family.ts";
import type { LanguageQuery } from "./language_query.ts";

/** The rules of the grammar. */
export const QUERY: LanguageQuery = {
  tags: C_TAGS,
  separators: [".", "->"],
  isVisible: ({ header, kind, parentKind }) =>
    parentKind === "" && /^(?:function|prototype|variable)$/.test(kind)
      ? !/\bstatic\b/.test(header)
      : undefined,
  repair: blankMacros,
  aliasOf: toIncludeAlias,
};
