/**
 * The protocol: what a client finds, whatever carries it.
 *
 * @module
 */
export { serve } from "./lazy.ts";
