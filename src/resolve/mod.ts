/**
 * Where a name leads: modules, scopes, members and receivers, answered from the facts of the index.
 *
 * @module
 */
export { FactStore } from "./fact_store.ts";
export type { AskOptions, FactSources, OpenFacts } from "./fact_store.ts";
export { openFacts } from "./lazy.ts";
export { IndexFacts } from "./index_facts.ts";
export type { Renamed, Spoken } from "./index_facts.ts";
export type { LocalType } from "./lines/local_types.ts";
export type { ModuleMap, ModuleQuestion } from "./modules/module_map.ts";
export type { ModulePlace } from "./modules/module_paths.ts";
export { ProjectModules } from "./modules/project_modules.ts";
export { Joint } from "./packages/joint.ts";
export type { JointOptions, JointPart } from "./packages/joint.ts";
export { isManifest, readPackageFacts } from "./packages/package_facts.ts";
export type {
  GivenPackage,
  PackageFacts,
  PackageFamily,
  UsedPackage,
} from "./packages/package_types.ts";
export { PackageLinks } from "./packages/package_links.ts";
export type { PackageLink, PackagePart } from "./packages/package_links.ts";
export type { Proof, SymbolsOf } from "./proof.ts";
export type {
  Descriptor,
  DescriptorKind,
  Descriptors,
  ProofSource,
  ProofState,
  ProvenDefinition,
  ProvenPlaces,
  ProvenSpot,
} from "./proven_places.ts";
export type { FileTypes, Mention, ProjectFacts, Proven } from "./reference_facts.ts";
export { TYPES } from "./reference_tables.ts";
export { isSamePackage } from "./neighbours.ts";
export { countOverloads } from "./resolution_rules.ts";
export { resolveReference } from "./resolve_reference.ts";
