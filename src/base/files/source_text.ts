/** Reads a file of the project as text. */
import { readSource } from "./regular_file.ts";
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
