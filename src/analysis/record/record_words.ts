/**
 * Holds what a record says against the words of its text. Another machine made the record, so that every name, signature
 * and doc text has to stand where it says. What does not is no proof of a lie, because the rules of some languages make
 * names, but it is reason enough to analyse the text. Pure.
 */
import type { CodeSymbol } from "../analysis.ts";
import type { StoredContent } from "./content.ts";
import { unpackPlaces, unpackTypes } from "./pack.ts";

/** So many lines below its name a signature may end and a doc string begin. */
const NEAR_LINES = 60;
/** Vocabulary of the analyser: a word or two. */
const KIND = /^[A-Za-z]+(?:[-_][A-Za-z]+)?$/;
const MAX_KIND_CHARS = 24;
const WORD = /[\p{L}\p{N}_]+/gu;
const IN_WORD = /[\p{L}\p{N}_]/u;
const SIGNS = /[^\p{L}\p{N}_]+/gu;
/** Signs before a name that some languages count as a part of it, and others do not. */
const LEAD = /^[.#$@%:&"'`]*/;
/** Words that the analyser writes by rule: of positions, of common types, of what has no name. */
const OWN_WORD =
  /^(?:\d+|this|self|T|default|export|null|typeof|dict|Array|Map|Set|Promise|number|boolean|string|constructor|p\d+|__\w+__)$/;

/** Whether all that a content says stands in its text, at its place. */
export function standsInText(content: StoredContent, text: string): boolean {
  const page = new Page(text);
  return content.symbols.every((symbol) => isOfText(symbol, page)) &&
    content.occurrences.every(({ name, places }) =>
      unpackPlaces(places).every(({ line, column, receiver = "" }) =>
        page.names(name, line, column) && page.hasWords(receiver)
      )
    ) &&
    content.imports.every(({ module, name, alias }) =>
      page.hasWords(module) && page.hasWords(name ?? "") && page.hasWords(alias)
    ) &&
    content.chunks.every(({ kind, name }) => isKind(kind) && page.hasWords(name)) &&
    (content.types === null ||
      unpackTypes(content.types).every((fact) =>
        page.hasWords(fact.name) && page.hasWords(fact.text)
      ));
}

function isOfText(symbol: CodeSymbol, page: Page): boolean {
  const { name, kind, line, column, startLine, endLine, signature, doc, bases = [] } = symbol;
  const last = Math.min(endLine, line + NEAR_LINES);
  return isKind(kind) && startLine <= line && line <= endLine &&
    page.names(name, line, column) &&
    (signature === undefined || page.holdsSignature(signature, startLine, last)) &&
    (doc === undefined || page.holdsDoc(doc, startLine, last)) &&
    [symbol.scope ?? "", ...bases].every((one) => page.hasWords(one));
}

function isKind(kind: string): boolean {
  return kind.length <= MAX_KIND_CHARS && (kind === "" || KIND.test(kind));
}

/** A text by its lines and its words. */
class Page {
  readonly #text: string;
  readonly #lines: readonly string[];
  #words: ReadonlySet<string> | null = null;
  /** Texts that were looked for, with the answer: most come many times. */
  readonly #known = new Map<string, boolean>();

  constructor(text: string) {
    this.#text = text;
    this.#lines = text.split("\n");
  }

  /** Whether a name stands at a place, and is no part of a longer one there; quotes and signs before it do not count. */
  names(name: string, line: number, column: number): boolean {
    const written = this.#lines[line - 1] ?? "";
    const isWhole = written.startsWith(name, column - 1) && name !== "";
    if (isWhole && !IN_WORD.test(written[column - 1 + name.length] ?? "")) return true;
    const [here, bare] = [written.slice(column - 1).replace(LEAD, ""), name.replace(LEAD, "")];
    // An object of Kotlin that has no name of its own, and what a call of `super` calls.
    if (name === "Companion" && here.startsWith("companion")) return true;
    if (name === "constructor" && here.startsWith("super")) return true;
    const isCut = IN_WORD.test(bare.at(-1) ?? "") && IN_WORD.test(here[bare.length] ?? "");
    return here.startsWith(bare) && (!isCut || bare === "");
  }

  /** Whether all words of a text stand somewhere, or are of those that the analyser writes by rule. */
  hasWords(text: string): boolean {
    if (text === "") return true;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#words ??= new Set(this.#text.match(WORD));
    const words = this.#words;
    const found = (text.match(WORD) ?? []).every((word) => words.has(word) || OWN_WORD.test(word));
    this.#known.set(text, found);
    return found;
  }

  holdsSignature(signature: string, from: number, to: number): boolean {
    const near = this.#fold(from, to);
    if (near.includes(fold(signature))) return true;
    // A result that is written before the name follows the parameters.
    const end = signature.lastIndexOf(": ");
    return end > 0 && [signature.slice(0, end), signature.slice(end)]
      .every((part) => near.includes(fold(part)));
  }

  holdsDoc(doc: string, from: number, to: number): boolean {
    return this.#fold(from, to).includes(fold(doc));
  }

  #fold(from: number, to: number): string {
    return fold(this.#lines.slice(from - 1, to).join("\n"));
  }
}

function fold(text: string): string {
  return text.replace(/<\/?\w+>/g, "").replace(SIGNS, "");
}
