/** Says of an answer that some of it comes from lines, because the language has no grammar. */
import { languageByName, languageOfPath } from "../language/languages.ts";
import type { ExploreRefused, ReferencesFound } from "./explorer.ts";

/** Said of a file that does not parse as a whole. */
export const PARTIAL_NOTICE =
  "The text has errors: where it is broken, names are told by their lines, and some may be missing.";

/** One notice for the languages without a grammar among these, or none. */
export function toLineNotices(languages: readonly (string | undefined)[]): readonly string[] {
  const plain = [...new Set(languages)].filter((name) =>
    name !== undefined && languageByName(name)?.grammar === null
  );
  return plain.length === 0
    ? []
    : [`${plain.sort().join(", ")}: no grammar, so names are told by their lines.`];
}

/** The answer with the notice for the files of the places that it shows. */
export function withLineNotices(
  answer: ReferencesFound | ExploreRefused,
): ReferencesFound | ExploreRefused {
  if (answer.kind === "refused") return answer;
  const found = answer as ReferencesFound;
  const known = found.notices ?? [];
  const more = toLineNotices(found.references.map(({ path }) => languageOfPath(path)?.name))
    .filter((notice) => !known.includes(notice));
  return more.length === 0 ? found : { ...found, notices: [...known, ...more] };
}
