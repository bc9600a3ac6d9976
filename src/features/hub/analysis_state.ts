/** By which version of the program a repository was analysed, beside the one that answers. */
import { toVariantPrefix } from "../../index/store/variant.ts";
import type { HubRepository } from "./hub_store.ts";

/** The largest chunk, as for a project without a configuration. */
export const HUB_CHUNK_TOKENS = 512;

/** What the analyses of a repository are to the program that reads them. */
export type AnalysisState =
  /** It made them, or there are none yet. */
  | "present"
  /** An older version made them: the next job of the repository reads all its files anew. */
  | "older"
  /** A newer version made them: this program has to be updated. */
  | "newer";

/** Compares the version that a repository was analysed by with that of this program. */
export function toAnalysisState(
  { commit, variant }: Pick<HubRepository, "commit" | "variant">,
): AnalysisState {
  const present = toVariantPrefix(HUB_CHUNK_TOKENS);
  if (commit === null || variant === present) return "present";
  return Number.parseInt(variant) > Number.parseInt(present) ? "newer" : "older";
}
