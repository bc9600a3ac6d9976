/** Finds the feature that fills a slot of the core. */
import type { Extension } from "./extension.ts";

/**
 * What the first feature that has it gives under a name; undefined where none does.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { askFeatures } from "./ask_features.ts";
 * equal(askFeatures([{}, { checks: [] }], "checks")?.length, 0);
 * equal(askFeatures([{}], "openShared"), undefined);
 * ```
 */
export function askFeatures<K extends keyof Extension>(
  features: readonly Extension[],
  name: K,
): Extension[K] | undefined {
  return features.find((one) => one[name] !== undefined)?.[name];
}
