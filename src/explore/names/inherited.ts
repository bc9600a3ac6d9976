/**
 * Finds the definition that a name leads to where no definition has that name. A script imports or
 * exports it under another name, or a type inherits it (`Flask.route`, defined in the base
 * `Scaffold`). Or an indexer of the language proved it.
 */
import { languageOfPath } from "../../language/languages.ts";
import type {
  DescriptorKind,
  ProvenDefinition,
  ProvenPlaces,
} from "../../resolve/proven_places.ts";
import type { IndexTag } from "../index_access.ts";
import { convertSymbolToTag } from "../index_access.ts";
import type { Nearest, SymbolName } from "./symbol_name.ts";
import { isInScope } from "./symbol_name.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import type { FactStore } from "../../resolve/fact_store.ts";
import { TYPES } from "../../resolve/reference_facts.ts";
import { resolveReference } from "../../resolve/resolver.ts";

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
  const named = (proof?.findDefinitions(wanted.name) ?? []).flatMap(buildProvenTag)
    .filter(({ path }) => covers(path));
  const places = new Map(named.map((tag) => [`${tag.line} ${tag.path}`, tag]));
  const tags = [...places.values()].filter((tag) => isInScope(tag, wanted));
  return tags.length === 0 ? null : { match: "exact", tags, sameNamed: places.size };
}

function buildProvenTag({ path, line, word, way }: ProvenDefinition): readonly IndexTag[] {
  const kind = KINDS[(way[way.length - 1] ?? way[0]).kind];
  if (kind === null) return [];
  const holders = way.slice(0, -1).filter((one) => one.kind !== "namespace");
  const scope = holders.map(({ name }) => name).join(".");
  const language = languageOfPath(path)?.name ?? "";
  const tag = { name: word, kind, path, line, endLine: line, language };
  return [scope === "" ? tag : { ...tag, scope }];
}

/** Inherited definitions, and a sentence for each that says from where. */
export interface Inherited {
  readonly nearest: Nearest<IndexTag>;
  readonly notices: readonly string[];
}

/** Types of one name that are followed: more are no name of one thing. */
const MAX_TYPES = 50;

/** Finds what `Type.member` inherits, or what scripts call by a plain name; null where that is nothing. */
export async function findInherited(
  facts: FactStore,
  wanted: SymbolName,
  { covers, signal }: {
    readonly covers: (path: string) => boolean;
    readonly signal?: AbortSignal;
  },
): Promise<Inherited | null> {
  const { name, scope } = wanted;
  const type = scope.at(-1);
  if (type === undefined) return await findRenamed(facts, wanted, { covers, ...end(signal) });
  const holder: SymbolName = { name: type, scope: scope.slice(0, -1), whole: scope.join(".") };
  const found = await facts.ask((_view, open) => {
    const shared = open();
    const project = shared.forPlaces([]);
    const types = shared.named(type)
      .filter((hit) =>
        TYPES.has(hit.kind) && covers(hit.path) && isInScope(convertSymbolToTag(hit), holder)
      );
    return types.slice(0, MAX_TYPES).flatMap((from) => {
      const { path, line } = from;
      const { language } = shared.spoken(path);
      const mention = { name, path, line, column: 0, receiver: "this", language };
      // A language may know methods and fields apart.
      const member = resolveReference({ ...mention, kind: "call" }, project) ??
        resolveReference({ ...mention, kind: "read" }, project);
      return member === null ? [] : [{ from, member, sameNamed: shared.named(name).length }];
    });
  }, end(signal));
  const [first] = found;
  if (first === undefined) return null;
  const places = new Map(found.map(({ member }) => [`${member.path}:${member.line}`, member]));
  return {
    nearest: {
      match: "exact",
      tags: [...places.values()].map(convertSymbolToTag),
      sameNamed: first.sameNamed,
    },
    notices: [...new Set(found.map(({ from, member }) => formatInheritedNotice(from, member)))],
  };
}

/** What scripts import or give to others under the name: `export { a as b }`. */
async function findRenamed(
  facts: FactStore,
  { name }: SymbolName,
  { covers, signal }: {
    readonly covers: (path: string) => boolean;
    readonly signal?: AbortSignal;
  },
): Promise<Inherited | null> {
  const found = await facts.ask((_view, open) => open().findByOtherName(name), end(signal));
  const covered = found.filter(({ hit }) => covers(hit.path));
  if (covered.length === 0) return null;
  return {
    nearest: {
      match: "exact",
      tags: covered.map(({ hit }) => convertSymbolToTag(hit)),
      sameNamed: covered.length,
    },
    notices: covered.map(({ hit, path, line }) =>
      `${path}:${line} calls ${hit.qualifiedName} (${hit.path}:${hit.line}) "${name}".`
    ),
  };
}

function end(signal: AbortSignal | undefined) {
  return signal === undefined ? {} : { signal };
}

function formatInheritedNotice(from: SymbolHit, member: SymbolHit): string {
  const place = `${from.path}:${from.line}`;
  return `${from.qualifiedName} (${place}) does not define ${member.name} itself: it inherits ${member.qualifiedName}.`;
}
