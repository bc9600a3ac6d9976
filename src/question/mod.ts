/**
 * The request and the question, taken apart: what their words prove, which questions answer them, and in which order.
 *
 * @module
 */
export { measureSymbols } from "./lazy.ts";
export type { MeasureDeps, MeasureInput, SymbolRelevance } from "./measure_symbols.ts";
export type { PlanResult } from "./plan_merge.ts";
export type { Place, PlannedStep, Ranking, RanStep, StepOptions } from "./plan_steps.ts";
export { checkSlots, findQuote } from "./quotes.ts";
export type { FrameCheck, ProvenSlot, SentSlot } from "./quotes.ts";
export type { RelevanceSource } from "./relevance.ts";
export { routeQuestion } from "./router.ts";
export type { PlannedTool, PlanStep, Route, RouterInput } from "./router.ts";
export { runPlan } from "./run_plan.ts";
export type { PlanFound, PlanOptions } from "./run_plan.ts";
export { readTerms } from "./terms.ts";
export type { QuestionTerms } from "./terms.ts";
