/**
 * Temporary folders of tests, given up at their end. A file system such as ext4 does not use the numbers of files again
 * that were removed within the last minute, and looks through all of them at each new file: removing every folder at once
 * cost the whole suite a fifth of its processor time. So a run of many files removes what they leave at one go.
 */
import { TEMP_OF_RUN } from "../../tools/quick_tests/temp_of_run.ts";

/** Removes a folder that the test does not need any more, or leaves it to the run of all tests; never fails. */
export async function giveUp(folder: string): Promise<void> {
  if (Deno.env.has(TEMP_OF_RUN)) return;
  await Deno.remove(folder, { recursive: true }).catch(() => {});
}
