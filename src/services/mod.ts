/**
 * The composition root: the only folder that builds the real adapters and knows all of them. All
 * other code gets its services as an argument.
 *
 * @module
 */
export { createServices, openHookDoor } from "./lazy.ts";
export type { Services, ServicesOptions } from "./services.ts";
export type { RequestPast } from "./request_past.ts";
