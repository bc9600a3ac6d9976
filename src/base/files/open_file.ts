/**
 * The one door through which files are opened. It closes them by `finally`: the bundler's minifier drops the `using`
 * of a value that is used once, and each call of the executable left an open file behind.
 */

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
