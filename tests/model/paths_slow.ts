/** Every path of the intents that `paths_test.ts` leaves out. */
import { testPaths } from "./all_paths.ts";

testPaths(["MODIFY", "QUESTION"]);
