/**
 * What the past says of files for one question: which of them past messages like it changed, how lately and how often
 * they changed, and what changed together with those that fit. It depends on its arguments alone.
 */
import { weighVotes } from "./near_messages.ts";
import { computeWeight, YOUNG_COMMITS } from "./past.ts";
import type { KnownHistory } from "./repository_history.ts";

/** What the past says of one file. */
export interface FileChangeFacts {
  /** How much past messages like the question vote for it; of any scale, 0 without a vote. */
  readonly vote: number;
  /** 1 where the last commit changed it, less the longer it is ago. */
  readonly lately: number;
  /** Commits that changed it. */
  readonly times: number;
}

/** The past, asked with one question. */
export interface QuestionHistory {
  /** How near the message of a commit is to the question, by its place, from 0 to 1. */
  readonly nearness: ReadonlyMap<number, number>;
  /** Files that answer the question by the past alone: those most voted for, and those that changed last. */
  readonly first: readonly string[];
  /** Whether the question is written as messages of this past are, so that it asks for work and not for a place. */
  readonly isRequest: boolean;
  /** What the past says of a file; null of one that it does not know. */
  rate(path: string): FileChangeFacts | null;
  /**
   * For files with their shares of the answer: what changed together with them in commits like the question, by path,
   * about 1 for what always did.
   */
  spread(shares: ReadonlyMap<string, number>): ReadonlyMap<string, number>;
}

const MAX_VOTED = 60;
const LAST_COMMITS = 12;

/** Asks the past; null where it is young or not known. */
export function askHistory(known: KnownHistory | null, question: string): QuestionHistory | null {
  if (known === null || known.past.commits.length < YOUNG_COMMITS) return null;
  const { past, messages } = known;
  const near = messages.findNear(question, past.commits.length);
  const voted = weighVotes(near.slice(0, VOTERS));
  const votes = new Map(voted.map(({ path, score }) => [path, score]));
  const best = near[0]?.score ?? 1;
  const nearness = new Map(near.map(({ place, score }) => [place, score / best]));
  const last = past.commits.slice(0, LAST_COMMITS).flatMap(({ paths }) => paths);
  return {
    nearness,
    first: [...new Set([...voted.slice(0, MAX_VOTED).map(({ path }) => path), ...last])],
    isRequest: isRequest(known, question),
    rate: (path) => {
      const places = past.byPath.get(path);
      const [newest] = places ?? [];
      if (places === undefined || newest === undefined) return null;
      const lately = 1 / Math.log2(2 + newest);
      return { vote: votes.get(path) ?? 0, lately, times: places.length };
    },
    spread: (shares) => spread({ known, nearness }, shares),
  };
}

/** Messages that vote for their files; those further down share a common word or two. */
const VOTERS = 200;
const MIN_BEGINNINGS = 2;
const BEGINNING_SHARE = 0.001;
const LONG_WORDS = 12;
/** A verb and one word alone do not say whether the verb is asked for. */
const DEED_WORDS = 3;
const QUESTION =
  /\?\s*$|^\s*(?:where|how|what|which|who|when|why|does|do(?!(?:\s+not|n't)\b)|is|are|can)\b/i;
/** Words that ask for a change wherever a sentence begins with them; names of places in code begin otherwise. */
const DEED = new RegExp(
  "^\\s*(?:add|allow|avoid|bump|correct|deprecate|disable|drop|enable|ensure|expose|extend|fix(?:e[ds]|ing)?|forbid" +
    "|improved?|introduce|make|mark|migrate|move|optimi[sz]e|prevent|provide|raise|reduce|refactor|reject|remove|rename" +
    "|replace|restore|restrict|revert|rewrite|simplify|speed up|tweak|unify|upgrade|use|work ?around|do not|don't" +
    "|no longer|always|never|correctly|explicitly|properly)\\s",
  "i",
);
const PREFIX = /^\s*(?:\w+(?:\([^)]*\))?!?:|\[[^\]]+\])/;

/** Messages begin with `Fix`, `Add`, `feat(router):`, or with a verb; a question begins otherwise, and is short. */
function isRequest({ past, messages }: KnownHistory, text: string): boolean {
  const words = text.match(/\S+/g)?.length ?? 0;
  if (words < 2 || QUESTION.test(text)) return false;
  const least = Math.max(MIN_BEGINNINGS, BEGINNING_SHARE * past.commits.length);
  return words >= LONG_WORDS || PREFIX.test(text) || words >= DEED_WORDS && DEED.test(text) ||
    messages.countBeginnings(text) >= least;
}

/** After so many commits a common one counts half here, where few commits are compared. */
const SPREAD_HALF_LIFE = 1500;
const MAX_COMMITS = 200;
// Added to counts, so that one commit is no certainty.
const DOUBT = 0.05;

function spread(
  { known: { past }, nearness }: {
    readonly known: KnownHistory;
    readonly nearness: QuestionHistory["nearness"];
  },
  shares: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [path, share] of shares) {
    const own = new Map<string, number>();
    let all = DOUBT;
    for (const place of past.byPath.get(path)?.slice(0, MAX_COMMITS) ?? []) {
      const commit = past.commits[place];
      const like = nearness.get(place) ?? 0;
      if (commit === undefined || like === 0) continue;
      const weight = like ** 2 * computeWeight(commit.changed, place, SPREAD_HALF_LIFE);
      all += weight;
      for (const other of commit.paths) {
        if (other !== path) own.set(other, (own.get(other) ?? 0) + weight);
      }
    }
    for (const [other, sum] of own) {
      sums.set(other, (sums.get(other) ?? 0) + share * sum / all);
    }
  }
  return sums;
}
