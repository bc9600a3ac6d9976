/** One definition, whatever found it, and the words for its kind. Pure. */
import { holdsMethods } from "./kinds.ts";

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
export function toKind(kind: string, language: string, scopeKind: string | undefined): string {
  const plain = OTHER_WORDS[`${language}:${kind}`] ?? OTHER_WORDS[kind] ?? kind;
  return plain === "function" && scopeKind !== undefined && holdsMethods(scopeKind)
    ? "method"
    : plain;
}
