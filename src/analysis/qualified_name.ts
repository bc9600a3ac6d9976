/**
 * How a symbol is called with all that holds it: what stands round it, and the type that it names itself
 * where it stands apart (`func (s *Server) Run`, `void A::f()`). Pure.
 */
import type { CodeSymbol } from "./analysis.ts";

/** What a name is made of. */
export type NamedSymbol = Pick<CodeSymbol, "name" | "parent" | "scope">;

/** Gives the symbol at a position of the same content. */
export type ReadHolder = (position: number) => NamedSymbol | undefined;

const SEPARATORS = /::|->|[.:\\#]/;

/**
 * The names of what holds a symbol, outermost first, joined with dots, with its own at the end.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toQualifiedName } from "./qualified_name.ts";
 * const space = { name: "net", parent: null };
 * const run = { name: "run", parent: 0, scope: "Server" };
 * equal(toQualifiedName(run, () => space), "net.Server.run");
 * ```
 */
export function toQualifiedName(symbol: NamedSymbol, readHolder: ReadHolder): string {
  const names = [symbol.name];
  for (let at = symbol;;) {
    const holder = at.parent === null ? undefined : readHolder(at.parent);
    names.unshift(...toApartScope(at, holder));
    if (holder === undefined) return names.join(".");
    names.unshift(holder.name);
    at = holder;
  }
}

/** The parts of a symbol's scope that its holder does not stand for already; mostly none. */
export function toApartScope(
  { scope }: Pick<NamedSymbol, "scope">,
  holder: Pick<NamedSymbol, "name"> | undefined,
): readonly string[] {
  if (scope === undefined) return [];
  const parts = scope.split(SEPARATORS).filter((part) => part !== "");
  if (holder === undefined) return parts;
  if (parts.at(-1) === holder.name) return [];
  return parts[0] === holder.name ? parts.slice(1) : parts;
}
