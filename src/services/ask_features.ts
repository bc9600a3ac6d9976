/** Finds the feature that fills a slot of the core. */
import { loadOnce } from "../base/lazy.ts";
import type { Learning } from "../workflow/context/learning.ts";
import { NO_LEARNING } from "../workflow/context/learning.ts";
import type { Extension, LearningParts } from "./extension.ts";

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

/** Opens what is learned from sessions with the first question, once; without a feature that learns it is nothing. */
export function toLearningOpener(
  features: readonly Extension[],
  parts: LearningParts,
): () => Promise<Learning> {
  return loadOnce(async () => await askFeatures(features, "openLearning")?.(parts) ?? NO_LEARNING);
}
