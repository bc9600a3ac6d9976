/**
 * What makes a file likely to be changed for a request, beside its words: the terms by which messages are compared, what the
 * past says, and how the files that fit best are tied to it. It depends on its arguments alone.
 */
import { stemsOf } from "./content_facts.ts";
import { foldName } from "../analysis/tokens.ts";
import { isText, languageOfPath } from "../language/languages.ts";
import { parseTestName } from "../language/test_names.ts";
import type { Features } from "./rank.ts";
import { parseFileName } from "./features.ts";

const WORD = /[A-Za-z][A-Za-z0-9_]*/g;
/** Lines such as `Signed-off-by: A <a@b.c>` say who, not what. */
const TRAILER = /^[A-Za-z-]+: .*@.*$/gm;
const NUMBER = /\(?#\d+\)?/g;
const EMPTY_WORDS = new Set(
  ("a an and are as at be by can do does don for from has have if in into is it its not now of on or should so that " +
    "the then there this to use wa was when where which will with without we you").split(" "),
);

/** The terms of a text, in its order; a word that stands twice is there twice. */
export function parseMessageTerms(text: string): string[] {
  const plain = text.replace(TRAILER, "").replace(NUMBER, "");
  return (plain.match(WORD) ?? []).flatMap(stemsOf)
    .filter((stem) => stem.length > 1 && !EMPTY_WORDS.has(stem));
}

/** The past, asked with the question of a search; who searches asks it, the ranking knows no commits. */
export interface PastVotes {
  /** Files that are candidates whatever their words are. */
  readonly first: readonly string[];
  /** Whether the question is written as past messages are: it asks for work, and tests are as good as sources. */
  readonly isRequest: boolean;
  /** What the past says of a file; null of one that it does not know. */
  rate(path: string): {
    readonly vote: number;
    readonly lately: number;
    readonly times: number;
  } | null;
  /** What changed together with files, weighed by their shares; by path. */
  spread(shares: ReadonlyMap<string, number>): ReadonlyMap<string, number>;
}

/** What the past says of each file, in their order; documents and data change with everything and set no measure. */
export function rateByHistory(
  paths: readonly string[],
  past: Pick<PastVotes, "rate">,
): Features[] {
  const rated = paths.map((path) => past.rate(path));
  const code = rated.filter((_, at) => !isText(languageOfPath(paths[at] ?? "")));
  const most = (values: readonly number[]) => Math.max(Number.MIN_VALUE, ...values);
  const vote = most(code.map((one) => one?.vote ?? 0));
  const times = most(code.map((one) => one?.times ?? 0));
  return rated.map((one): Features =>
    one === null ? {} : {
      past: Math.sqrt(Math.min(1, one.vote / vote)),
      lately: one.lately,
      seldom: 1 - Math.min(1, one.times / times),
    }
  );
}

/** A file in its place after the first round. */
export interface Placed {
  readonly path: string;
  /** The share of what is expected, from 0 to 1. */
  readonly share: number;
  /** Files that name what it defines. */
  readonly users: readonly string[];
}

/** Files whose ties are followed. */
const LEADERS = 12;

/** How each file is tied to those that fit best: by what changed together, by name, and by what it uses. */
export function computeTieFeatures(
  placed: readonly Placed[],
  past: Pick<PastVotes, "spread">,
): ReadonlyMap<string, Features> {
  const leaders = placed.toSorted((a, b) => b.share - a.share).slice(0, LEADERS);
  const together = past.spread(new Map(leaders.map(({ path, share }) => [path, share])));
  const kin = new Map<string, number>();
  const add = (map: Map<string, number>, key: string, share: number) =>
    map.set(key, (map.get(key) ?? 0) + share);
  for (const { path, share } of placed) add(kin, computeKinName(path), share);
  const near = new Map<string, number>();
  for (const { users, share } of leaders) {
    for (const user of users) add(near, user, share);
  }
  return new Map(placed.map(({ path, share }): [string, Features] => [path, {
    together: together.get(path) ?? 0,
    kin: (kin.get(computeKinName(path)) ?? 0) - share,
    uses_it: near.get(path) ?? 0,
  }]));
}

/** What a file is about by its name: a test and its source, a header and its code, the forms of a platform are one. */
export function computeKinName(path: string): string {
  const subject = parseTestName(path)?.subject;
  if (subject !== undefined && subject !== null) return foldName(subject);
  const { name } = parseFileName(path);
  return foldName(/^[^.]+/.exec(name)?.[0] ?? name);
}
