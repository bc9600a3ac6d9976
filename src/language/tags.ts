/** One definition as any backend finds it, and what all of them do with it. Pure. */

/** A definition. */
export interface Tag {
  /** Its name. */
  readonly name: string;
  /** Its kind, in one vocabulary for all backends. */
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

/** Order of definitions in every answer: path, line, name. */
export function compareTags(a: Tag, b: Tag): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  if (a.line !== b.line) return a.line - b.line;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

const KINDS: Readonly<Record<string, string>> = {
  func: "function",
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
const HOLDERS =
  /^(?:class|interface|trait|struct|enum|implementation|object|protocol|mixin|extension|record|union)$/;

/** One word for one kind, whatever the backend calls it; functions held by a type are methods. */
export function toKind(kind: string, language: string, scopeKind: string | undefined): string {
  const plain = KINDS[`${language}:${kind}`] ?? KINDS[kind] ?? kind;
  return plain === "function" && scopeKind !== undefined && HOLDERS.test(scopeKind)
    ? "method"
    : plain;
}

/** Whether a definition stands at the top of its file; what only a namespace holds does. */
export function isTopLevel(tag: Tag): boolean {
  return tag.scope === undefined || /^(?:namespace|package|packageName)$/.test(tag.scopeKind ?? "");
}
