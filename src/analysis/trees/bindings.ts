/**
 * Which places name a local variable, a parameter or the like, so that no definition of the same name is
 * meant: names are bound in blocks, and the innermost block that binds a name decides. Pure.
 */
import { getOrInsert } from "../../base/once.ts";
import type { RawBound, RawMark } from "./raw_tags.ts";

/** A name of a definition that is seen without a receiver, and the range of the definition. */
export interface DefinedName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** A variable that is bound once more is the same variable. */
  readonly isVariable: boolean;
}

/** What binds names in a text. */
export interface BindingFacts {
  /** Ranges in which names hold. They nest. */
  readonly blocks: readonly Range[];
  readonly bounds: readonly RawBound[];
  readonly definitions: readonly DefinedName[];
  /** Places that cannot be local: names of definitions and of imports. */
  readonly isFixed: (bound: RawBound) => boolean;
}

type Range = readonly [start: number, end: number];

interface Binding {
  readonly start: number;
  readonly end: number;
  isLocal: boolean;
  /** Bound as a type (`<T>`), or as a value. */
  readonly isType: boolean;
}

const WHOLE: Range = [-1, Infinity];

/** The places of `marks`, which are in order, that name something local. */
export function findLocals(marks: readonly RawMark[], facts: BindingFacts): ReadonlySet<number> {
  const { names, own } = collectBindings(marks, facts);
  const locals = new Set<number>(own);
  const open = new Map<string, { next: number; stack: Binding[] }>();
  for (const { name, start, kind } of marks) {
    const bindings = names.get(name);
    if (bindings === undefined) continue;
    const state = getOrInsert(open, name, () => ({ next: 0, stack: [] as Binding[] }));
    const { stack } = state;
    for (; (bindings[state.next]?.start ?? Infinity) <= start; state.next++) {
      const binding = bindings[state.next];
      while ((stack.at(-1)?.end ?? Infinity) <= (binding?.start ?? 0)) stack.pop();
      if (binding !== undefined) stack.push(binding);
    }
    while ((stack.at(-1)?.end ?? Infinity) <= start) stack.pop();
    // Values are no types: a parameter hides no type of its name.
    const nearest = stack.findLast(({ isType, isLocal }) =>
      !isLocal || isType === (kind === "type")
    );
    if (nearest?.isLocal === true) locals.add(start);
  }
  return locals;
}

/** What binds each name that something local has, by the begin of its range, wide ones first. */
function collectBindings(marks: readonly RawMark[], facts: BindingFacts) {
  const { blocks, bounds, definitions, isFixed } = facts;
  const kinds = new Map(marks.map(({ start, kind }) => [start, kind]));
  const wanted = bounds.filter((bound) => !isFixed(bound));
  const variables = new Set(definitions.filter((one) => one.isVariable).map(({ name }) => name));
  const nearest = createBlockFinder(blocks);
  const names = new Map<string, Binding[]>();
  const own: { readonly start: number; readonly binding?: Binding }[] = [];
  for (const { name, start, within } of [...wanted].sort((a, b) => a.start - b.start)) {
    const range = within ?? nearest(start, start + 1);
    // Without a block of its own a name holds where it stands, unless it is a variable of the file.
    if (range === WHOLE && variables.has(name)) continue;
    if (range === WHOLE) {
      own.push({ start });
      continue;
    }
    const isType = kinds.get(start) === "type";
    const list = names.get(name) ?? [];
    names.set(name, list);
    const known = list.find((one) =>
      one.start === range[0] && one.end === range[1] && one.isType === isType
    );
    const binding = known ?? { start: range[0], end: range[1], isLocal: true, isType };
    if (known === undefined) list.push(binding);
    own.push({ start, binding });
  }
  const find = createBlockFinder(blocks);
  const again = new Set<Binding>();
  for (const { name, start, end, isVariable } of [...definitions].sort(byStart)) {
    const list = names.get(name);
    if (list === undefined) continue;
    const range = find(start, end);
    const same = list.find((one) => one.start === range[0] && one.end === range[1]);
    if (same === undefined) {
      list.push({ start: range[0], end: range[1], isLocal: false, isType: false });
    } else if (isVariable) again.add(same);
  }
  for (const binding of again) binding.isLocal = false;
  for (const list of names.values()) list.sort((a, b) => a.start - b.start || b.end - a.end);
  return {
    names,
    own: own.filter(({ binding }) => binding?.isLocal !== false).map(({ start }) => start),
  };
}

function byStart(a: DefinedName, b: DefinedName): number {
  return a.start - b.start;
}

/** Answers the innermost block round a range and wider than it; ranges are asked by their begin. */
export function createBlockFinder(blocks: readonly Range[]): (start: number, end: number) => Range {
  const sorted = [...blocks].sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const open: Range[] = [];
  let at = 0;
  return (start, end) => {
    for (; (sorted[at]?.[0] ?? Infinity) <= start; at++) {
      const block = sorted[at] ?? WHOLE;
      while ((open.at(-1)?.[1] ?? Infinity) <= block[0]) open.pop();
      open.push(block);
    }
    while ((open.at(-1)?.[1] ?? Infinity) <= start) open.pop();
    return open.findLast(([from, to]) =>
      from <= start && end <= to && !(from === start && to === end)
    ) ??
      WHOLE;
  };
}
