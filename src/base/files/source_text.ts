/** Reads a file of the project as text. */
import { readSource } from "./regular_file.ts";
import type { StoredFiles } from "./stored_files.ts";
import { decodeText } from "./text_file.ts";

/**
 * The text of a file; undefined where it is binary, gone, too large or not to be read.
 *
 * @param root absolute path of the project.
 * @param path from there.
 */
export async function readSourceText(root: string, path: string): Promise<string | undefined> {
  const reading = await readSource(root, path);
  return reading.kind === "read" ? decodeText(reading.bytes) : undefined;
}

/** Where the files of a project are. */
export interface SourcePlace {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** The files themselves, where no folder has them. */
  readonly stored?: StoredFiles | undefined;
}

/** The same of a project whose files may be stored elsewhere than in a folder. */
export async function readProjectSource(
  { projectRoot, stored }: SourcePlace,
  path: string,
): Promise<string | undefined> {
  if (stored === undefined) return await readSourceText(projectRoot, path);
  const bytes = await stored.read(path);
  return bytes === null ? undefined : decodeText(bytes);
}
