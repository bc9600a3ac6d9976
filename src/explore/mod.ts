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
  GetSymbolsInput,
  NameMatch,
  Reference,
  ReferencesFound,
  SearchFilesInput,
  SearchTextInput,
  SymbolsFound,
  TextFound,
  TextMatch,
} from "./explorer.ts";
export { findExactDefinitions } from "./names/exact_definitions.ts";
export { takeLeftOutNotices } from "./left_out.ts";
export { askSettled } from "./settled.ts";
export type { SettleOptions, Settling } from "./settled.ts";
export { openIndex, openPatiently } from "./index_access.ts";
export type { OpenOptions, WaitOptions } from "./index_access.ts";
export type { ExplorerOptions, IndexAccess } from "./index_access.ts";
export { findDefinedNames } from "./meaning/map_hits.ts";
export type { AskMap, LearnedHit } from "./meaning/map_hits.ts";
export type {
  ChunkDetail,
  ChunkPlace,
  ChunksFound,
  Collection,
  MeaningOptions,
  MeaningSearch,
  ReadChunksInput,
  SemanticFound,
  SemanticHit,
  SemanticInput,
} from "./meaning/meaning_types.ts";
export type { TellingLine, TellingOptions } from "./meaning/telling_line.ts";
export { Patience } from "./patience.ts";
export { createMeaningSearch } from "./meaning/semantic_search.ts";
export { createLateExplorer } from "./lazy.ts";
export { createExplorer } from "./project_explorer.ts";
export type {
  AnalyzeStructureInput,
  FileNode,
  FileStructure,
  FolderStructure,
  FunctionAtLineInput,
  FunctionFound,
  ImportNode,
  SymbolNode,
} from "./structure_types.ts";
export { toSmallMatch } from "./small_match.ts";
export { searchText } from "./text_search.ts";
