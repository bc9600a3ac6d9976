/**
 * Which documents of an index are believed, and which of their places. A document is believed under
 * three conditions. The present text of its file accounts for each of its places. It has places on
 * each line that names something it knows. Each module that it imports still leads where the index
 * says. Places that depend on definitions of a changed file are not believed. Pure.
 */
import { getOrInsert } from "../../base/once.ts";
import type { Describe, Fitted, OtherName } from "./fit.ts";
import { fitDocument } from "./fit.ts";
import { ScipPlaces } from "./scip_places.ts";
import type { TrustedDocument } from "./scip_places.ts";
import type { ScipIndex } from "./decode.ts";
import { ROLE_DEFINITION } from "./decode.ts";
import type { Descriptors } from "../../resolve/proven_places.ts";
import { parseDescriptors } from "./scip_symbol.ts";
import type { Shape, Span } from "./shape.ts";
import { readShape } from "./shape.ts";

/** What is known of a text without the index: its definitions, and the names that each line uses. */
export interface NamesOfText {
  readonly definitions: readonly Span[];
  readonly uses: readonly UseOfText[];
  /** What it imports. */
  readonly imports: readonly ImportOfText[];
}

/** A place that uses a name. */
export interface UseOfText {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  /** The names before the dot, joined by dots. */
  readonly receiver?: string;
}

/** An import: where from, what of it, and what it is called here. */
export interface ImportOfText {
  readonly module: string;
  readonly name: string | null;
  readonly alias: string;
  readonly line: number;
}

/** What a document says of an import: one of these files defines what it brings. */
interface Brought {
  readonly entry: ImportOfText;
  /** Numbers of documents. */
  readonly targets: readonly number[];
}

/** Whether an import of a file leads to another file by what is there now. */
export type Leads = (path: string, entry: ImportOfText, target: string) => boolean;

/** A file as it is now. */
export interface PresentText extends NamesOfText {
  readonly path: string;
  /** What tells this content from others. */
  readonly hash: string;
  readonly text: string;
}

/** The hash of the present content of a file; undefined where there is none. */
export type HashOf = (path: string) => string | undefined;

interface Seen {
  readonly hash: string;
  /** Null where the document was made from another content. */
  readonly fitted:
    | (Fitted & { readonly shape: Shape; readonly brought: readonly Brought[] })
    | null;
}

/** Judges the documents of one index; each content of a file is looked at once. */
export class ScipTrust {
  readonly index: ScipIndex;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #ways = new Map<number, Descriptors | null>();
  readonly #seen = new Map<string, Seen>();

  constructor(index: ScipIndex) {
    this.index = index;
    this.#numbers = new Map(index.documents.map(({ path }, at) => [path, at]));
  }

  /** Whether the index has a document of the file. */
  has(path: string): boolean {
    return this.#numbers.has(path);
  }

  /** Files whose present content was not looked at. */
  unseen(hashOf: HashOf): readonly string[] {
    return this.index.documents.map(({ path }) => path).filter((path) => {
      const hash = hashOf(path);
      return hash !== undefined && this.#seen.get(path)?.hash !== hash;
    });
  }

  /** Looks at the present content of a file. */
  see({ path, hash, text, definitions, uses, imports }: PresentText): void {
    const document = this.index.documents[this.#numbers.get(path) ?? -1];
    if (document === undefined) return;
    const found = fitDocument(document, text, this.#describe);
    const isWhole = found !== null && accountsFor(found, { definitions, uses, imports }) &&
      isBounded(definitions);
    const shape = () => readShape(found?.places ?? [], definitions);
    const brought = () => this.#readBrought(found?.places ?? [], { uses, imports }, path);
    const fitted = isWhole ? { ...found, shape: shape(), brought: brought() } : null;
    this.#seen.set(path, { hash, fitted });
  }

  /** What names that an import binds lead to by the index, each import and goal once. */
  #readBrought(
    places: Fitted["places"],
    { uses, imports }: Pick<NamesOfText, "uses" | "imports">,
    path: string,
  ): readonly Brought[] {
    if (imports.length === 0) return [];
    const own = this.#numbers.get(path);
    const useAt = new Map(uses.map((use) => [`${use.line}:${use.column}`, use]));
    const named = imports.filter(({ alias }) => alias !== "");
    const byAlias = new Map(named.map((entry) => [entry.alias, entry]));
    const found = new Map<string, Brought>();
    for (const { line, column, symbol, roles } of places) {
      const use = useAt.get(`${line}:${column}`);
      if (use === undefined || symbol < 0 || (roles & ROLE_DEFINITION) !== 0) continue;
      const listed = imports.find((one) => one.line === line && one.name === use.name);
      const entry = listed ?? byAlias.get(use.receiver?.split(".")[0] ?? use.name);
      const targets = (this.index.definitions.get(symbol) ?? []).map(({ document }) => document);
      if (entry === undefined || targets.length === 0 || targets.some((one) => one === own)) {
        continue;
      }
      found.set(`${imports.indexOf(entry)} ${targets.join(" ")}`, { entry, targets });
    }
    return [...found.values()];
  }

  /**
   * What may be believed of the present contents.
   *
   * @param leads where imports lead now; without it they are taken as the index has them.
   */
  settle(hashOf: HashOf, leads: Leads = () => true): ScipPlaces {
    const { documents } = this.index;
    const fitted = documents.map(({ path }) => {
      const seen = this.#seen.get(path);
      return seen !== undefined && seen.hash === hashOf(path) ? seen.fitted : null;
    });
    const given = new Set<OtherName>(fitted.flatMap((one) => [...one?.given ?? []]));
    const isLed = (path: string, { entry, targets }: Brought) =>
      targets.some((target) => leads(path, entry, documents[target]?.path ?? ""));
    const fits = fitted.map((one, at) =>
      one !== null && one.used.isSubsetOf(given) &&
      one.brought.every((brought) => isLed(documents[at]?.path ?? "", brought))
    );
    const trusted = documents.map(({ path }, at): TrustedDocument | null => {
      const own = fitted[at];
      return own === null || own === undefined || fits[at] !== true ? null : { path, ...own };
    });
    const shaken = findShaken(this.index, trusted);
    return new ScipPlaces(this.index, trusted, { shaken, describe: this.#describe });
  }

  readonly #describe: Describe = (symbol) =>
    getOrInsert(this.#ways, symbol, () => parseDescriptors(this.index.symbols[symbol] ?? ""));
}

/** Symbols that a document defines which is not believed, and all whose definition leads to one of them. */
function findShaken(
  { definitions }: ScipIndex,
  trusted: readonly (TrustedDocument | null)[],
): ReadonlySet<number> {
  const found = new Set<number>();
  const open = [...definitions]
    .filter(([, own]) => own.some(({ document }) => trusted[document] === null))
    .map(([symbol]) => symbol);
  if (open.length === 0) return found;
  const users = findUsers(trusted);
  for (let symbol = open.pop(); symbol !== undefined; symbol = open.pop()) {
    if (found.has(symbol)) continue;
    found.add(symbol);
    for (const user of users.get(symbol) ?? []) open.push(user);
  }
  return found;
}

/** For each symbol those whose definition names it. */
function findUsers(
  trusted: readonly (TrustedDocument | null)[],
): ReadonlyMap<number, readonly number[]> {
  const users = new Map<number, number[]>();
  for (const document of trusted) {
    for (const [symbol, needs] of document?.shape.needs ?? []) {
      for (const need of needs) getOrInsert(users, need, () => []).push(symbol);
    }
  }
  return users;
}

/** Lines of all definitions of a file, those of nested ones again: no person nests thousands of functions. */
const MAX_SPAN_LINES = 1_000_000;

/** Whether the shape of a text can be read in a moment. */
function isBounded(definitions: readonly Span[]): boolean {
  const lines = definitions.reduce((sum, { startLine, endLine }) => sum + endLine - startLine, 0);
  return lines <= MAX_SPAN_LINES;
}

/**
 * Whether a text has nothing that the document should know and does not: an added line shifts those
 * below it. A line that replaces a blank line or stands at the end does not.
 */
function accountsFor({ places }: Fitted, { definitions, uses }: NamesOfText): boolean {
  const lines = new Set(places.map(({ line }) => line));
  const words = new Set(places.map(({ word }) => word));
  return definitions.every(({ line, isSpace }) => isSpace === true || lines.has(line)) &&
    uses.every(({ name, line }) => lines.has(line) || !words.has(name));
}
