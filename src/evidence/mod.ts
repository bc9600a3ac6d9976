/**
 * Is a claim true? Evidence compared with what the session changed on the disk.
 *
 * @module
 */
export { checkEvidence } from "./check.ts";
export type { EvidenceInput, ReportedItem } from "./check.ts";
export { parseLocation } from "./location.ts";
export type { Location, WholeFile } from "./location.ts";
export { findConflictMarkers, findStaleEvidence } from "./stale.ts";
export type { StaleInput } from "./stale.ts";
