/**
 * What a content defines, ready to be compared with questions: a content never changes, so that this is
 * made once and remembered. Pure, except for the memory.
 */
import { foldName, readLastPart, splitIdentifier } from "../analysis/tokens.ts";
import type { ContentDefinition, IndexView, RankedContent } from "../index/read/view.ts";
import { declaresType, isSpace } from "../language/kinds.ts";
import { BoundedMap, getOrInsert, getOrInsertAll } from "../base/once.ts";
import { stemWord } from "../base/text/stem.ts";
import { findOtherName, findOtherWords } from "./other_words.ts";
import { soundOfEnglish, soundOfKana, soundsOfHangul } from "./languages/sounds.ts";

/** One name that a content defines, whatever the number of its definitions. */
export interface NameFacts {
  readonly name: string;
  /** Stems of its words, each once. */
  readonly parts: readonly string[];
  /**
   * A type that no other symbol holds 1; a type or a top-level symbol 0.7; what says that something is defined elsewhere, and what
   * makes objects of a type and has its name, 0.4; else 0.5.
   */
  readonly standing: number;
  readonly definitions: readonly ContentDefinition[];
}

/** The names of one content by what questions ask for. */
export interface ContentFacts {
  /** Names that have the stem among their words. */
  readonly byPart: ReadonlyMap<string, readonly NameFacts[]>;
  /** Names by their form without case and separators; those with what holds them by their last part too. */
  readonly byFolded: ReadonlyMap<string, readonly NameFacts[]>;
  /** Pairs of stems that follow each other in a name. */
  readonly pairs: ReadonlySet<string>;
  /** Whether more than three tenths of the definitions only say that something is defined elsewhere. */
  readonly announces: boolean;
}

/** What the ranking knows of one content. */
export interface KnownContent {
  readonly facts: ContentFacts;
  /** Word vectors of its windows, packed; null where it has none, or nobody asks for them. */
  readonly windows: Uint8Array | null;
  /** How often its words stand in it, packed; null where it has none. */
  readonly counts: Uint8Array | null;
  /** Numbers of other contents that name what this one defines. */
  readonly users: readonly number[];
}

// About 3 KB a content of ordinary size (estimated).
const MAX_REMEMBERED = 4_000;

/** Remembers facts between questions. */
export class RankingMemory {
  readonly #facts = new BoundedMap<string, ContentFacts>(MAX_REMEMBERED);
  readonly #users = new BoundedMap<number, readonly number[]>(MAX_REMEMBERED);
  readonly #files = new BoundedMap<number, readonly RankedContent[]>(MAX_REMEMBERED);
  readonly #counts = new BoundedMap<string, number>(MAX_REMEMBERED);
  #chunks: number | null = null;
  readonly #windows = new BoundedMap<string, Uint8Array | null>(MAX_REMEMBERED);
  readonly #wordCounts = new BoundedMap<string, Uint8Array | null>(MAX_REMEMBERED);
  /** Words of names by their sound; made when a question first has a loan word that no table knows. */
  #sounds: ReadonlyMap<string, readonly string[]> | null = null;
  /** Words of names; made when a question first has a word that nothing has. */
  #words: ReadonlySet<string> | null = null;
  #stamp = "";

  /** Forgets what an older state of the database said. */
  begin(stamp: string): void {
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#users.clear();
    this.#files.clear();
    this.#counts.clear();
    this.#chunks = null;
    this.#sounds = null;
    this.#words = null;
  }

  /** The files of contents, one row a path, by path; read at once as far as they are not remembered. */
  filesOf(view: IndexView, contents: readonly number[]): readonly RankedContent[] {
    const files = getOrInsertAll(this.#files, contents, (lacking) => {
      const read = Map.groupBy(view.listContents(lacking), ({ content }) => content);
      return lacking.map((content) => read.get(content) ?? []);
    });
    return files.flat().sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  }

  /**
   * What is known of contents, read at once as far as it is not remembered. The number of a content may have been
   * another's in an older state, its hash never.
   */
  factsOf(
    view: IndexView,
    contents: readonly RankedContent[],
    { hasWindows }: { readonly hasWindows: boolean },
  ): readonly KnownContent[] {
    const known = contents.map(({ content, hash }) => ({
      content,
      key: `${content}:${hash}`,
      facts: this.#facts.get(`${content}:${hash}`),
      windows: hasWindows ? this.#windows.get(`${content}:${hash}`) : null,
      counts: this.#wordCounts.get(`${content}:${hash}`),
      users: this.#users.get(content),
    }));
    const lacking = (field: "facts" | "windows" | "counts" | "users") => [
      ...new Set(known.filter((one) => one[field] === undefined).map(({ content }) => content)),
    ];
    const read = view.readFacts({
      definitions: lacking("facts"),
      windows: lacking("windows"),
      counts: lacking("counts"),
      users: lacking("users"),
    });
    return known.map(({ content, key, facts, windows, counts, users }) => ({
      facts: facts ??
        getOrInsert(this.#facts, key, () => buildContentFacts(read.definitions.get(content) ?? [])),
      windows: windows === undefined
        ? getOrInsert(this.#windows, key, () => read.windows.get(content) ?? null)
        : windows,
      counts: counts === undefined
        ? getOrInsert(this.#wordCounts, key, () => read.counts.get(content) ?? null)
        : counts,
      users: users ?? getOrInsert(this.#users, content, () => read.users.get(content) ?? []),
    }));
  }

  /** Words of defined names that sound as the loan words do. */
  hear(view: IndexView, loans: readonly string[]): string[] {
    if (loans.length === 0) return [];
    this.begin(view.stamp());
    this.#sounds ??= indexSounds(view.listDefinedNames(MAX_NAMES));
    const sounds = loans.flatMap((loan) => [soundOfKana(loan), ...soundsOfHangul(loan)]);
    return [...new Set(sounds)].flatMap((sound) => this.#sounds?.get(sound) ?? []);
  }

  /** How many chunks there are. */
  countAll(view: IndexView): number {
    return this.#chunks ??= view.countAllChunks();
  }

  /**
   * Words of a question that nothing has, as words that the repository has.
   *
   * @param vocabulary words that may stand in texts without being in a name.
   */
  findOthers(
    view: IndexView,
    words: readonly string[],
    vocabulary: Iterable<string> = [],
  ): ReadonlyMap<string, string> {
    const names = this.#toKnown(view);
    const known = { ...names, listWords: () => [...names.listWords(), ...vocabulary] };
    this.countsOf(view, words);
    return findOtherWords(words, known);
  }

  /** The name that is likely meant by one that nothing has; null for one that is there, and where nobody knows. */
  findOtherName(view: IndexView, name: string): string | null {
    if (view.findDefiners(name, 1).length > 0) return null;
    const listNames = () => view.listDefinedNames(MAX_NAMES);
    return findOtherName(name, { ...this.#toKnown(view), listNames });
  }

  #toKnown(view: IndexView) {
    this.begin(view.stamp());
    return {
      countOf: (word: string) => this.countOf(view, word),
      listWords: () =>
        this.#words ??= new Set(view.listDefinedNames(MAX_NAMES).flatMap(splitIdentifier)),
    };
  }

  /** In how many chunks a word is. */
  countOf(view: IndexView, word: string): number {
    return this.countsOf(view, [word])[0] ?? 0;
  }

  /** In how many chunks each of some words is, read at once as far as it is not remembered. */
  countsOf(view: IndexView, words: readonly string[]): readonly number[] {
    return getOrInsertAll(this.#counts, words, (lacking) => view.countChunksWith(lacking));
  }
}

const MAX_NAMES = 100_000;
// Fewer consonants are those of many words.
const MIN_SOUNDS = 3;
const MAX_ALIKE = 4;

function indexSounds(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const words = new Set(names.flatMap(splitIdentifier));
  const sounds = new Map<string, string[]>();
  for (const word of words) {
    const sound = soundOfEnglish(word);
    if (sound.length < MIN_SOUNDS) continue;
    const alike = sounds.get(sound);
    if (alike === undefined) sounds.set(sound, [word]);
    else if (alike.length < MAX_ALIKE) alike.push(word);
  }
  return sounds;
}

/** The kind of what is declared here and defined elsewhere. */
const PROTOTYPE = "prototype";
// Headers of questions that readers wrote: .2 to .5 were tried.
const ANNOUNCED_SHARE = 0.3;

/** Puts the definitions of a content in the order of questions. */
export function buildContentFacts(definitions: readonly ContentDefinition[]): ContentFacts {
  const names = [...Map.groupBy(definitions, ({ name }) => name)].map((
    [name, same],
  ): NameFacts => ({
    name,
    parts: [...new Set(stemsOf(name))],
    standing: Math.max(...same.map(rateStanding)),
    definitions: same,
  }));
  const announced = definitions.filter(({ kind }) => kind === PROTOTYPE);
  const byPart = new Map<string, NameFacts[]>();
  for (const name of names) {
    for (const part of name.parts) {
      const known = byPart.get(part);
      if (known === undefined) byPart.set(part, [name]);
      else known.push(name);
    }
  }
  return {
    byPart,
    byFolded: indexFolded(names),
    pairs: new Set(names.flatMap(({ name }) => stemPairsOf(name))),
    announces: announced.length > ANNOUNCED_SHARE * definitions.length,
  };
}

// Names of files and folders come back with each question; more than these are split again.
const MAX_STEMMED = 50_000;
const stemmed = new Map<string, readonly string[]>();

/** The stems of the words of an identifier, in order; the same name gives the same list. */
export function stemsOf(name: string): readonly string[] {
  let stems = stemmed.get(name);
  if (stems === undefined) {
    stems = splitIdentifier(name).map(stemWord);
    if (stemmed.size >= MAX_STEMMED) stemmed.clear();
    stemmed.set(name, stems);
  }
  return stems;
}

/** The pairs of stems that follow each other in an identifier. */
export function stemPairsOf(name: string): string[] {
  const parts = stemsOf(name);
  return parts.slice(1).map((part, at) => `${parts[at]} ${part}`);
}

function indexFolded(names: readonly NameFacts[]): ReadonlyMap<string, readonly NameFacts[]> {
  const folded = new Map<string, NameFacts[]>();
  for (const one of names) {
    for (const form of new Set([foldName(one.name), foldName(readLastPart(one.name))])) {
      getOrInsert(folded, form, (): NameFacts[] => []).push(one);
    }
  }
  return folded;
}

function rateStanding({ name, kind, holder, holderKind }: ContentDefinition): number {
  if (kind === PROTOTYPE || holder === name) return 0.4;
  // What merely holds a file's symbols: they are top-level ones all the same.
  const isTop = holderKind === null || isSpace(holderKind);
  if (declaresType(kind)) return isTop ? 1 : 0.7;
  return isTop ? 0.7 : 0.5;
}
