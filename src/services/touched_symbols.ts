/** Says which definitions of a text its changed lines are in: what a session changed is learned by their names. */
import { findTouched } from "../impact/diff.ts";
import { holderOf } from "../impact/symbol_shape.ts";
import type { CodeIndex } from "../index/index_api.ts";
import type { SymbolHit } from "../index/read/view.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";

/** Makes the reader of a project; it analyses the text itself, whatever the index has of the file. */
export function createTouchedReader(
  index: Pick<CodeIndex, "peek">,
): WorkflowDeps["listTouched"] {
  return async ({ path, text, lines }) => {
    using peek = await index.peek({ isBrief: true });
    await peek.addText(text, { path });
    const own = await peek.read((view) => view.listSymbols(path));
    return findTouched(own, lines).map((hit) => ({
      name: hit.qualifiedName,
      holders: listHolders(hit, own).map(({ qualifiedName }) => qualifiedName),
    }));
  };
}

function listHolders(hit: SymbolHit, own: readonly SymbolHit[]): readonly SymbolHit[] {
  const holder = holderOf(hit, own);
  return holder === null ? [] : [holder, ...listHolders(holder, own)];
}
