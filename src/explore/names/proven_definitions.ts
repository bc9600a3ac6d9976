/** Definitions that an indexer of the language proved and the code index does not have: a property, a field, what a macro makes. */
import { languageOfPath } from "../../language/languages.ts";
import type {
  DescriptorKind,
  ProvenDefinition,
  ProvenPlaces,
} from "../../resolve/proven_places.ts";
import type { IndexTag } from "../index_access.ts";
import type { Nearest } from "./nearest_definitions.ts";
import type { SymbolName } from "./symbol_name.ts";
import { isInScope } from "./symbol_name.ts";

/** What is defined, in the vocabulary of the code index; null for what has no name outside of its definition. */
const KINDS: Readonly<Record<DescriptorKind, string | null>> = {
  namespace: null,
  type: "type",
  term: "variable",
  method: "method",
  meta: "property",
  macro: "macro",
  type_parameter: null,
  parameter: null,
};

/** The definitions of a name by proof; null where there are none. */
export function findProvenDefinitions(
  proof: ProvenPlaces | null,
  wanted: SymbolName,
  covers: (path: string) => boolean,
): Nearest<IndexTag> | null {
  const named = (proof?.findDefinitions(wanted.name) ?? []).flatMap(toProvenTag)
    .filter(({ path }) => covers(path));
  const places = new Map(named.map((tag) => [`${tag.line} ${tag.path}`, tag]));
  const tags = [...places.values()].filter((tag) => isInScope(tag, wanted));
  return tags.length === 0 ? null : { match: "exact", tags, sameNamed: places.size };
}

function toProvenTag({ path, line, word, way }: ProvenDefinition): readonly IndexTag[] {
  const kind = KINDS[(way[way.length - 1] ?? way[0]).kind];
  if (kind === null) return [];
  const holders = way.slice(0, -1).filter((one) => one.kind !== "namespace");
  const scope = holders.map(({ name }) => name).join(".");
  const language = languageOfPath(path)?.name ?? "";
  const tag = { name: word, kind, path, line, endLine: line, language };
  return [scope === "" ? tag : { ...tag, scope }];
}
