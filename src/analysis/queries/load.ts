/** Loads the rules of a grammar: the file of this folder that has its name. */
import type { LanguageQuery } from "./language_query.ts";

const loaded = new Map<string, Promise<LanguageQuery>>();

/**
 * The rules of a grammar of `wasm/`, loaded once.
 *
 * @throws when the folder has no file for it, which a test excludes.
 */
export function loadLanguageQuery(grammar: string): Promise<LanguageQuery> {
  const known = loaded.get(grammar);
  if (known !== undefined) return known;
  const loading = import(`./${grammar}.ts`).then((module: { QUERY: LanguageQuery }) =>
    module.QUERY
  );
  loaded.set(grammar, loading);
  return loading;
}
