/**
 * The request, taken apart into slots that are proven by its own words.
 *
 * @module
 */
export { checkSlots, findQuote } from "./quotes.ts";
export type { FrameCheck, ProvenSlot, SentSlot } from "./quotes.ts";
