/**
 * The request, taken apart into slots that are proven by its own words.
 *
 * @module
 */
export { checkSlots, findQuote } from "./quotes.ts";
export type { FrameCheck, ProvenSlot, SentSlot } from "./quotes.ts";
export { measureSymbols } from "./lazy.ts";
export type { MeasureDeps, MeasureInput, SymbolRelevance } from "./measure_symbols.ts";
export type { RelevanceSource } from "./relevance.ts";
export { routeQuestion } from "./router.ts";
export type { PlannedTool, PlanStep, Route, RouterInput } from "./router.ts";
export { readTerms } from "./terms.ts";
export type { QuestionTerms } from "./terms.ts";
