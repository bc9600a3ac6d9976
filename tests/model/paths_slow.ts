/** Every path of the intents and gates that `paths_test.ts` leaves out. */
import { testPaths } from "./all_paths.ts";

testPaths(["MODIFY", "QUESTION"], ["auto", "full"]);
testPaths(["IMPLEMENT", "INVESTIGATE"], ["full"]);
