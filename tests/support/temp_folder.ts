/**
 * Temporary folders of tests, given up at their end. A file system such as ext4 does not use the numbers of files again
 * that were removed within the last minute, and looks through all of them at each new file: removing every folder at once
 * cost the whole suite a fifth of its processor time. So a run of many files removes what they leave at one go.
 */
import { dirname, join } from "node:path";
import { TEMP_OF_RUN } from "../../tools/quick_tests/temp_of_run.ts";

/** Removes a folder that the test does not need any more, or leaves it to the run of all tests; never fails. */
export async function giveUp(folder: string): Promise<void> {
  if (Deno.env.has(TEMP_OF_RUN)) return;
  await Deno.remove(folder, { recursive: true }).catch(() => {});
}

/** Runs an action in an empty folder, which is given up afterwards. */
export async function inTempFolder(action: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  await action(folder).finally(() => giveUp(folder));
}

/** The same in a folder that holds some files. */
export function inTempProject(
  files: Readonly<Record<string, string>>,
  action: (projectRoot: string) => Promise<void>,
): Promise<void> {
  return inTempFolder(async (folder) => {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    await action(folder);
  });
}
