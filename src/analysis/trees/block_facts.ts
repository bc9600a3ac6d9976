/**
 * Makes the facts about blocks, for grammars whose patterns say no types. They say where a variable
 * holds, which definitions only a block knows, and where `this` is not the type round the place.
 * Pure.
 */
import type { Occurrence, TypeFact } from "../analysis.ts";
import { IN_BLOCK, isMember, OF_TYPE } from "../../language/kinds.ts";
import { columnOf, lineOf } from "../../base/text/position.ts";
import { createBlockFinder } from "./bindings.ts";
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import type { RawObject, RawTags } from "./raw_tags.ts";
import { createPlaceFinder } from "./type_facts.ts";

/** What is read beside the patterns. */
export interface BlockFactsOptions {
  /** Places of symbols' names. */
  readonly nameStarts: ReadonlySet<number>;
  /** Places where a local variable is declared. */
  readonly localStarts: ReadonlySet<number>;
  readonly occurrences: readonly Occurrence[];
  /** Whether what a function defines is known outside of it too. */
  readonly definesOutside: boolean;
  /** Whether patterns bind a variable wherever it stands, so that only what sets it counts. */
  readonly bindsByWriting: boolean;
}

type Range = readonly [start: number, end: number];

interface Found extends Pick<TypeFact, "name" | "kind" | "text"> {
  readonly start: number;
  readonly within?: Range;
}

/** The facts of a text, in the order of their places. */
export function buildBlockFacts(
  text: string,
  tags: RawTags,
  options: BlockFactsOptions,
): readonly TypeFact[] {
  const found: Found[] = [
    ...listObjects(tags),
    ...tags.statics.map((one): Found => ({ ...one, kind: "value", text: OF_TYPE })),
    ...listBindings(text, tags, options),
    ...listInBlocks(tags, options),
  ];
  const toPlace = createPlaceFinder(text);
  return found.sort((a, b) => a.start - b.start).map(({ start, within, ...fact }) => {
    const place = toPlace(start);
    return {
      ...fact,
      line: lineOf(place),
      column: columnOf(place),
      ...(within === undefined ? {} : { within: [toPlace(within[0]), toPlace(within[1])] }),
    };
  });
}

/** What the captures of one match say of an object without a name; `read` answers the text of a node. */
export function readObject(
  { startIndex: start, endIndex: end }: SyntaxNode,
  by: ReadonlyMap<string, SyntaxNode>,
  read: (node: SyntaxNode) => string,
): RawObject {
  const [type, value] = [by.get("object.type"), by.get("object.value")];
  if (type !== undefined) return { start, end, of: read(type).replace(/[\s<({][\s\S]*$/, "") };
  const untold = by.has("object.any") ? "" : UNTOLD;
  return { start, end, of: value === undefined ? untold : `=${read(value)}` };
}

/** Where `this` is another object; of two patterns for one place the one that says its type counts. */
function listObjects({ objects }: RawTags): readonly Found[] {
  const byStart = new Map<number, Found>();
  for (const { start, end, of } of objects) {
    const known = byStart.get(start);
    if (known !== undefined && known.text !== UNTOLD) continue;
    byStart.set(start, { name: "this", start, kind: "value", text: of, within: [start, end] });
  }
  return [...byStart.values()];
}

const WHOLE: Range = [-1, Infinity];
/** What an object extends of which no pattern says it. */
const UNTOLD = "?";

/** Each place that gives a name to a block, for names that something is taken from. */
function listBindings(text: string, tags: RawTags, options: BlockFactsOptions): readonly Found[] {
  const { localStarts, occurrences, bindsByWriting } = options;
  const heads = new Set(occurrences.flatMap(({ receiver = "" }) => receiver.split(".", 1)));
  for (const { of } of tags.objects) heads.add(of.replace(/^=/, ""));
  const inBlocks = tags.definitions.filter(({ nameStart }) => localStarts.has(nameStart))
    .map(({ nameStart: start, name }) => ({ start, name }));
  const wanted = [...tags.bounds, ...inBlocks]
    .filter(({ name }) => heads.has(name) && name !== "this")
    .sort((a, b) => a.start - b.start);
  const findBlock = createBlockFinder([...(bindsByWriting ? [] : tags.locals), ...tags.blocks]);
  const kinds = new Map(bindsByWriting ? tags.marks.map(({ start, kind }) => [start, kind]) : []);
  const places = new Set<number>();
  const toRange = (one: { readonly start: number; readonly within?: Range }) =>
    one.within ?? findBlock(one.start, one.start + 1);
  const opened = new Set<string>();
  const ranges = wanted.map(toRange);
  for (const [at, { name, start }] of wanted.entries()) {
    if (kinds.get(start) === "write") opened.add(`${ranges[at]?.[0]} ${name}`);
  }
  return wanted.flatMap((one, at): Found[] => {
    const { name, start } = one;
    if (places.has(start)) return [];
    places.add(start);
    const range = ranges[at] ?? WHOLE;
    const [from, to] = range;
    const isWhole = to === Infinity;
    const fact: Found = {
      name,
      start,
      kind: "local",
      text: "",
      ...(isWhole ? {} : { within: range }),
    };
    if (!bindsByWriting || kinds.get(start) === "write") return [fact];
    // A function that is no short one sees nothing of what stands round it.
    const isOpen = isWhole || /^(?:static\s+)?fn\b/.test(text.slice(from, from + 20));
    const key = `${from} ${name}`;
    if (isOpen || opened.has(key)) return [];
    opened.add(key);
    return [{ ...fact, start: from }];
  });
}

/** Definitions that only the body of a function or of an object without a name knows. */
function listInBlocks(tags: RawTags, options: BlockFactsOptions): readonly Found[] {
  const { definitions, locals, objects } = tags;
  const ranges = objects.map(({ start, end }): Range => [start, end]);
  const isOfObject = new Set(ranges.map(([start]) => start));
  const findBlock = createBlockFinder([...(options.definesOutside ? [] : locals), ...ranges]);
  return definitions.toSorted((a, b) => a.start - b.start).flatMap((one): Found[] => {
    const { name, kind, scope, nameStart: start } = one;
    const within = findBlock(one.start, one.end);
    const isKnown = within[1] === Infinity || scope !== undefined || kind === "macro" ||
      !options.nameStarts.has(start) || isMember(kind) && !isOfObject.has(within[0]);
    return isKnown ? [] : [{ name, start, kind: "value", text: IN_BLOCK, within }];
  });
}
