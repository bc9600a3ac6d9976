/**
 * The code of a project as a picture: gathered from the index and the past, told as data, as text, and as a page.
 *
 * @module
 */
export type { CodeMap, MapFile, MapLink, MapSymbol } from "./code_map.ts";
export { createMapReader } from "./lazy.ts";
export type { MapDeps, MapOptions, MapResult, ReadMap } from "./gather_map.ts";
export { MAP_SCRIPT, toMapPage } from "./map_page.ts";
export { toMapLines } from "./map_text.ts";
