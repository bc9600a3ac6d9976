/** The definitions of exactly one name, for questions that follow it further. Pure over the view. */
import type { Found, IndexView, SymbolHit } from "../../index/read/view.ts";
import { toTag } from "../index_access.ts";
import { isInScope, parseSymbolName } from "./symbol_name.ts";

/** Most definitions of one name that are followed. */
const MAX_DEFINITIONS = 5_000;

/**
 * The definitions of a name, plain or qualified (`Class.method`), in the order of their places; none where it is no name.
 *
 * @param limit most definitions of a plain name that are given; `total` counts all.
 */
export function findExactDefinitions(
  view: IndexView,
  symbol: string,
  limit = MAX_DEFINITIONS,
): Found<SymbolHit> {
  const parsed = parseSymbolName(symbol);
  if (parsed.kind === "refused") return { hits: [], total: 0 };
  const { value } = parsed;
  const names = new Set([value.whole, value.name]);
  if (value.scope.length === 0 && names.size === 1) {
    return view.findSymbols({ name: value.name, limit });
  }
  const hits = [...names].flatMap((name) => view.findSymbols({ name, limit: MAX_DEFINITIONS }).hits)
    .filter((hit) => isInScope(toTag(hit), value));
  return { hits, total: hits.length };
}
