/** What answers questions about the code of a hub's repositories: the same explorer and search as for a project on the disk. */
import { createBackends } from "../../backends/detect.ts";
import type { Logger } from "../../base/logger.ts";
import { DEFAULT_CONFIG } from "../../base/settings/config.ts";
import type { Explorer } from "../../explore/explorer.ts";
import type { MeaningSearch } from "../../explore/meaning/meaning_types.ts";
import { createMeaningSearch } from "../../explore/meaning/semantic_search.ts";
import { createExplorer } from "../../explore/project_explorer.ts";
import type { ImpactAnalyzer } from "../../impact/analyze.ts";
import { createImpactAnalyzer } from "../../impact/analyze.ts";
import { RankingMemory } from "../../ranking/content_facts.ts";
import { FactStore } from "../../resolve/fact_store.ts";
import type { HubStore } from "./hub_store.ts";
import { OtherUsers } from "./other_users.ts";
import { StoredIndex } from "./stored_index.ts";

/** What answers for one repository. */
export interface RepositoryCode {
  readonly explorer: Explorer;
  readonly meaning: MeaningSearch;
  /** It knows neither a past nor a working tree. */
  readonly impact: ImpactAnalyzer;
  /** Who uses its definitions elsewhere in the hub. */
  readonly users: OtherUsers;
}

/** Repositories whose module maps, lists and rankings are remembered; the one that was asked longest ago goes first. */
const MAX_REMEMBERED = 50;
/** No path of an answer begins with it: the files lie in no folder. */
const NO_FOLDER = "/hub";

/** Answers by the name of the repository. */
export class HubCode {
  readonly #store: HubStore;
  readonly #logger: Logger;
  readonly #known = new Map<string, RepositoryCode>();

  constructor(store: HubStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /** What answers for a repository of the hub. */
  of(name: string): RepositoryCode {
    const known = this.#known.get(name) ?? this.#create(name);
    this.#known.delete(name);
    this.#known.set(name, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  #create(name: string): RepositoryCode {
    const index = new StoredIndex(this.#store, name);
    const context = {
      projectRoot: NO_FOLDER,
      listFiles: () => index.listFiles(),
      looked: () => index.looked(),
      stored: index.files,
      backends: createBackends(),
      logger: this.#logger,
      index,
      // Nothing is prepared behind an answer: the jobs of the hub do that.
      isBrief: true,
    };
    const shared = { ...context, facts: new FactStore(context), memory: new RankingMemory() };
    const loadScales = () => Promise.resolve(DEFAULT_CONFIG.search_weights);
    return {
      explorer: createExplorer(shared),
      meaning: createMeaningSearch({ ...shared, loadScales }),
      impact: createImpactAnalyzer({
        ...shared,
        openRepo: () => Promise.resolve(null),
        loadPatterns: () => Promise.resolve({ include_patterns: [], exclude_patterns: [] }),
        loadCommands: () => Promise.resolve([]),
      }),
      users: new OtherUsers(this.#store, {
        repository: () => index.repository,
        listFiles: () => index.listFiles(),
      }),
    };
  }
}
