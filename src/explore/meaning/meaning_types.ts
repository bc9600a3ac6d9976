/** What may be asked of the search by meaning, and the form of its answers. */
import type { RepositoryHistory } from "../../history/repository_history.ts";
import type { ExplorerOptions } from "../index_access.ts";
import type { Confidence } from "../../ranking/confidence.ts";
import type { RankingMemory } from "../../ranking/content_facts.ts";
import type { FeatureName, GroupScales } from "../../ranking/rank.ts";
import type { QueryKind } from "../../ranking/query_kind.ts";
import type { FindLearnedTerms } from "./map_hits.ts";
import type { ExploreOptions, Found, IndexFreshness, QuestionRefused } from "../explorer.ts";
import type { BestLine, BestLineOptions } from "./telling_line.ts";

/** Where is looked: what was learned (`map`), the code (`forest`), or the code with what was learned beside it. */
export type Collection = "auto" | "map" | "forest";

/** Input of {@link MeaningSearch.search}. */
export interface SemanticInput {
  readonly query: string;
  /** Folder or file; default the project. */
  readonly path?: string;
  /** What the request is about; its words are added to a question in words. */
  readonly targetFeature?: string;
  /** What the work of the session is about; its words are added only where the question itself says little. */
  readonly sessionTarget?: string;
  readonly collection: Collection;
  readonly maxResults: number;
  readonly offset?: number;
  /** Also how each score came about. */
  readonly explain: boolean;
  /** True leaves the model alone: nothing is loaded for the question, nor made behind it. */
  readonly byWords?: boolean;
  /** Names and words of the question: each hit says which line of it holds most of them. */
  readonly telling?: Pick<BestLineOptions, "names" | "words">;
}

/** A chunk in few words. */
export interface ChunkPlace {
  readonly id: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Qualified name of the definition that it is or begins in; absent where there is none. */
  readonly name?: string;
}

/** A file that answers, shown with its best chunk. */
export interface SemanticHit extends ChunkPlace {
  readonly path: string;
  readonly kind: string;
  /** From 0 to 1. */
  readonly score: number;
  /** The line that says most, where it was asked for; null where the best chunks are the head of the file alone. */
  readonly telling?: BestLine | null;
  /** The lines of the chunk that say most of the question; absent when the file changed meanwhile. */
  readonly content?: string;
  /** Line of the first of them; absent where it is the chunk's. */
  readonly contentLine?: number;
  /** Name of the learned term, or the past commit, that led here; absent for code that was searched. */
  readonly learnedFrom?: string;
  /** Its next best chunks. */
  readonly more?: readonly ChunkPlace[];
  /** What each feature, and what was learned, adds to the score, and the penalties in it. */
  readonly explain?: Readonly<Partial<Record<FeatureName | "learned", number>>> & {
    readonly penalties?: Readonly<Record<string, number>>;
  };
}

/** Answer of {@link MeaningSearch.search}. */
export interface SemanticFound extends Found {
  readonly hits: readonly SemanticHit[];
  /** What answered; `map+forest` where something that was learned stands beside the code. */
  readonly collection: "map" | "forest" | "map+forest";
  /** How the question was read. */
  readonly queryKind: QueryKind;
  /** Words about the target of the work that were added to the question; absent where none were. */
  readonly target?: string;
  /** How much the best hit can be relied on. */
  readonly confidence: Confidence;
}

/** Input of {@link MeaningSearch.readChunks}. */
export interface ReadChunksInput {
  /** Stable ids, as hits show them. */
  readonly ids: readonly string[];
  /** Of files with the same content the one below this folder. */
  readonly path?: string;
}

/** A whole chunk. */
export interface ChunkDetail extends ChunkPlace {
  readonly path: string;
  /** Other files with the same content. */
  readonly alsoIn?: readonly string[];
  readonly kind: string;
  readonly language?: string;
  readonly content: string;
  /** Names of the definitions that stand in it. */
  readonly symbols: readonly string[];
  /** The chunks before and after it. */
  readonly previous?: string;
  readonly next?: string;
}

/** Answer of {@link MeaningSearch.readChunks}. */
export interface ChunksFound extends Found {
  readonly chunks: readonly ChunkDetail[];
  /** Ids that no file has any more. */
  readonly missing: readonly string[];
}

/** Finds code by what it does, and shows it. */
export interface MeaningSearch {
  /** The files that answer a question in any words, best first. */
  search(
    input: SemanticInput,
    options?: ExploreOptions,
  ): Promise<SemanticFound | QuestionRefused>;
  /** Whole chunks by their ids, in the order of the ids. */
  readChunks(
    input: ReadChunksInput,
    options?: ExploreOptions,
  ): Promise<ChunksFound | QuestionRefused>;
}

/** What the search by meaning is made of. */
export interface MeaningOptions extends ExplorerOptions {
  /** The configuration's `search_weights`. */
  readonly loadScales: () => Promise<GroupScales>;
  /** What was learned; absent where nothing is. */
  readonly askMap?: FindLearnedTerms;
  /** The repository's past; absent where nothing reads it. */
  readonly history?: Pick<RepositoryHistory, "peek">;
  /** What questions are ranked with, shared by all that rank; default one of its own. */
  readonly memory?: RankingMemory;
}

/** The state of the index that an answer comes from. */
export interface MeaningAccess {
  readonly freshness: IndexFreshness;
  readonly notices: readonly string[];
}
