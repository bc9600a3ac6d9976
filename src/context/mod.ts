/**
 * What the project tells about itself: its settings, its rules, its documents.
 *
 * @module
 */
export { findDocuments } from "./doc_research.ts";
export type { DocumentList, FindDocumentsOptions } from "./doc_research.ts";
export { loadYaml } from "./load_yaml.ts";
export type { Yaml } from "./load_yaml.ts";
export { readDocumentSummaries } from "./document_summaries.ts";
export type { DocumentSummaries, DocumentSummary } from "./document_summaries.ts";
export { readProjectRules, RULES_FILES, toContentHash } from "./project_rules.ts";
export type { ProjectRules } from "./project_rules.ts";
export { createSettingsReader, loadContext } from "./settings.ts";
export type { Settings, SettingsOptions, SettingsReader } from "./settings.ts";
export { listUnmet } from "./unmet_settings.ts";
export { updateContext } from "./update_context.ts";
export type { ContextPlace, ContextUpdate, UpdateResult } from "./update_context.ts";
