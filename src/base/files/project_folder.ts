/** Opens the folder that somebody names as the project. */
import { CodeIntelError, makeIoError } from "../errors.ts";
import { dirname, isAbsolute, join, relative } from "node:path";
import { describeFileKind, isInFolder } from "./regular_file.ts";

/** How the user named the folder, in the words of a failure. */
export interface FolderMessage {
  /** What cannot be done with it: `open the project`. */
  readonly action: string;
  /** The next step. */
  readonly hint: string;
}

const AS_PROJECT: FolderMessage = {
  action: "open the project",
  hint: "Name an existing folder with --project DIR, or start in the project.",
};

/**
 * The real path of the folder.
 *
 * @param words default those of the option `--project`.
 * @throws {CodeIntelError} `io_failed` when there is none, or something else in its place.
 */
export async function openProjectFolder(
  dir: string,
  words: FolderMessage = AS_PROJECT,
): Promise<string> {
  const action = `${words.action} "${dir}"`;
  const { hint } = words;
  let info: Deno.FileInfo;
  try {
    info = await Deno.stat(dir);
    if (info.isDirectory) return await Deno.realPath(dir);
  } catch (cause) {
    if (cause instanceof Deno.errors.PermissionDenied) throw makeIoError(action, cause);
    throw makeFolderError({ action, hint }, "no such folder", cause);
  }
  throw makeFolderError(
    { action, hint },
    info.isFile ? "it is a file, not a folder" : describeFileKind(info),
  );
}

function makeFolderError(
  { action, hint }: FolderMessage,
  reason: string,
  cause?: unknown,
): CodeIntelError {
  return new CodeIntelError("io_failed", `Cannot ${action}: ${reason}`, {
    hint,
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * An absolute path that leads into a folder by a symbolic link above it, as the folder calls it: who works in
 * `/link` names `/link/a.ts`. Every other path stays as it is.
 *
 * @param root real path of the folder.
 */
export function resolveLinkAbove(root: string, path: string): string {
  if (!isAbsolute(path) || isInFolder(path, root) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) {
    return path;
  }
  let found = path;
  for (let above = path; dirname(above) !== above; above = dirname(above)) {
    try {
      const real = Deno.realPathSync(above);
      if (isInFolder(real, root)) found = join(real, relative(above, path));
    } catch {
      // A file that is not there yet has a folder that is.
    }
  }
  return found;
}
