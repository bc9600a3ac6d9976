/** The field that says which tests ran a function, on what replies show of definitions. One look into the records a question. */
import { formatRunBy } from "../index/seen_runs.ts";
import { isCallable } from "../language/kinds.ts";
import type { Services } from "../services/services_api.ts";

/** A definition as answers name it. */
interface Named {
  readonly path: string;
  readonly name: string;
  readonly scope?: string;
}

/** Of more definitions only whether tests ran them is said, not which. */
const MAX_COUNTED = 20;

/**
 * The items with the field; as they are where nothing was recorded, and where an item is no function of the index.
 *
 * @param options `toNamed`: the definition that an item shows; `isBrief`: without the number and the name of tests.
 */
export async function addRunBy<Item extends object>(
  { openRuns, index }: Pick<Services, "openRuns" | "index">,
  items: readonly Item[],
  { toNamed, isBrief = items.length > MAX_COUNTED }: {
    readonly toNamed: (item: Item) => Named | undefined;
    readonly isBrief?: boolean;
  },
): Promise<readonly (Item & { readonly runBy?: string })[]> {
  const state = items.length === 0 ? null : await (await openRuns()).load();
  if (state === null) return items;
  const functions = await index.read((view) =>
    items.map((item) => {
      const { path = "", name = "", scope } = toNamed(item) ?? {};
      const whole = scope === undefined ? name : `${scope}.${name}`;
      const same = name === ""
        ? []
        : view.listSymbols(path).filter((hit) =>
          hit.qualifiedName === whole && isCallable(hit.kind)
        );
      return same.length > 0 ? { path, name: whole, same: same.length } : null;
    })
  );
  const asked = functions.filter((one) => one !== null);
  const all = isBrief ? state.findTests(asked).functions : [];
  return items.map((item, at) => {
    const own = functions[at] ?? null;
    if (own === null) return item;
    const told = all[asked.indexOf(own)];
    const seen = isBrief
      ? { tests: [], functions: told === undefined ? [] : [told] }
      : state.findTests([own]);
    const runBy = formatRunBy(seen);
    // Records know functions by their names: which of several ran is not known.
    const isShared = own.same > 1 && seen.functions[0]?.seen !== "not run";
    const note = isShared ? `, it or another of ${own.same} definitions of this name` : "";
    return runBy === null ? item : { ...item, runBy: `${runBy}${note}` };
  });
}
