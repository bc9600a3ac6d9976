/** The questions of a benchmark in other words: mistyped, spelled otherwise, with short forms, in other languages. Pure, save for the asking. */
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { searchHybrid } from "../../src/ranking/hybrid_search.ts";
import { readQuery } from "../../src/ranking/query_kind.ts";
import type { QueryKind } from "../../src/ranking/query_kind.ts";
import { computeMean, computeNdcg, formatFigure, toTable } from "../harness/figures.ts";
import type { BenchmarkQuery, Place } from "./queries.ts";
import { forEachCorpus } from "./queries.ts";

const MIN_CHARS = 6;
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bconfig(?:uration)?\b/gi, "cfg"],
  [/\bauthentication\b/gi, "authn"],
  [/\bmessages?\b/gi, "msg"],
  [/\bcontext\b/gi, "ctx"],
  [/\brequests?\b/gi, "req"],
  [/\bresponses?\b/gi, "resp"],
  [/\bparameters?\b/gi, "params"],
  [/\bargument\b/gi, "arg"],
  [/\bstrings?\b/gi, "str"],
  [/\bdirectory\b/gi, "dir"],
  [/\bcommand\b/gi, "cmd"],
  [/\bexpressions?\b/gi, "expr"],
  [/\bfunctions?\b/gi, "fn"],
  [/\bbuffers?\b/gi, "buf"],
  [/\bdefinitions?\b/gi, "def"],
  [/\bpackage\b/gi, "pkg"],
];
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/iz(e[drs]?|ing|ations?|able)\b/g, "is$1"],
  [/\b(col|behavi|fav)or/gi, "$1our"],
  [/\bcenter/gi, "centre"],
  [/\bcanceled\b/gi, "cancelled"],
  [/\blicense/gi, "licence"],
];

/** A way to write a question; null where it is not one of this kind. */
type Way = (question: BenchmarkQuery) => string | null;

const WORDS = /\b[a-z]+\b/g;
const NAME_PARTS = /[A-Z]?[a-z]+/g;

const WAYS: Readonly<Record<string, Way>> = {
  "two letters changed about": ofKind("sentence", (text) => onLongest(text, WORDS, changeAbout)),
  "a letter left out": ofKind("sentence", (text) => onLongest(text, WORDS, leaveOut)),
  "British spelling": ofKind("sentence", (text) => replaceAll(text, SPELLINGS)),
  "short forms": ofKind("sentence", (text) => replaceAll(text, SHORT_FORMS)),
  "names, two letters changed about": ofKind(
    "symbol",
    (text) => onLongest(text, NAME_PARTS, changeAbout),
  ),
  "names, a letter left out": ofKind("symbol", (text) => onLongest(text, NAME_PARTS, leaveOut)),
};

function ofKind(kind: QueryKind, change: (text: string) => string): Way {
  return ({ query }) => readQuery(query).kind === kind ? change(query) : null;
}

function changeAbout(word: string, at: number): string {
  return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
}

function leaveOut(word: string, at: number): string {
  return word.slice(0, at) + word.slice(at + 1);
}

/** Changes the longest word, or part of a name, in its middle. */
function onLongest(
  question: string,
  pattern: RegExp,
  change: (word: string, at: number) => string,
): string {
  const words = question.match(pattern) ?? [];
  const longest = words.reduce((best, word) => word.length > best.length ? word : best, "");
  if (longest.length < MIN_CHARS) return question;
  return question.replace(longest, change(longest, Math.floor(longest.length / 2)));
}

function replaceAll(question: string, rows: readonly (readonly [RegExp, string])[]): string {
  return rows.reduce((text, [pattern, other]) => text.replace(pattern, other), question);
}

/**
 * Asks what each way of writing changes, as the question was and changed, with and without the words that the repository
 * has instead: a table of means of NDCG@10.
 *
 * @param languages sentences of each language by the id of the question that they put.
 */
export async function askReworded(
  queries: readonly BenchmarkQuery[],
  languages: Readonly<Record<string, Readonly<Record<string, string>>>>,
  place: Place,
): Promise<string> {
  const put = Object.entries(languages).map(([name, sentences]): [string, Way] => [
    name,
    ({ id }) => sentences[id] ?? null,
  ]);
  const ways = [...Object.entries(WAYS), ...put];
  const scores = new Map(ways.map(([name]) => [name, [] as number[][]]));
  await forEachCorpus(queries, place, async ({ index }, own) => {
    const memory = new RankingMemory();
    const of = {
      read: <T>(query: Parameters<typeof index.read<T>>[0]) => index.read(query),
      meaning: () => Promise.resolve(null),
    };
    for (const asked of own) {
      const ask = async (question: string, isLiteral: boolean) => {
        const { files } = await searchHybrid(of, question, { memory, isLiteral });
        return computeNdcg(files.map(({ item }) => item.path), asked.targets);
      };
      for (const [name, toChanged] of ways) {
        const changed = toChanged(asked);
        if (changed === null || changed === asked.query) continue;
        scores.get(name)?.push([
          await ask(asked.query, true),
          await ask(changed, true),
          await ask(changed, false),
        ]);
      }
    }
  });
  const head = ["as they were", "changed, literally", "changed, as the program asks"];
  return toTable(
    ["written with", "questions", ...head],
    [...scores].map(([name, own]) => {
      const means = head.map((_, at) => formatFigure(computeMean(own.map((row) => row[at] ?? 0))));
      return [name, String(own.length), ...means];
    }),
  );
}
