/**
 * Which files answer a question best: the candidates, their features, the weights and the score.
 *
 * @module
 */
export type { Candidate, CandidateScope } from "./candidates.ts";
export { collectLiterals } from "./candidates.ts";
export { searchCode } from "./code_search.ts";
export type { RatedFile, ScoredFile, SearchOptions } from "./code_search.ts";
export { toConfidence, toGrounds } from "./confidence.ts";
export type { Confidence, Grounds } from "./confidence.ts";
export { RankingMemory } from "./content_facts.ts";
export type { ContentFacts, KnownContent, NameFacts } from "./content_facts.ts";
export type { FeatureGroup, FeatureName, Features } from "./feature_table.ts";
export { FEATURES } from "./feature_table.ts";
export { WHOLE_PATH } from "./features.ts";
export type { Glossary } from "./languages/glossary.ts";
export { readGlossary } from "./languages/glossary_ja.ts";
export { searchHybrid } from "./hybrid_search.ts";
export type { HybridOptions, HybridResult } from "./hybrid_search.ts";
export { findLiterals, toLiteralScale } from "./literals.ts";
export { pickChunks } from "./pick_chunks.ts";
export type { Penalty } from "./penalties.ts";
export { toMessageTerms } from "./message_terms.ts";
export { PLAIN_SCALES } from "./rank.ts";
export { readQuery } from "./query_kind.ts";
export type { QueryForm, QueryKind, QueryWord } from "./query_kind.ts";
export type { PastVoice } from "./request_features.ts";
export { toPastFeatures } from "./request_features.ts";
export type { Explanation, GroupScales, Ranked } from "./rank.ts";
export { translate } from "./languages/translate.ts";
export type { Translation } from "./languages/translate.ts";
export { WEIGHTS } from "./weights.ts";
export type { KindWeights } from "./weights.ts";
export type { NearWindow } from "./word_vector_feature.ts";
