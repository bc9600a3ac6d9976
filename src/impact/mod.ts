/**
 * What a change can break: the graph of dependents, tests, documents and markup.
 *
 * @module
 */
export type { AffectedFile } from "./affected.ts";
export { createImpactAnalyzer } from "./analyze.ts";
export { createLateImpact } from "./lazy.ts";
export type {
  ImpactAnalyzer,
  ImpactAnswer,
  ImpactFound,
  ImpactInput,
  ImpactOptions,
} from "./analyze.ts";
export { isCode } from "./code_file.ts";
export { findTouched } from "./diff.ts";
export type { DiffFacts } from "./review/diff_facts.ts";
export { findDependents } from "./dependents.ts";
export type { WalkOptions } from "./dependents.ts";
export type { DocumentMention } from "./documents.ts";
export type { Confidence, Dependents, Edge, EdgeKind, Seeds } from "./edges.ts";
export type {
  AskedFeature,
  LikelyFeature,
  LikelyFeatures,
  LikelyWeights,
} from "./likely/feature_table.ts";
export { ASKED_NAMES, LIKELY_FEATURES, LIKELY_NAMES } from "./likely/feature_table.ts";
export type { AskedPast } from "./likely/past_features.ts";
export type { LikelyFile, LikelySource } from "./likely/likely_files.ts";
export type { FeaturedFile, LikelyModel, LikelyParts, ScoredFile } from "./likely/second_look.ts";
export { LIKELY_MODEL, lookAgain, scoreByWeights, scoreLikely } from "./likely/second_look.ts";
export type { Split, Tree } from "./likely/trees.ts";
export { toTreeText } from "./likely/trees.ts";
export type { CrossReference, CrossReferences } from "./markup.ts";
export type { NamingMatches } from "./naming.ts";
export type { OwnCommand, TestRun } from "./own_command.ts";
export { holderOf } from "./symbol_shape.ts";
export type { Target } from "./targets.ts";
