/**
 * Where a name leads: modules, scopes, members and receivers, answered from the facts of the index.
 *
 * @module
 */
export { FactStore } from "./fact_store.ts";
export { IndexFacts } from "./index_facts.ts";
export { toFamily } from "./modules/module_paths.ts";
export type { Family } from "./modules/module_paths.ts";
export type { ProjectFacts } from "./reference_facts.ts";
export { TYPES } from "./reference_tables.ts";
export { countOverloads } from "./resolution_rules.ts";
export { resolveReference } from "./resolve_reference.ts";
