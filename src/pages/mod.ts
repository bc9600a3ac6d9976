/**
 * What every page for people is made of: escaped markup, one frame with its policy, one style, and plain words.
 *
 * @module
 */
export { code, Html, markup, theirs } from "./html.ts";
export type { Part } from "./html.ts";
export { PAGE_POLICY, toHead, toPage, toPolicy, toProblemPage } from "./page.ts";
export type { PageParts, PageProgram, PageSection } from "./page.ts";
