/**
 * Which files answer a question best: the candidates, their features, the weights and the score.
 *
 * @module
 */
export { pickChunks, searchCode } from "./code_search.ts";
export type { RatedFile } from "./code_search.ts";
export { RankingMemory } from "./content_facts.ts";
export type { FeatureName } from "./feature_table.ts";
export { searchHybrid } from "./hybrid_search.ts";
export { readQuery } from "./query_kind.ts";
export type { QueryForm, QueryKind } from "./query_kind.ts";
export type { Explanation, GroupScales, Ranked } from "./rank.ts";
export { toStem } from "./stem.ts";
export { translate } from "./translate.ts";
export { WEIGHTS } from "./weights.ts";
