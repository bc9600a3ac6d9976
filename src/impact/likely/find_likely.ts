/**
 * Asks words, past and graph which files may have to change too, in one state of the index. It says
 * which of them need a decision each. No proven user is left out.
 */
import type { AffectedFile } from "../affected.ts";
import type { LikelyFile } from "./likely_files.ts";
import { rankLikely } from "./likely_files.ts";
import { getOrInsert } from "../../base/once.ts";
import type { CodeIndex } from "../../index/index_api.ts";
import type { IndexView } from "../../index/read/view.ts";
import type { RepositoryHistory } from "../../history/repository_history.ts";
import { askHistory } from "../../history/question_past.ts";
import { parseTestName } from "../../language/test_names.ts";
import type { RankingMemory } from "../../ranking/content_facts.ts";
import { collectLiterals } from "../../ranking/candidates.ts";
import { searchCode } from "../../ranking/code_search.ts";
import { parseMessageTerms } from "../../ranking/request_features.ts";
import { isCode } from "../naming.ts";
import { findLiterals } from "../../ranking/query_kind.ts";

/** What is decided from. */
export interface DecisionSource {
  /** What the graph, names and documents found. */
  readonly files: readonly AffectedFile[];
  readonly likely: readonly LikelyFile[];
  /** True where whole files change, and the request and a past say how likely every other file is. */
  readonly isWeighed: boolean;
  readonly isTest: (path: string) => boolean;
}

/** From this share on a file is asked about by itself: half of such files really changed (`docs/history.md`). */
export const MUST_SHARE = 0.07;
/** More files are never asked about one by one: what is further is as good as never needed. */
export const MAX_LISTED = 8;
/** The files with what has to be decided: listed ones first, then by likelihood; those in a group last. */
export function chooseDecisions(source: DecisionSource): AffectedFile[] {
  const { likely, isWeighed, isTest } = source;
  const places = new Map(likely.map(({ path }, at) => [path, at]));
  const toPlace = ({ path }: AffectedFile) => places.get(path) ?? likely.length;
  const files = isWeighed ? addUnlinked(source) : source.files;
  const proven = files.filter(({ isMust }) => isMust);
  const listed = new Set(
    isWeighed
      ? likely.filter(({ share }) => share >= MUST_SHARE).slice(0, MAX_LISTED).map(({ path }) =>
        path
      )
      : proven.toSorted((a, b) => toPlace(a) - toPlace(b)).slice(0, MAX_LISTED).map(({ path }) =>
        path
      ),
  );
  const rest = Map.groupBy(
    proven.filter(({ path }) => !listed.has(path)),
    ({ path }) => isTest(path) ? "other tests" : "other users",
  );
  const groups = new Map<string, string>();
  for (const [group, own] of rest) {
    for (const { path } of own) groups.set(path, group);
  }
  const toRank = ({ path }: AffectedFile) => listed.has(path) ? 0 : groups.has(path) ? 2 : 1;
  return files.map((file): AffectedFile => {
    const group = groups.get(file.path);
    const isMust = listed.has(file.path) || group !== undefined;
    return { ...file, isMust, ...(group === undefined ? {} : { group }) };
  }).toSorted((a, b) => toRank(a) - toRank(b) || (isWeighed ? toPlace(a) - toPlace(b) : 0));
}

/** Likely files that no link leads to are asked about too. */
function addUnlinked({ files, likely, isTest }: DecisionSource): readonly AffectedFile[] {
  const known = new Set(files.map(({ path }) => path));
  const added = likely.filter(({ path, share }) => share >= MUST_SHARE && !known.has(path))
    .slice(0, MAX_LISTED)
    .map(({ path, reasons }): AffectedFile => ({
      path,
      isMust: true,
      isTest: isTest(path),
      edges: [],
      reasons,
    }));
  return [...files, ...added];
}

/** What is asked with. */
export interface LikelyContext {
  readonly index: CodeIndex;
  readonly memory: RankingMemory;
  /** The repository's past; absent where nothing reads it. */
  readonly history?: Pick<RepositoryHistory, "peek">;
}

/** What is asked. */
export interface LikelyQuestion {
  readonly request: string;
  readonly targets: readonly string[];
  /** Every file of the project. */
  readonly list: readonly string[];
  readonly affected: readonly AffectedFile[];
  readonly ownTests: readonly string[];
}

/** The likely files, none where nobody would see them, and whether a past spoke. */
export interface LikelyAnswer {
  readonly likely: readonly LikelyFile[];
  /** False without a past, and in a young repository. */
  readonly hasPast: boolean;
}

/** Files that answer the request and are taken for likely: those further down only share a word with it. */
const MAX_ANSWERS = 150;

/** Ranks by words without meaning, which would have to wait for its vectors. */
export async function findLikely(
  { index, memory, history }: LikelyContext,
  { request, targets, list, affected, ownTests }: LikelyQuestion,
): Promise<LikelyAnswer> {
  const known = await history?.peek() ?? null;
  const voice = askHistory(known, request);
  // Without a past likely files are not reported: they only say which of many users are listed first.
  const isOrdered = affected.filter(({ isMust }) => isMust).length > MAX_LISTED;
  if (voice === null && !isOrdered) return { likely: [], hasPast: false };
  // The past names the same files in one commit after the other.
  const [tests, code] = [new Map<string, boolean>(), new Map<string, boolean>()];
  const { found, literals } = await index.read((view) => ({
    found: request.trim() === "" ? [] : searchCode(view, request, { memory }).files,
    literals: readLiterals(view, request),
  }));
  const answers = found.slice(0, MAX_ANSWERS).filter(({ score }) => score > 0);
  const likely = rankLikely({
    targets,
    list,
    affected,
    ownTests,
    terms: parseMessageTerms(request),
    answers: new Map(answers.map(({ item }) => [item.path, item.features])),
    literals,
    asked: known === null || voice === null ? null : { past: known.past, voice },
    isTest: (path) => getOrInsert(tests, path, () => parseTestName(path) !== null),
    isCode: (path) => getOrInsert(code, path, () => isCode(path)),
    toTerms: parseMessageTerms,
  });
  return { likely, hasPast: voice !== null };
}

/** Which files have which of the names that a text writes as code, by path. */
function readLiterals(view: IndexView, text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const literals = collectLiterals(view, findLiterals(text));
  return new Map(
    view.listContents([...literals.keys()]).map(({ path, content }) => [
      path,
      literals.get(content) ?? new Set(),
    ]),
  );
}
