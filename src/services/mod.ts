/**
 * The composition root: the only folder that builds the real adapters and knows all of them. All
 * other code gets its services as an argument.
 *
 * @module
 */
export { createServices, openHookDoor } from "./lazy.ts";
export type { Extension, FeatureCheck, LearningParts, ProofParts } from "./extension.ts";
export { askFeatures } from "./ask_features.ts";
export type {
  FeaturePage,
  GuardedPage,
  LivePage,
  OpenPage,
  ServeHttpOptions,
  ServeOptions,
} from "./transport.ts";
export type { ProjectParts } from "./project_parts.ts";
export type { Services } from "./services_api.ts";
export type { ServicesOptions } from "./services_options.ts";
export { NO_OTHERS } from "./other_repositories.ts";
export type {
  LinesQuery,
  OtherAnswer,
  OtherReferences,
  OtherRepositories,
  OtherRepository,
} from "./other_repositories.ts";
export { toIndexDir } from "./index_places.ts";
export type { RequestPast } from "./request_past.ts";
