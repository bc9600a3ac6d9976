/** What the methods of lists and tables answer with. Pure. */
import type { Typed } from "./typed.ts";
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
