/**
 * The request and the question, taken apart: what their words prove, which questions answer them, and in which order.
 *
 * @module
 */
export { measureSymbols } from "./lazy.ts";
export type { MeasureInput, SymbolRelevance } from "./measure_symbols.ts";
export type { PlanResult } from "./plan_merge.ts";
export { checkSlots, findQuote } from "./quotes.ts";
export { routeQuestion } from "./router.ts";
export type { Route, RouterInput } from "./router.ts";
export { runPlan } from "./run_plan.ts";
export type { PlanFound } from "./run_plan.ts";
export { readTerms } from "./terms.ts";
