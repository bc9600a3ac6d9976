/** The map of the code, loaded when it is asked for. */
import type { MapDeps, ReadMap } from "./gather_map.ts";

/** Makes the reader; the same as behind it in `gather_map.ts`. */
export function createMapReader(deps: MapDeps): ReadMap {
  return async (options) => await (await import("./gather_map.ts")).createMapReader(deps)(options);
}
