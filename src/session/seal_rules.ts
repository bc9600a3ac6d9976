/**
 * What a seal says about a file of a session. What this home wrote it knows by its mark: then only a seal
 * that fits will do. Without a mark the files came from elsewhere, and a seal of another key is nothing
 * strange. The table of all cases is in `docs/formats.md`. Pure.
 */
import type { SealVerdict } from "../base/seal.ts";
import type { RevisionMark } from "./revision_marks.ts";

/** Whether the content counts. */
export type SealJudgement =
  /** Written by this home, and nobody changed it. */
  | "vouched"
  /** Nothing speaks against it, but nobody can say who wrote it: the person is told. */
  | "unchecked"
  /** Written here once, and not as it is now. */
  | "changed"
  /** Written here once, under a key that this home does not have any more. */
  | "key_lost";

/** Judges a seal by what this home remembers of the session. */
export function judgeSeal(
  verdict: SealVerdict,
  mark: Pick<RevisionMark, "isKnown" | "isSealed">,
): SealJudgement {
  if (verdict === "fits") return "vouched";
  if (verdict === "wrong") return "changed";
  if (!mark.isKnown) return "unchecked";
  if (mark.isSealed) return verdict === "absent" ? "changed" : "key_lost";
  // This home had no key when it wrote: what it wrote has no seal, and what has one is not from it.
  return verdict === "absent" || verdict === "off" ? "unchecked" : "changed";
}
