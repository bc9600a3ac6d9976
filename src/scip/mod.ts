/**
 * What the indexers of the languages proved: SCIP index files, read as definitions and references of the files whose
 * content they were made from.
 *
 * @module
 */
export { ScipSource } from "./scip_source.ts";
export type { ScipSourceOptions, ScipState } from "./scip_source.ts";
export type { ScipCounts, ScipNamed, ScipSpot } from "./scip_places.ts";
export { ScipPlaces } from "./scip_places.ts";
export type { HashOf, ImportOfText, Leads, NamesOfText, PresentText, UseOfText } from "./trust.ts";
export { ScipTrust } from "./trust.ts";
export type { ColumnUnit, ScipDefinition, ScipDocument, ScipIndex } from "./scip_index.ts";
export type { Descriptor, DescriptorKind, Descriptors } from "./scip_symbol.ts";
export type { Shape, Span } from "./shape.ts";
export type { TrustedDocument } from "./scip_places.ts";
export type { FittedPlace } from "./fit.ts";
