/**
 * The imperative shell round the phase engine.
 *
 * @module
 */
export type { Admission, CallRecord, StartInput, Workflow } from "./workflow_api.ts";
