/** Asks words, past and graph which files may have to change too, in one state of the index. */
import { once } from "../../base/once.ts";
import type { CodeIndex } from "../../index/index_api.ts";
import type { IndexView } from "../../index/read/view.ts";
import type { RepositoryHistory } from "../../history/repository_history.ts";
import { askPast } from "../../history/question_past.ts";
import { toTestName } from "../../language/test_names.ts";
import type { RankingMemory } from "../../ranking/content_facts.ts";
import { collectLiterals } from "../../ranking/candidates.ts";
import { searchCode } from "../../ranking/code_search.ts";
import { findLiterals } from "../../ranking/literals.ts";
import { toMessageTerms } from "../../ranking/message_terms.ts";
import type { AffectedFile } from "../affected.ts";
import { isCode } from "../code_file.ts";
import { MAX_LISTED } from "./decisions.ts";
import type { LikelyFile } from "./likely_files.ts";
import { rankLikely } from "./likely_files.ts";

/** What is asked with. */
export interface LikelyBench {
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
  { index, memory, history }: LikelyBench,
  { request, targets, list, affected, ownTests }: LikelyQuestion,
): Promise<LikelyAnswer> {
  const known = await history?.peek() ?? null;
  const voice = askPast(known, request);
  // Without a past likely files are not told: they only say which of many users are listed first.
  const isOrdered = affected.filter(({ isMust }) => isMust).length > MAX_LISTED;
  if (voice === null && !isOrdered) return { likely: [], hasPast: false };
  // The past names the same files in one deed after the other.
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
    terms: toMessageTerms(request),
    answers: new Map(answers.map(({ item }) => [item.path, item.features])),
    literals,
    asked: known === null || voice === null ? null : { past: known.past, voice },
    isTest: (path) => once(tests, path, () => toTestName(path) !== null),
    isCode: (path) => once(code, path, () => isCode(path)),
    toTerms: toMessageTerms,
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
