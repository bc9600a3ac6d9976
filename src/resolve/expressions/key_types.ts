/** The members of an object that is written out. Pure. */
import type { SymbolHit } from "../../index/read/view.ts";
import type { TypeAsker } from "./context_types.ts";
import type { NameDoor, Typed } from "./typed.ts";

type Keys = Typed & { kind: "keys" };

/** A method that is written into an object; null where an object inside of it has one of the name too. */
export function methodOfKeys({ of }: Keys, name: string, door: NameDoor): SymbolHit | null {
  const own = of === undefined
    ? []
    : door.candidates(name).filter((hit) => hit.path === of.path && hit.parent === of.position);
  return own.length === 1 ? own[0] ?? null : null;
}

/** What a member of the object is; what stands last counts, as where the object is made. */
export function stepOfKeys(
  typed: Keys,
  name: string,
  asker: TypeAsker,
  door: NameDoor,
): Typed | null {
  const { keys, place } = typed;
  const method = methodOfKeys(typed, name, door);
  if (method !== null) return asker.ofSymbol(method, typed);
  for (const key of keys.toReversed()) {
    const [own = "", value = own] = /^([\w$]+):(.*)$/.exec(key)?.slice(1) ?? [key];
    if (own === name) return asker.typeOf(value, place);
    if (!key.startsWith("...")) continue;
    const spread = asker.typeOf(key.slice(3), place);
    const step = spread === null ? null : asker.step(spread, name);
    if (step !== null) return step;
  }
  return null;
}
