/** One definition as any backend finds it, and what all of them do with it. Pure. */
import { holdsMethods, isOpenSpace } from "./kinds.ts";

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

/** Words of `ctags` for kinds that have another name here. */
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

/** One word for one kind, whatever the backend calls it; functions held by a type are methods. */
export function toKind(kind: string, language: string, scopeKind: string | undefined): string {
  const plain = OTHER_WORDS[`${language}:${kind}`] ?? OTHER_WORDS[kind] ?? kind;
  return plain === "function" && scopeKind !== undefined && holdsMethods(scopeKind)
    ? "method"
    : plain;
}

/** Whether a definition stands at the top of its file; what only a namespace holds does. */
export function isTopLevel(tag: Tag): boolean {
  const { scope, scopeKind = "" } = tag;
  return scope === undefined || isOpenSpace(OTHER_WORDS[scopeKind] ?? scopeKind);
}
