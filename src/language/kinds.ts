/**
 * The one table of kinds: the words for what a definition is, and what each of them stands for. Whoever asks "is this a
 * type" or "does this run" asks here, so that all rooms mean the same by it. Pure.
 */

/** The text of a fact about a definition inside of a block. */
export const IN_BLOCK = "#";
/** The text of a fact about a method that a type has itself, and not its objects. */
export const OF_TYPE = "@";
/** The name of what a module of scripts is as a whole: `module.exports = …`, `export = …`. */
export const WHOLE_MODULE = "export=";

/** A definition. */
export interface Tag {
  /** Its name. */
  readonly name: string;
  /** Its kind, in one vocabulary for all languages. */
  readonly kind: string;
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** Last line, 1-based. */
  readonly endLine?: number;
  /** Symbol that holds it, as its language writes it. */
  readonly scope?: string;
  /** Kind of that symbol. */
  readonly scopeKind?: string;
  /** Parameters as they are written. */
  readonly signature?: string;
  /** Name of its language. */
  readonly language: string;
}

/** Words of languages for kinds that have another name here. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  func: "function",
  packageName: "package",
  singletonMethod: "method",
  subroutine: "function",
  typealias: "type",
  alias: "type",
  talias: "type",
  val: "property",
  "Go:methodSpec": "method",
  "Python:member": "method",
  "Rust:interface": "trait",
};

/** One word for one kind, whatever a pattern calls it; functions held by a type are methods. */
export function normalizeKind(
  kind: string,
  language: string,
  scopeKind: string | undefined,
): string {
  const plain = OTHER_WORDS[`${language}:${kind}`] ?? OTHER_WORDS[kind] ?? kind;
  return plain === "function" && scopeKind !== undefined && holdsMethods(scopeKind)
    ? "method"
    : plain;
}

/**
 * What a kind stands for:
 * - `type`: values are of it, or members are found through it. `class`: one that is written to be a type of its own.
 * - `addition`: adds members to a type that is defined elsewhere. `typed`: names a type or holds one, and has no members itself.
 * - `space`: only holds other definitions. `open`: what it holds stands at the top of its file all the same.
 * - `callable`: has a body that runs when it is named. `made`: declares one without its body.
 * - `variable`, `field`: holds a value, by itself or as part of an object. `member`: has no meaning without what holds it.
 * - `small`: says little by itself, as a place among others.
 */
type Trait =
  | "type"
  | "class"
  | "addition"
  | "typed"
  | "space"
  | "open"
  | "callable"
  | "made"
  | "variable"
  | "field"
  | "member"
  | "small";

/** What only marks a place in markup, styles, data or build files. */
const PLACE: readonly Trait[] = [];

const TABLE = {
  class: ["type", "class"],
  enum: ["type", "class"],
  interface: ["type", "class"],
  mixin: ["type", "class"],
  object: ["type", "class"],
  protocol: ["type", "class"],
  record: ["type", "class"],
  struct: ["type", "class"],
  trait: ["type", "class"],
  union: ["type", "class"],
  type: ["type"],
  extension: ["type", "addition"],
  implementation: ["type", "addition"],

  concept: ["typed"],
  delegate: ["typed"],
  typedef: ["typed"],

  // A module of Ruby or Elixir has members as a type has; one of Rust holds what would stand at the top without it.
  module: ["type", "space"],
  namespace: ["typed", "space", "open"],
  package: ["typed", "space", "open"],

  function: ["callable"],
  method: ["callable", "member"],
  constructor: ["callable"],
  destructor: ["callable"],
  operator: ["callable"],
  getter: ["callable"],
  setter: ["callable"],
  procedure: ["callable"],
  // A macro of Rust or Elixir writes types too.
  macro: ["callable", "typed"],
  callback: ["made"],
  prototype: ["made"],

  constant: ["variable", "small"],
  value: ["variable", "small"],
  variable: ["variable", "small"],
  enumerator: ["member", "small"],
  field: ["field", "member", "small"],
  property: ["field", "member", "small"],
  key: ["small"],

  architecture: PLACE,
  block: PLACE,
  component: PLACE,
  element: PLACE,
  event: PLACE,
  id: PLACE,
  index: PLACE,
  keyframes: PLACE,
  label: PLACE,
  placeholder: PLACE,
  section: PLACE,
  slot: PLACE,
  table: PLACE,
  target: PLACE,
  test: PLACE,
  trigger: PLACE,
  view: PLACE,
} as const satisfies Readonly<Record<string, readonly Trait[]>>;

/** A word for what a definition is. */
export type Kind = keyof typeof TABLE;

/** Every kind. */
export const KINDS: readonly Kind[] = Object.keys(TABLE) as Kind[];

const BY_TRAIT = new Map<Trait, ReadonlySet<string>>();

function has(kind: string, trait: Trait): boolean {
  let kinds = BY_TRAIT.get(trait);
  if (kinds === undefined) {
    const traits: Readonly<Record<Kind, readonly Trait[]>> = TABLE;
    kinds = new Set(KINDS.filter((one) => traits[one].includes(trait)));
    BY_TRAIT.set(trait, kinds);
  }
  return kinds.has(kind);
}

/** Whether definitions of the kind have members, or add members to a type. */
export function isType(kind: string): boolean {
  return has(kind, "type");
}

/** Whether a definition of the kind is a type of its own: no addition to one, no other name for one, no module. */
export function isClass(kind: string): boolean {
  return has(kind, "class");
}

/** Whether the kind adds to a type that is defined elsewhere. */
export function isAddition(kind: string): boolean {
  return has(kind, "addition");
}

/** Whether a function in a definition of the kind is its method: a type that is no module. */
export function holdsMethods(kind: string): boolean {
  return isType(kind) && !isSpace(kind);
}

/** Whether a place that names a type may lead to the kind. */
export function canNameType(kind: string): boolean {
  return isType(kind) || has(kind, "typed");
}

/** Whether the kind declares types, as words of their own: types and other names for them. */
export function declaresType(kind: string): boolean {
  return canNameType(kind) && !isCallable(kind) && !isOpenSpace(kind);
}

/** Whether the kind only holds other definitions. */
export function isSpace(kind: string): boolean {
  return has(kind, "space");
}

/** Whether what the kind holds stands at the top of its file all the same, and is named there without a prefix. */
export function isOpenSpace(kind: string): boolean {
  return has(kind, "open");
}

/** Whether definitions of the kind have a body that runs. */
export function isCallable(kind: string): boolean {
  return has(kind, "callable");
}

/** Whether the kind is something that is called: with a body, or declared without one. */
export function isDeclaredCallable(kind: string): boolean {
  return isCallable(kind) || has(kind, "made");
}

/** Whether the kind holds a value by itself. */
export function isVariable(kind: string): boolean {
  return has(kind, "variable");
}

/** Whether the kind holds a value as part of an object. */
export function isField(kind: string): boolean {
  return has(kind, "field");
}

/** Whether the kind means nothing without what holds it, so that its name alone is no name of the scope round it. */
export function isMember(kind: string): boolean {
  return has(kind, "member");
}

/** Whether a definition of the kind says little by itself, as one place among others. */
export function isMinorKind(kind: string): boolean {
  return has(kind, "small");
}
