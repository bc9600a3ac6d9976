/**
 * Questions about the code and their answers, one file a question.
 *
 * @module
 */
export type { Definition, Found, Freshness, IndexFreshness, PageInput } from "./answer_types.ts";
export type {
  DefinitionsFound,
  ExploreOptions,
  Explorer,
  ExploreRefused,
  FilesFound,
  FindDefinitionsInput,
  FindReferencesInput,
  LiveExplorer,
  Reference,
  ReferencesFound,
  SearchFilesInput,
  SearchTextInput,
  SymbolsFound,
  TextFound,
  TextMatch,
} from "./explorer.ts";
export { openIndex } from "./index_access.ts";
export type { ExplorerOptions } from "./index_access.ts";
export { createLiveExplorer } from "./live/live_explorer.ts";
export { findDefinedNames } from "./meaning/map_hits.ts";
export type { AskMap, LearnedHit } from "./meaning/map_hits.ts";
export type {
  ChunksFound,
  MeaningSearch,
  SemanticHit,
  SemanticInput,
} from "./meaning/meaning_types.ts";
export { createMeaningSearch } from "./meaning/semantic_search.ts";
export { createExplorer } from "./project_explorer.ts";
export type { FileNode, FileStructure, FolderStructure, FunctionFound } from "./structure_types.ts";
export { toSmallMatch } from "./text_search.ts";
