/**
 * Questions about the code and their answers.
 *
 * @module
 */
export type {
  DefinitionsFound,
  ExploreOptions,
  Explorer,
  ExploreRefused,
  FilesFound,
  FindDefinitionsInput,
  FindReferencesInput,
  GetSymbolsInput,
  LiveExplorer,
  NameMatch,
  Reference,
  ReferencesFound,
  SearchFilesInput,
  SearchTextInput,
  SymbolsFound,
  TextFound,
  TextMatch,
} from "./explorer.ts";
export type { Definition, Found, Freshness, IndexFreshness, PageInput } from "./answer_types.ts";
export type { ListFiles, ListFilesOptions, LiveExplorerOptions } from "./live_context.ts";
export { createLiveExplorer } from "./live_explorer.ts";
export { toSmallMatch } from "./text_search.ts";
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
export type { Candidate, CandidateScope } from "./candidates.ts";
export type { RatedFile, SearchOptions } from "./code_search.ts";
export { pickChunks, searchCode } from "./code_search.ts";
export { searchHybrid } from "./hybrid_search.ts";
export type { HybridOptions, HybridResult } from "./hybrid_search.ts";
export type { ContentFacts, NameFacts } from "./content_facts.ts";
export { RankingMemory } from "./content_facts.ts";
export type { FeatureGroup, FeatureName, Features } from "./feature_table.ts";
export { FEATURES } from "./feature_table.ts";
export type { Penalty } from "./penalties.ts";
export type { QueryForm, QueryKind, QueryWord } from "./query_kind.ts";
export { readQuery } from "./query_kind.ts";
export { toStem } from "./stem.ts";
export { translate } from "./translate.ts";
export type { Translation } from "./translate.ts";
export type { Glossary } from "./glossary_ja.ts";
export type { Explanation, GroupScales, Ranked } from "./rank.ts";
export type { KindWeights } from "./weights.ts";
export { WEIGHTS } from "./weights.ts";
export { runPlan } from "./run_plan.ts";
export type { PlanFound, PlanOptions } from "./run_plan.ts";
export type { RanStep } from "./plan_steps.ts";
export type { MergeOptions, PlanResult } from "./plan_merge.ts";
export type { Place, PlannedStep, Ranking, StepOptions } from "./plan_steps.ts";
export type {
  ChunkDetail,
  ChunkPlace,
  ChunksFound,
  Collection,
  MeaningSearch,
  ReadChunksInput,
  SemanticFound,
  SemanticHit,
  SemanticInput,
} from "./meaning_types.ts";
export type { MeaningOptions } from "./meaning_types.ts";
export { createMeaningSearch } from "./semantic_search.ts";
export type { AskMap, LearnedHit } from "./map_hits.ts";
export { findDefinedNames } from "./map_hits.ts";
export { FactStore } from "./fact_store.ts";
export type { AskOptions, FactSources, OpenFacts } from "./fact_store.ts";
export type { FactMemory, FactsOptions, IndexFacts, ReadText, Spoken } from "./index_facts.ts";
export type { LocalType } from "./local_types.ts";
export type { ModuleMap, ModuleQuestion } from "./module_map.ts";
export { toFamily } from "./module_paths.ts";
export type { Family, ModulePlace } from "./module_paths.ts";
export { resolveReference } from "./resolve_reference.ts";
export type { Mention, ProjectFacts } from "./reference_facts.ts";
export { runText } from "./live_context.ts";
export type { IndexAccess } from "./index_access.ts";
export { openIndex } from "./index_access.ts";
export { toEnclosing } from "./hit_names.ts";
