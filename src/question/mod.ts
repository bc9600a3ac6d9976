/**
 * A question, taken apart: what its words name, which questions answer it, and in which order their places are shown.
 *
 * @module
 */
export { lookIntoDocuments } from "./document_look.ts";
export type { DocumentLook, DocumentLookOptions } from "./document_look.ts";
export { orient } from "./orientation.ts";
export type { Orientation, OrientationOptions, OrientationPlace } from "./orientation.ts";
export { clipAtName } from "./plan_merge.ts";
export type { PlanResult } from "./plan_merge.ts";
export type { Place, PlannedStep, Ranking, RanStep, StepOptions } from "./plan_steps.ts";
export { routeQuestion } from "./router.ts";
export type { PlannedTool, PlanStep, Route, RouterInput } from "./router.ts";
export { runPlan } from "./run_plan.ts";
export type { PlanFound } from "./run_plan.ts";
export { readTerms } from "./terms.ts";
export type { QuestionTerms } from "./terms.ts";
