/**
 * Questions about the code and their answers.
 *
 * @module
 */
export type {
  Definition,
  DefinitionsFound,
  ExploreOptions,
  Explorer,
  ExploreRefused,
  FilesFound,
  FindDefinitionsInput,
  FindReferencesInput,
  Found,
  Freshness,
  GetSymbolsInput,
  IndexFreshness,
  LiveExplorer,
  NameMatch,
  PageInput,
  Reference,
  ReferencesFound,
  SearchFilesInput,
  SearchTextInput,
  SymbolsFound,
  TextFound,
  TextMatch,
} from "./explorer.ts";
export type { ListFiles, ListFilesOptions, LiveExplorerOptions } from "./live_context.ts";
export { createLiveExplorer } from "./live_explorer.ts";
export type { ExplorerOptions } from "./index_access.ts";
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
