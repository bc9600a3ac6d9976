/**
 * Copies the person's index, so that a private index begins with what git already knows about the
 * files.
 */
import { join, parse } from "node:path";
import { toIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { readRegularFile } from "../../base/files/regular_file.ts";
import type { Repository } from "../repository.ts";
import { toRefusal } from "../steering_files.ts";

/**
 * Writes the bytes of the index to `target`; false where there is no index.
 *
 * @throws {CodeIntelError} `control_file_unusable` where the index cannot be read, `io_failed`, `disk_full`.
 */
export async function copyIndex(
  { gitDir }: Pick<Repository, "gitDir">,
  target: string,
): Promise<boolean> {
  const path = join(gitDir, "index");
  const maxBytes = LIMITS.gitFileBytes.value;
  const reading = readRegularFile(path, { within: parse(path).root, maxBytes });
  if (reading.kind === "absent") return false;
  if (reading.kind === "refused") throw toRefusal(path, reading.reason);
  await Deno.writeFile(target, reading.bytes).catch((cause) => {
    throw toIoError(`write "${target}"`, cause);
  });
  return true;
}
