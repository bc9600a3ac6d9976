/**
 * The request, taken apart into slots that are proven by its own words.
 *
 * @module
 */
export { checkSlots, findQuote } from "./quotes.ts";
export type { FrameCheck, ProvenSlot, SentSlot } from "./quotes.ts";
export { measureSymbols } from "./measure_symbols.ts";
export type { MeasureDeps, MeasureInput, SymbolRelevance } from "./measure_symbols.ts";
export {
  CALIBRATIONS,
  FACT_SCORE,
  REJECT_SCORE,
  SHARE_WEIGHT,
  toRelevance,
  toRelevanceText,
  toSource,
  toSymbolWords,
  toWordShare,
} from "./relevance.ts";
export type { Calibration, RelevanceSource, RelevanceText } from "./relevance.ts";
export { routeQuestion } from "./router.ts";
export type { PlannedTool, PlanStep, Route, RouterInput } from "./router.ts";
export { readTerms } from "./terms.ts";
export type { QuestionTerms } from "./terms.ts";
