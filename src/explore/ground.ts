/**
 * What a question is asked of: the index, or the files that were read for it because no index has them. Both answer by
 * the same view, so a question is written once and says the same of the files that it covers.
 */
import type { Peek } from "../index/index_api.ts";
import type { IndexView } from "../index/read/view.ts";
import type { FactStore } from "../resolve/fact_store.ts";
import type { Freshness } from "./answer_types.ts";
import type { ExplorerOptions, IndexAccess } from "./index_access.ts";
import { takeLeftOutNotices } from "./left_out.ts";

/** What the explorer's questions are answered with. */
export type QuestionContext = ExplorerOptions & {
  readonly facts: FactStore;
  /** Told which files are read for the question, so that the answer is held against them. */
  readonly onPeek?: (peek: Peek) => void;
};

/** What a question is asked of. */
export interface Ground {
  /** Asks over one state. */
  read<T>(query: (view: IndexView) => T): Promise<T>;
  /** Follows names over the same state. */
  readonly facts: FactStore;
  /** As an answer names it. */
  readonly source: string;
  readonly freshness: Freshness;
  /** What limits the answer. */
  readonly notices: readonly string[];
  /** What an answer with results says of files that the project's rules keep out of it. */
  takeLeftOut(): Promise<readonly string[]>;
}

/** The index as it is now. */
export function toIndexGround(
  { index, facts }: QuestionContext,
  { freshness }: Extract<IndexAccess, { readonly kind: "ready" }>,
): Ground {
  const read: Ground["read"] = (query) => index.read(query);
  const takeLeftOut = () => read((view) => takeLeftOutNotices(view, index));
  return { read, facts, source: "index", freshness, notices: [], takeLeftOut };
}
