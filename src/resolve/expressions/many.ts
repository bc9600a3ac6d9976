/** What lists, tables, tuples and promises give: one of many, one by its number, what is awaited, results of methods. Pure. */
import type { TypeAsker } from "./context_types.ts";
import type { Typed } from "./typed.ts";
import { joinTypes } from "./typed.ts";
import type { TypeForm } from "./type_text.ts";

/** Members of lists that give a list again, or one of it; a context of Python gives the one that it yields. */
const SAME_LIST = new Set("filter slice concat reverse toReversed toSorted sort values".split(" "));
const ONE_OF_LIST = new Set("find findLast at pop shift get __enter__".split(" "));

/** A method of a list; null where it is none of those that give the list or one of it. */
export function stepOfList(list: Typed & { kind: "list" }, name: string): Typed | null {
  if (SAME_LIST.has(name)) return list;
  return ONE_OF_LIST.has(name) ? { ...list, kind: "taker" } : null;
}

/** What a method of a table of Python answers with. */
export function stepOfTable(table: Typed & { kind: "table" }, name: string): Typed | null {
  const { key, of } = table;
  if (name === "get" || name === "pop" || name === "setdefault") return { kind: "taker", of };
  if (name === "values") return { kind: "list", of };
  if (name === "keys") return { kind: "list", of: key };
  const pair: TypeForm = { kind: "tuple", of: [key.form, of.form] };
  if (name === "items") return { kind: "list", of: { form: pair, place: of.place } };
  return name === "copy" ? table : null;
}

/** One of many. */
export function elementOf(typed: Typed, asker: TypeAsker): Typed | null {
  const bare = asker.bare(typed);
  const isPython = asker.isPython();
  if (bare?.kind === "object" && isPython) {
    const getter = asker.step(bare, "__getitem__");
    return getter === null ? null : asker.called(getter);
  }
  if (bare?.kind === "tuple") {
    return isPython
      ? joinTypes(bare.of.map(({ form, place }) => asker.ofForm(form, place)))
      : partOf(bare, 0, asker);
  }
  const isMany = bare?.kind === "list" || bare?.kind === "table";
  return isMany ? asker.ofForm(bare.of.form, bare.of.place) : null;
}

/** What a loop gets. */
export function eachOf(typed: Typed, asker: TypeAsker): Typed | null {
  if (typed.kind === "table") return asker.ofForm(typed.key.form, typed.key.place);
  const iterator = typed.kind === "object" ? asker.step(typed, "__iter__") : null;
  return elementOf((iterator === null ? null : asker.called(iterator)) ?? typed, asker);
}

/** What is awaited. */
export function awaitedOf(typed: Typed, asker: TypeAsker): Typed | null {
  const bare = asker.bare(typed);
  return bare?.kind === "promise" ? asker.ofForm(bare.of.form, bare.of.place) : bare;
}

/** One by its number, from 0. */
export function partOf(typed: Typed, index: number, asker: TypeAsker): Typed | null {
  const part = typed.kind === "tuple" ? typed.of[index] : undefined;
  return part === undefined ? null : asker.ofForm(part.form, part.place);
}
