/**
 * Words of a question that the repository does not have, as the words that it has: another spelling, the long or the
 * short form, or what was mistyped. A word that the repository has is left as it is. It depends on its arguments alone.
 */
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
function findTypo(word: string, { countOf, listWords }: KnownWords): string | null {
  if (word.length < MIN_TYPO_CHARS) return null;
  const near = [...listWords()].filter((other) => isOneSlip(word, other));
  const best = near.map((other) => ({ other, count: countOf(other) }))
    .sort((a, b) => b.count - a.count || (a.other < b.other ? -1 : 1))[0];
  return best === undefined || best.count === 0 ? null : best.other;
}

/** Whether one letter more, less, other, or two changed about, makes one of the other; both begin with the same one. */
export function isOneSlip(one: string, other: string): boolean {
  if (one === other || one[0] !== other[0] || Math.abs(one.length - other.length) > 1) return false;
  let from = 0;
  while (from < one.length && one[from] === other[from]) from++;
  let [end, otherEnd] = [one.length, other.length];
  while (end > from && otherEnd > from && one[end - 1] === other[otherEnd - 1]) {
    end--;
    otherEnd--;
  }
  const [left, right] = [one.slice(from, end), other.slice(from, otherEnd)];
  return left.length <= 1 && right.length <= 1 ||
    left.length === 2 && right === `${left[1]}${left[0]}`;
}

/** The question in the words that the repository has; of the same kind. */
export function withOtherWords(
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
