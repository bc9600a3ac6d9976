/**
 * Copies of single files below `.code-intel/backup/`, for what no snapshot has: files that git ignores. A person finds
 * them by their paths.
 */
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../base/files/atomic_write.ts";
import { CodeIntelError, makeIoError } from "../base/errors.ts";
import { checkOwnFile, makeOwnFolder, writeOwnFile } from "../base/files/own_folder.ts";
import { readRegularFile } from "../base/files/regular_file.ts";
import { LIMITS } from "../base/settings/limits.ts";

const MOST_BYTES = LIMITS.heldBytes.value;

/**
 * Copies files into a folder, each to its path there; a copy that is there already stays.
 *
 * @param options.within Folder that the files may not lie outside of.
 * @param options.maxBytes Larger files get no copy.
 * @returns whether there is a copy of any.
 */
export async function copyFiles(
  folder: string,
  files: readonly { readonly file: string; readonly path: string }[],
  { within, maxBytes = MOST_BYTES }: { readonly within: string; readonly maxBytes?: number },
): Promise<boolean> {
  let hasCopies = false;
  for (const { file, path } of files) {
    const reading = readRegularFile(file, { within, maxBytes: Math.min(maxBytes, MOST_BYTES) });
    if (reading.kind !== "read") continue;
    hasCopies = true;
    const copy = join(folder, path);
    checkOwnFile(copy);
    if (await Deno.lstat(copy).catch(() => null) !== null) continue;
    await makeOwnFolder(dirname(copy));
    const isExecutable = ((reading.mode ?? 0) & 0o111) !== 0;
    await writeOwnFile(copy, reading.bytes, { mode: isExecutable ? 0o700 : 0o600 });
  }
  return hasCopies;
}

/**
 * Writes a copy to its place in the project, whatever lies there.
 *
 * @throws {CodeIntelError} `io_failed` where the copy is gone or a link has taken the place of the folder.
 */
export async function placeCopy(
  copy: string,
  { projectRoot, path }: { readonly projectRoot: string; readonly path: string },
): Promise<void> {
  checkOwnFile(copy);
  const reading = readRegularFile(copy, { within: dirname(copy), maxBytes: MOST_BYTES });
  if (reading.kind !== "read") {
    throw new CodeIntelError("io_failed", `Cannot restore "${path}": no copy of it was kept`, {
      hint: "Put the file back yourself.",
    });
  }
  const target = join(projectRoot, path);
  const folder = dirname(target);
  await Deno.mkdir(folder, { recursive: true }).catch((cause) => {
    throw makeIoError(`restore "${path}"`, cause);
  });
  // Nothing may be written through a link that has taken the place of a folder.
  if (await Deno.realPath(folder) !== dirname(join(await Deno.realPath(projectRoot), path))) {
    throw new CodeIntelError(
      "io_failed",
      `Cannot restore "${path}": a link stands for its folder`,
      {
        hint: "Remove the link, then run the same command again.",
      },
    );
  }
  const info = await Deno.lstat(target).catch(() => null);
  if (info !== null && !info.isFile) await Deno.remove(target);
  const isExecutable = ((reading.mode ?? 0) & 0o100) !== 0;
  const present = info?.isFile === true ? info.mode : null;
  const isKept = present !== null && ((present & 0o111) !== 0) === isExecutable;
  const mode = isKept ? present : isExecutable ? 0o755 : 0o644;
  await writeFileAtomic(target, reading.bytes, { mode });
}
