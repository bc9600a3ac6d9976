/** Questions that other repositories are asked too: who knows some gives them, and without any nothing is said. */
import type { ExploreOptions, SearchTextInput } from "../explore/explorer.ts";
import type { Seeds } from "../impact/affected.ts";

/** What one of them says. */
export interface OtherRepository {
  /** Its name in the workspace. */
  readonly repository: string;
  /** Its folder, from the project: `../util`; absent where it has none, as in a hub. */
  readonly root?: string;
  /** How many places it has. */
  readonly total: number;
  /** The first of them, each with its path from that folder: `src/a.ts:12 call: load()`. */
  readonly places: readonly string[];
}

/** What all of them say. */
export interface OtherAnswer {
  /** Those that have something to say. */
  readonly others: readonly OtherRepository[];
  /** Members that could not be asked, and answers that may be stale, in sentences. */
  readonly notices: readonly string[];
}

/** The same for references. */
export interface OtherReferences extends OtherAnswer {
  /** Where places of the project itself lead in other repositories: `util:src/load.ts:3`, by `path:line`. */
  readonly leading: ReadonlyMap<string, string>;
}

/** What lines are looked for; folders and pages are those of the project alone. */
export type LinesQuery = Omit<SearchTextInput, "path" | "offset" | "maxResults">;

/** Other repositories of a project. */
export interface OtherRepositories {
  /** Where other repositories define a name. */
  findDefinitions(symbol: string): Promise<OtherAnswer>;
  /** Where other repositories use what the project defines or uses under a name; what anyone defines, where it does neither. */
  findReferences(symbol: string, options?: ExploreOptions): Promise<OtherReferences>;
  /** Where other repositories use definitions of the project. */
  findUsers(seeds: Seeds, options?: ExploreOptions): Promise<OtherAnswer>;
  /** Files of other repositories that answer a question in words. */
  search(question: string, options?: ExploreOptions): Promise<OtherAnswer>;
  /** Lines of other repositories that match patterns. */
  searchLines(query: LinesQuery, options?: ExploreOptions): Promise<OtherAnswer>;
  /** How questions ask repositories inside of the project too, in a sentence; "" for no way, null where they do already. */
  toNestedHint(): string | null;
  /** Ends background work. */
  close(): Promise<void>;
}

/** Nothing is said. */
export const NO_OTHERS: OtherAnswer = { others: [], notices: [] };

const sayNothing = () => Promise.resolve(NO_OTHERS);

/** No other repositories. */
export const NO_REPOSITORIES: OtherRepositories = {
  findDefinitions: sayNothing,
  findReferences: () => Promise.resolve({ ...NO_OTHERS, leading: new Map() }),
  findUsers: sayNothing,
  search: sayNothing,
  searchLines: sayNothing,
  toNestedHint: () => "",
  close: () => Promise.resolve(),
};
