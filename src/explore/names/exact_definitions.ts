/** The definitions of exactly one name, for questions that follow it further. Pure over the view. */
import type { IndexView, SymbolHit } from "../../index/mod.ts";
import { toTag } from "../index_access.ts";
import { isInScope, parseSymbolName } from "./symbol_name.ts";

/** Most definitions of one name that are followed. */
const MAX_DEFINITIONS = 200;

/** The definitions of a name, plain or qualified (`Class.method`), in the order of their places; none where it is no name. */
export function findExactDefinitions(view: IndexView, symbol: string): readonly SymbolHit[] {
  const parsed = parseSymbolName(symbol);
  if (parsed.kind === "refused") return [];
  const { value } = parsed;
  const names = new Set([value.whole, value.name]);
  return [...names].flatMap((name) => view.findSymbols({ name, limit: MAX_DEFINITIONS }).hits)
    .filter((hit) => isInScope(toTag(hit), value));
}
