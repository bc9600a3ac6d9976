/**
 * Asks other repositories: for answers in words, for lines, and for users of a definition. Lines are read from the disk, so
 * that what is shown stands there now. Answers in words: The number of chunks with the words says
 * which repositories are likely to have one. CORI ranks collections of documents in this way
 * (Callan, Lu and Croft, 1995). The best repositories rank their files as for a question of their
 * own.
 */
import type { Edge, Seeds } from "../../impact/affected.ts";
import { findDependents } from "../../impact/dependents.ts";
import type { Member } from "./member.ts";
import type { Opened } from "./repositories.ts";
import type { LinesQuery } from "../../services/other_repositories.ts";
import type { ExploreOptions } from "../../explore/explorer.ts";
import type { ExplorerOptions } from "../../explore/index_access.ts";
import { searchText } from "../../explore/text_search.ts";
import type { FoundPlaces } from "./places.ts";
import { MAX_PLACES } from "./places.ts";
import { searchHybrid } from "../../ranking/hybrid_search.ts";
import { pickChunks } from "../../ranking/pick_chunks.ts";
import type { QueryForm } from "../../ranking/query_kind.ts";
import { readQuery } from "../../ranking/query_kind.ts";
import type { GroupScales } from "../../ranking/rank.ts";

/** What is looked for. */
export interface UsersQuestion {
  /** The repository that may use it. */
  readonly asker: Member;
  /** The repository that defines it. */
  readonly target: Member;
  /** The definitions, with paths of that repository. */
  readonly seeds: Seeds;
  readonly signal?: AbortSignal;
}

/** The places of the asking repository that depend on the seeds, proven ones first, then in the order of their places. */
export async function findUsers(
  opened: Opened,
  { asker, target, seeds, signal }: UsersQuestion,
): Promise<readonly Edge[]> {
  const { joint, facts: store } = opened.toJoint(asker, [target]);
  const isOwn = asker === target;
  const placed: Seeds = isOwn ? seeds : {
    symbols: seeds.symbols.map((hit) => ({ ...hit, path: joint.toPath(target, hit.path) })),
    files: seeds.files.map((path) => joint.toPath(target, path)),
  };
  const end = signal === undefined ? {} : { signal };
  const found = await store.ask((view, open) => {
    // Who still names what is gone is found where it is known as it was.
    const removed = placed.symbols.filter(({ path, qualifiedName }) =>
      !view.listSymbols(path).some((hit) => hit.qualifiedName === qualifiedName)
    );
    const facts = open(removed);
    const { edges } = findDependents(facts, placed, { depth: 1, ...end });
    return edges.filter((edge) => joint.toPlace(edge.path).part === asker);
  }, end);
  const own = found.map((edge) => ({ ...edge, symbol: joint.toPlace(edge.symbol).path }));
  // An import that names what it takes from a file says more than that it takes something.
  const isFile = ({ symbol }: Edge) => seeds.files.includes(symbol);
  const naming = new Set(own.filter((edge) => !isFile(edge)).map(toPlaceKey));
  return own.filter((edge) => !isFile(edge) || !naming.has(toPlaceKey(edge))).sort(byProof);
}

function toPlaceKey({ path, line }: Edge): string {
  return `${line} ${path}`;
}

function byProof(a: Edge, b: Edge): number {
  if (a.confidence !== b.confidence) return a.confidence === "resolved" ? -1 : 1;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line;
}

/** What searches with. */
export type LineTools = Pick<ExplorerOptions, "backends" | "logger">;

/** The lines of each member that match, with exact totals; of patterns that cannot be used, nothing. */
export async function searchLines(
  members: readonly Member[],
  query: LinesQuery,
  { backends, logger, signal }: LineTools & ExploreOptions,
): Promise<readonly FoundPlaces[]> {
  const end = signal === undefined ? {} : { signal };
  const found: FoundPlaces[] = [];
  for (const member of members) {
    const files = member.snapshot(() =>
      [...member.view.listFiles(), ...member.view.listSkipped()].map(({ path }) => path)
    ).sort();
    const context = {
      projectRoot: member.root,
      listFiles: () => Promise.resolve(files),
      backends,
      logger,
      isBrief: true,
    };
    const input = { ...query, contextLines: 0, maxResults: MAX_PLACES };
    const answer = await searchText(context, input, end);
    if (answer.kind === "refused") return [];
    const places = answer.matches.map(({ path, line, text }) => ({
      path,
      line,
      what: "",
      hasText: true,
      text,
    }));
    found.push({ member, places, total: answer.total });
  }
  return found;
}

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
