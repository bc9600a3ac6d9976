/** Opens the folder that somebody names as the project. */
import { CodeIntelError, toIoError } from "../errors.ts";
import { toKind } from "./regular_file.ts";

/**
 * The real path of the folder.
 *
 * @throws {CodeIntelError} `io_failed` when there is none, or something else in its place.
 */
export async function openProjectFolder(dir: string): Promise<string> {
  const action = `open the project "${dir}"`;
  let info: Deno.FileInfo;
  try {
    info = await Deno.stat(dir);
    if (info.isDirectory) return await Deno.realPath(dir);
  } catch (cause) {
    if (cause instanceof Deno.errors.PermissionDenied) throw toIoError(action, cause);
    throw toRefusal(action, "no such folder", cause);
  }
  throw toRefusal(action, info.isFile ? "it is a file, not a folder" : toKind(info));
}

function toRefusal(action: string, reason: string, cause?: unknown): CodeIntelError {
  return new CodeIntelError("io_failed", `Cannot ${action}: ${reason}`, {
    hint: "Name an existing folder with --project DIR, or start in the project.",
    ...(cause === undefined ? {} : { cause }),
  });
}
