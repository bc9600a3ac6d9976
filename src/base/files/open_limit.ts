/**
 * Looks at the start whether the system lets this process open as many files as the work needs. Below that a thread
 * ends the whole process, git and the search programs seem not to be installed, and the index not to be writable.
 */
import { toCountText } from "../text/plain_text.ts";
import { CodeIntelError } from "../errors.ts";
import { TOO_MANY_FILES_HINT } from "../system_cause.ts";
import { LIMITS } from "../settings/limits.ts";

/** A file that can be opened any number of times, wherever there is a limit. */
const NOTHING = "/dev/null";

/**
 * Refuses to go on where fewer files can be opened than {@link LIMITS} asks for. The system does not tell
 * everywhere how many that are, so it is tried: all are open for less than a millisecond.
 *
 * @throws {CodeIntelError} `too_many_files` with the number that can be opened and how the limit is raised.
 */
export function expectOpenFiles(): void {
  const needed = LIMITS.openFiles.value;
  const { count, cause } = countOpenable(needed);
  if (count >= needed) return;
  throw new CodeIntelError(
    "too_many_files",
    `Cannot start: this process may open only ${
      toCountText(count, "more file")
    }, and ${needed} are needed (the limit is \`ulimit -n\`)`,
    { hint: TOO_MANY_FILES_HINT, details: { count, needed }, cause },
  );
}

/** How many more files can be opened, at most so many; with what the system says where there are fewer. */
export function countOpenable(
  most: number,
): { readonly count: number; readonly cause?: unknown } {
  // Windows has no such limit for a process.
  if (Deno.build.os === "windows") return { count: most };
  const files: Deno.FsFile[] = [];
  try {
    while (files.length < most) files.push(Deno.openSync(NOTHING));
    return { count: most };
  } catch (cause) {
    return { count: files.length, cause };
  } finally {
    for (const file of files) file.close();
  }
}
