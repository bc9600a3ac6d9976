/**
 * Decides what a seal says about a file of a session. A mark shows that this home folder wrote the
 * file: then only its own seal is accepted. Without a mark the file came from elsewhere, and a seal
 * of another key is normal. The table of all cases is in `docs/formats.md`. Pure.
 */
import type { SealVerdict } from "../base/files/seal.ts";
import type { RevisionMark } from "./revision_marks.ts";

/** Whether the content of the file counts. */
export type SealJudgement =
  /** This home folder wrote it, and nobody changed it. */
  | "vouched"
  /** Nothing is wrong with it, but nobody can tell who wrote it: the person is told. */
  | "unchecked"
  /** This home folder wrote the file, but not with this content. */
  | "changed"
  /** This home folder wrote it, with a key that it no longer has. */
  | "key_lost";

/** Judges a seal by what this home folder remembers of the session. */
export function judgeSeal(
  verdict: SealVerdict,
  mark: Pick<RevisionMark, "isKnown" | "isSealed">,
): SealJudgement {
  if (verdict === "fits") return "vouched";
  if (verdict === "wrong") return "changed";
  if (!mark.isKnown) return "unchecked";
  if (mark.isSealed) return verdict === "absent" ? "changed" : "key_lost";
  // This home folder had no key when it wrote, so its file has no seal, and a sealed one is
  // somebody else's.
  return verdict === "absent" || verdict === "off" ? "unchecked" : "changed";
}
