/**
 * The only module that opens files. It closes them by `finally`: the bundler's minifier drops the
 * `using` of a value that is used once. Then each call of the executable left an open file behind.
 */
import { formatCount } from "../text/plain_text.ts";
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
      formatCount(count, "more file")
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

/**
 * Opens a file for the time of `work` and closes it afterwards, also when `work` fails.
 *
 * @throws what the system says when the file cannot be opened, and what `work` throws.
 */
export async function withFile<T>(
  path: string | URL,
  options: Deno.OpenOptions,
  work: (file: Deno.FsFile) => T | Promise<T>,
): Promise<T> {
  return await closeAfter(await openFile(path, options), work);
}

/** Does `work` with a file that is open already and closes it afterwards, also when `work` fails. */
export async function closeAfter<T>(
  file: Deno.FsFile,
  work: (file: Deno.FsFile) => T | Promise<T>,
): Promise<T> {
  try {
    return await work(file);
  } finally {
    file.close();
  }
}

/**
 * Opens a file that stays open for longer than a function runs; whoever asks for it owns it and has to close it.
 * Everything else is done in {@link withFile}.
 *
 * @throws what the system says when the file cannot be opened.
 */
export async function openFile(
  path: string | URL,
  options: Deno.OpenOptions = { read: true },
): Promise<Deno.FsFile> {
  return await Deno.open(path, options);
}
