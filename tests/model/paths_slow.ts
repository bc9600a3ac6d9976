/** Every path of the engine against the matrix, which is written by hand. */
import { testPaths } from "./all_paths.ts";

// MODIFY and QUESTION go the same ways as the other two, and the gate `full` skips no step: every answer of the
// exploration is walked there with everything that goes wrong in the work, and here each of the two with the plain other.
testPaths(["IMPLEMENT", "INVESTIGATE"], ["auto"], ({ flags }, story) => {
  const isStraight = !story.q1 && !story.q2 && !story.q3;
  const isCalm = !story.failures && !story.issues && !story.hasConflict;
  return isStraight || (isCalm && !flags.includes("no_doc"));
});

testPaths(["MODIFY", "QUESTION"], ["auto", "full"]);
testPaths(["IMPLEMENT", "INVESTIGATE"], ["full"]);
