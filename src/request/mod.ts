/**
 * The request, taken apart into slots that are proven by its own words.
 *
 * @module
 */
export { measureSymbols } from "./lazy.ts";
export type {
  MeasureDeps,
  MeasureInput,
  SymbolPlaces,
  SymbolRelevance,
} from "./measure_symbols.ts";
export { checkSlots, findQuote } from "./quotes.ts";
export type { FrameCheck, ProvenSlot, SentSlot } from "./quotes.ts";
export type { RelevanceSource } from "./relevance.ts";
