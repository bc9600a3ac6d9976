/** The paths of the engine against the matrix, which is written by hand. */
import { testPaths } from "./all_paths.ts";
import type { Start, Story } from "./matrix.ts";

/** Every answer of the exploration with work that goes well, and all that goes wrong in the work after the plain answers. */
function isApart({ flags }: Start, story: Story): boolean {
  const isStraight = !story.q1 && !story.q2 && !story.q3;
  const isCalm = !story.failures && !story.issues && !story.hasConflict;
  return isStraight || (isCalm && !flags.includes("no_doc"));
}

/**
 * The two are crossed where no branch was left behind: what became of such a branch is decided before either. The flags that
 * leave out step 3 or step 16 alone are not crossed again.
 */
function isCrossed(start: Start, story: Story): boolean {
  const isOfOneStep = start.flags.includes("no_doc") || start.flags.includes("no_intervention");
  return (story.stale === "none" && !isOfOneStep) || isApart(start, story);
}

// MODIFY goes the same ways as IMPLEMENT, and the gate `full` skips no step whatever is answered.
testPaths(["MODIFY"], ["auto"], isCrossed);
testPaths(["IMPLEMENT"], ["auto"], isApart);
testPaths(["MODIFY", "IMPLEMENT"], ["full"], isApart);
testPaths(["QUESTION", "INVESTIGATE"], ["auto", "full"]);
