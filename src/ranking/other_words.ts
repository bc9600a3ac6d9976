/**
 * Words and names of a question that the repository does not have, as those that it has: another spelling, the long or
 * the short form, or what was mistyped. A word that the repository has is left as it is. It depends on its arguments alone.
 */
import { foldName, splitIdentifier } from "../analysis/tokens.ts";
import type { QueryForm } from "./query_kind.ts";
import { readQuery } from "./query_kind.ts";

/** Short forms that programmers write and what they stand for, the likeliest first. */
const SHORT_FORMS = `
addr address;alloc allocate allocator;app application;arg argument;async asynchronous;attr attribute;auth authentication authorization;
bg background;bin binary;btn button;buf buffer;calc calculate;cb callback;cert certificate;cfg config configuration;char character;
cmd command;cmp compare;coll collection;col column;conf config configuration;config configuration;conn connection;const constant;
coord coordinate;ctor constructor;ctx context;cur current cursor;db database;decl declaration;def default definition;del delete;
deps dependencies;desc description descriptor;dest destination;dev development device;dict dictionary;diff difference;dir directory;
dispatch dispatcher;doc document;dst destination;elem element;enc encode encoder;env environment;err error;eval evaluate;evt event;
ex exception;exec execute;expr expression;ext extension;fmt format formatter;fn function;func function;gen generate generator;
hdr header;id identifier;idx index;impl implementation;img image;init initialize;iter iterator iterate;len length;lib library;
loc location;lang language;max maximum;mem memory;mgr manager;min minimum;misc miscellaneous;mod module;msg message;mut mutable;
nav navigation;num number;obj object;op operation operator;opt option;opts options;param parameter;params parameters;perf performance;
perm permission;pkg package;pos position;prev previous;priv private;prod production;prop property;props properties;proc process;
pub publish public;pwd password;qty quantity;ref reference;refs references;regex regexp;rel relative;repo repository;req request;
res response result resource;resp response;ret return;sched scheduler schedule;sel selection select;seq sequence;sess session;
spec specification;src source;srv server;stat status;std standard;stmt statement;str string;struct structure;sub subscribe;svc service;
sync synchronize;sys system;tbl table;temp temporary;tmp temporary;tok token;txn transaction;tx transaction;txt text;usr user;
util utility;val value;var variable;vec vector;ver version;win window
`.split(";").map((entry) => entry.trim().split(/\s+/));

const LONG_FORMS = Map.groupBy(
  SHORT_FORMS.flatMap(([short = "", ...long]) => long.map((one) => ({ short, long: one }))),
  ({ long }) => long,
);
const SHORT = new Map(SHORT_FORMS.map(([short = "", ...long]) => [short, long]));

/** Endings and letters that are spelled in two ways. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/is(e[drs]?|ing|ations?|able)$/, "iz$1"],
  [/iz(e[drs]?|ing|ations?|able)$/, "is$1"],
  [/ys(e[drs]?|ing)$/, "yz$1"],
  [/yz(e[drs]?|ing)$/, "ys$1"],
  [/our/, "or"],
  [/(?<=[bclmnprv])or(?=s|ed|ing|ful|ite|$)/, "our"],
  [/tre(s|d)?$/, "ter$1"],
  [/ter(s|ed)?$/, "tre"],
  [/ogue(s?)$/, "og$1"],
  [/og(s?)$/, "ogue$1"],
  [/ll(ed|ing|er)$/, "l$1"],
  [/(?<=[aeiou])l(ed|ing|er)$/, "ll$1"],
  [/ence$/, "ense"],
  [/ense$/, "ence"],
  [/grey/, "gray"],
  [/gray/, "grey"],
];

/** Shorter words are too near to others to be mistyped ones. */
const MIN_TYPO_CHARS = 5;

/** What is known of the words of a repository. */
export interface KnownWords {
  /** In how many chunks a word is. */
  readonly countOf: (word: string) => number;
  /** Words of the names that are defined; asked for when a word is nowhere. */
  readonly listWords: () => Iterable<string>;
}

/**
 * The words to ask for instead of those that the repository does not have.
 *
 * @param words in small letters.
 */
export function findOtherWords(
  words: readonly string[],
  known: KnownWords,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const word of words) {
    if (!/^[a-z]{2,}$/.test(word) || known.countOf(word) > 0) continue;
    const spelled = SPELLINGS.flatMap(([pattern, other]) =>
      pattern.test(word) ? [word.replace(pattern, other)] : []
    );
    const forms = [
      ...SHORT.get(word) ?? [],
      ...(LONG_FORMS.get(word) ?? []).map(({ short }) => short),
    ];
    const other = [...spelled, ...forms].find((one) => known.countOf(one) > 0) ??
      findTypo(word, known);
    if (other !== null) found.set(word, other);
  }
  return found;
}

/** The commonest word of the names that one slip of the fingers turns into this one; null where there is none. */
function findTypo(word: string, known: KnownWords): string | null {
  return word.length < MIN_TYPO_CHARS ? null : findNearest(word, known.listWords(), known.countOf);
}

/** Names of this length may have a slip more. */
const MIN_TWO_SLIPS_CHARS = 8;

/** What is known of the names of a repository. */
export interface KnownNames extends KnownWords {
  readonly listNames: () => Iterable<string>;
}

/**
 * The name that is likely meant by one that nothing has: a defined one that one slip makes of it, or two of a long name;
 * else the same with those of its words that nothing has taken for such as the names have. Null where there is none.
 */
export function findOtherName(name: string, known: KnownNames): string | null {
  const folded = foldName(name);
  if (folded.length < MIN_TYPO_CHARS || known.countOf(folded) > 0) return null;
  const most = folded.length < MIN_TWO_SLIPS_CHARS ? 1 : 2;
  const names = new Map([...known.listNames()].map((own) => [foldName(own), own]));
  const nearest = findNearest(folded, names.keys(), known.countOf, most);
  if (nearest !== null) return names.get(nearest) ?? null;
  const parts = splitIdentifier(name);
  const others = parts.map((part) => {
    if (known.countOf(part) > 0) return part;
    const slips = part.length < MIN_TWO_SLIPS_CHARS ? 1 : 2;
    return part.length < MIN_TYPO_CHARS
      ? null
      : findNearest(part, known.listWords(), known.countOf, slips);
  });
  const isOther = others.every((part) => part !== null) && others.join() !== parts.join();
  return isOther ? others.join("_") : null;
}

/** The nearest within some slips; of equally near ones the one that most chunks have. */
function findNearest(
  word: string,
  candidates: Iterable<string>,
  countOf: KnownWords["countOf"],
  most = 1,
): string | null {
  const near = new Map<string, number>();
  for (const other of candidates) {
    const slips = countSlips(word, other, most);
    if (slips > 0 && slips <= most) near.set(other, slips);
  }
  const best = [...near].map(([other, slips]) => ({ other, slips, count: countOf(other) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.slips - b.slips || b.count - a.count || (a.other < b.other ? -1 : 1))[0];
  return best?.other ?? null;
}

/**
 * How many slips of the fingers make one word of the other: a letter more, less, other, or two neighbours changed about;
 * more than `most` where there are more, or where they begin with different letters.
 */
export function countSlips(one: string, other: string, most: number): number {
  const isFar = one[0] !== other[0] || Math.abs(one.length - other.length) > most;
  if (isFar) return most + 1;
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwap = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next.push(Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[at - 2] ?? 0) + 1 : Infinity,
      ));
    }
    if (Math.min(...next) > most) return most + 1;
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}

/** The question in the words that the repository has; of the same kind. */
export function replaceWords(
  query: QueryForm,
  others: ReadonlyMap<string, string>,
): QueryForm {
  if (others.size === 0) return query;
  const meant = query.meant.replace(
    /[A-Za-z]+/g,
    (word) => others.get(word.toLowerCase()) ?? word,
  );
  return { ...readQuery(meant), kind: query.kind };
}

/** The question for another name, held by what the asked one was held by. */
export function replaceName({ symbol }: QueryForm, name: string): QueryForm {
  return readQuery([...symbol?.holders ?? [], name].join("."));
}
