/**
 * A project's health and tidiness: what `doctor` finds and `clean` removes.
 *
 * @module
 */
export { applyClean, planClean } from "./clean.ts";
export type { CleanDeps, CleanItem, CleanOptions, CleanResult, StaleBranch } from "./clean.ts";
export { hasBroken, runDoctor } from "./doctor.ts";
export type { DoctorFacts, DoctorRow, DoctorStatus } from "./doctor.ts";
