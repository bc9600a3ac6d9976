/** Asks the past for one request: which past messages are near to it, and which files they vote for. It depends on its arguments alone. */
import type { KnownPast } from "../../history/mod.ts";
import { toVotes } from "../../history/mod.ts";
import type { AskedPast } from "./past_features.ts";

/** Messages that vote for their files; those further down share a common word or two. */
const VOTERS = 60;

/** What a question needs of the past; null where nothing is known. */
export function askPast(known: KnownPast | null, request: string): AskedPast | null {
  if (known === null) return null;
  const near = known.messages.findNear(request, known.past.deeds.length);
  const best = near[0]?.score ?? 1;
  return {
    past: known.past,
    nearness: new Map(near.map(({ place, score }) => [place, score / best])),
    votes: toVotes(near.slice(0, VOTERS)),
  };
}
