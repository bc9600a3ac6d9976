/**
 * Searches other repositories for an answer in words. Which of them are likely to have one is told by how many of their
 * chunks have the words, as CORI ranks collections of documents (Callan, Lu and Croft, 1995); the best of them rank their
 * files as they would for a question of their own.
 */
import { searchHybrid } from "../../ranking/hybrid_search.ts";
import { pickChunks } from "../../ranking/pick_chunks.ts";
import { readQuery } from "../../ranking/query_kind.ts";
import type { QueryForm } from "../../ranking/query_kind.ts";
import type { GroupScales } from "../../ranking/rank.ts";
import type { Member } from "./member.ts";
import type { FoundPlaces } from "./places.ts";

/** Repositories whose files are ranked. */
const MAX_RANKED = 3;
/** Files of each that are shown. */
const MAX_FILES = 3;
/** A file of less than this share of the best score stands there because something has to be next. */
const LEAST_SHARE = 0.6;
/** The constants of CORI as its authors chose them. */
const [K, B] = [50, 150];

/** The files of other repositories that answer a question best, the likeliest repository first. */
export async function searchMembers(
  members: readonly Member[],
  question: string,
  { scales, signal }: { readonly scales: GroupScales; readonly signal?: AbortSignal },
): Promise<readonly FoundPlaces[]> {
  const query = readQuery(question);
  const likely = rankMembers(members, query).slice(0, MAX_RANKED);
  const found: FoundPlaces[] = [];
  for (const member of likely) {
    signal?.throwIfAborted();
    found.push(await searchMember(member, question, scales));
  }
  return found.filter(({ places }) => places.length > 0);
}

async function searchMember(
  member: Member,
  question: string,
  scales: GroupScales,
): Promise<FoundPlaces> {
  const { memory } = member;
  const index = {
    read: <T>(read: (view: Member["view"]) => T) =>
      Promise.try(() => member.snapshot(() => read(member.view))),
    meaning: () => Promise.resolve(null),
  };
  const { query, files } = await searchHybrid(index, question, { memory, scales });
  const best = files[0]?.score ?? 0;
  const shown = files.filter(({ score }) => score > 0 && score >= best * LEAST_SHARE);
  const places = member.snapshot(() => {
    const first = shown.slice(0, MAX_FILES);
    const picked = pickChunks(member.view, query, first);
    return first.map(({ item }, at) => {
      const [chunk] = picked[at] ?? [];
      const lines = chunk === undefined ? {} : { line: chunk.startLine, endLine: chunk.endLine };
      return { path: item.path, ...lines, what: chunk?.name ?? "", hasText: false };
    });
  });
  return { member, places };
}

/** The members that have words or names of a question, the likeliest first. */
export function rankMembers(members: readonly Member[], query: QueryForm): readonly Member[] {
  const words = [...new Set(query.words.map(({ stem }) => stem))];
  const names = query.symbol === null ? query.identifiers : [query.symbol.name];
  const facts = members.map((member) =>
    member.snapshot(() => ({
      member,
      chunks: member.view.countAllChunks(),
      frequencies: member.view.countChunksWith(words),
      defined:
        names.filter((name) =>
          member.view.findSymbols({ name, match: "folded", limit: 1 }).total > 0
        ).length,
    }))
  );
  const average = facts.reduce((sum, { chunks }) => sum + chunks, 0) / Math.max(1, facts.length);
  const rated = facts.map(({ member, chunks, frequencies, defined }) => {
    const beliefs = frequencies.map((frequency, at) => {
      const holding = facts.filter((one) => (one.frequencies[at] ?? 0) > 0).length;
      if (frequency === 0) return 0;
      const size = chunks / Math.max(1, average);
      const share = frequency / (frequency + K + B * size);
      return share * Math.log((facts.length + 0.5) / holding) / Math.log(facts.length + 1);
    });
    // Who defines what is named is asked first.
    return { member, score: defined + beliefs.reduce((sum, belief) => sum + belief, 0) };
  });
  return rated.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
    .map(({ member }) => member);
}
