/**
 * Past messages near to a text (BM25), and the files that they vote for. Pure: how a text becomes terms is given from
 * outside, so that messages are read as the searches read questions.
 */
import { getOrInsert } from "../base/once.ts";
import type { CommitHistory, FollowedCommit } from "./past.ts";
import { computeWeight } from "./past.ts";

/** Turns a text into the terms by which texts are compared. */
export type ToTerms = (text: string) => readonly string[];

/** A past commit whose message is near to a text. */
export interface NearCommit {
  readonly commit: FollowedCommit;
  /** Its place in the past, which is its age. */
  readonly place: number;
  readonly score: number;
  /** How much of the text stands in its message, 0 to 1: a rare term counts more, one that no message has most. */
  readonly share: number;
  /** Different terms of the text that its message has. */
  readonly common: number;
}

/** A file for which near messages vote. */
export interface Voted {
  readonly path: string;
  readonly score: number;
  /** The places of the commits that voted for it, the nearest first. */
  readonly places: readonly number[];
}

interface Posting {
  readonly place: number;
  readonly count: number;
}

const K1 = 1.2;
const B = 0.75;
/** Messages that vote; those further down have a common word or two. */
const MAX_NEAR = 200;
/** After so many commits the vote of one counts half. */
const VOTE_HALF_LIFE = 1000;
const FIRST_WORD = /[A-Za-z]+/;

/** The messages of a past, ready to be compared. */
export class MessageIndex {
  readonly #past: CommitHistory;
  readonly #toTerms: ToTerms;
  readonly #postings = new Map<string, Posting[]>();
  readonly #lengths: number[] = [];
  readonly #beginnings = new Map<string, number>();
  #total = 0;

  /** Nothing is read yet: what {@link MessageIndex.addNext} did not read by then, the first question reads. */
  constructor(past: CommitHistory, toTerms: ToTerms) {
    this.#past = past;
    this.#toTerms = toTerms;
  }

  /** Reads the next messages, so that a long past never holds up what else runs; false once all are read. */
  addNext(count: number): boolean {
    const { commits } = this.#past;
    const end = Math.min(commits.length, this.#lengths.length + count);
    for (let place = this.#lengths.length; place < end; place++) this.#add(place);
    return end < commits.length;
  }

  /** The past commits with the nearest messages, best first. */
  findNear(text: string, maxNear: number = MAX_NEAR): NearCommit[] {
    this.addNext(Infinity);
    const found = new Map<number, { score: number; share: number; common: number }>();
    let whole = 0;
    const count = this.#lengths.length;
    const mean = this.#total / Math.max(1, count);
    for (const term of new Set(this.#toTerms(text))) {
      const postings = this.#postings.get(term) ?? [];
      const idf = Math.log(1 + (count - postings.length + 0.5) / (postings.length + 0.5));
      whole += idf;
      for (const { place, count: times } of postings) {
        const length = this.#lengths[place] ?? mean;
        const part = times * (K1 + 1) / (times + K1 * (1 - B + B * length / mean));
        const near = getOrInsert(found, place, () => ({ score: 0, share: 0, common: 0 }));
        near.score += idf * part;
        near.share += idf;
        near.common += 1;
      }
    }
    return [...found]
      .sort(([a, one], [b, other]) => other.score - one.score || a - b)
      .slice(0, maxNear)
      .flatMap(([place, { score, share, common }]) => {
        const commit = this.#past.commits[place];
        return commit === undefined ? [] : [{ commit, place, score, share: share / whole, common }];
      });
  }

  /** How many messages begin with the word with which a text begins, whatever its case. */
  countBeginnings(text: string): number {
    this.addNext(Infinity);
    return this.#beginnings.get(readFirstWord(text)) ?? 0;
  }

  #add(place: number): void {
    const message = this.#past.commits[place]?.message ?? "";
    const first = readFirstWord(message);
    this.#beginnings.set(first, (this.#beginnings.get(first) ?? 0) + 1);
    const terms = this.#toTerms(message);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      getOrInsert<string, Posting[]>(this.#postings, term, () => []).push({ place, count });
    }
    this.#lengths.push(terms.length);
    this.#total += terms.length;
  }
}

function readFirstWord(text: string): string {
  return FIRST_WORD.exec(text)?.[0].toLowerCase() ?? "";
}

/**
 * The files that near messages vote for, best first. Each commit gives the square of its score, since one that says the
 * same tells more than many that share a word; a late one gives more than an early one, one of few files more to each.
 */
export function weighVotes(near: readonly NearCommit[]): Voted[] {
  const votes = new Map<string, { score: number; places: number[] }>();
  for (const { commit, place, score } of near) {
    const vote = score ** 2 * computeWeight(commit.changed, place, VOTE_HALF_LIFE);
    for (const path of commit.paths) {
      const own = getOrInsert(votes, path, () => ({ score: 0, places: [] as number[] }));
      own.score += vote;
      own.places.push(place);
    }
  }
  return [...votes].map(([path, own]) => ({ path, ...own }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}
