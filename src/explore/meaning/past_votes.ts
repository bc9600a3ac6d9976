/** What past commits with messages like a question say of files. It depends on its arguments alone. */
import type { KnownPast } from "../../history/mod.ts";
import { toVotes, YOUNG_COMMITS } from "../../history/mod.ts";

/** Messages that vote, and files that they bring in beside those that words lead to. */
const VOTERS = 60;
const MAX_VOTED = 40;

/** Votes of files from 0 to 1, the most voted for having 1; none where the past is young or has no such message. */
export function toPastVotes(
  known: KnownPast | null,
  question: string,
): ReadonlyMap<string, number> {
  if (known === null || known.past.deeds.length < YOUNG_COMMITS) return new Map();
  const votes = toVotes(known.messages.findNear(question, VOTERS)).slice(0, MAX_VOTED);
  const most = votes[0]?.score ?? 1;
  // The root keeps one commit that fits well from hiding all others: measured on real commits.
  return new Map(votes.map(({ path, score }) => [path, Math.sqrt(score / most)]));
}
