/** Writes a file so that a reader or a crash sees the old content or the new, never a mixture. */
import { dirname } from "node:path";
import { toIoError } from "../errors.ts";
import { withFile } from "./open_file.ts";
import { toTemporaryPath } from "./temporary.ts";

/** How a file is written. */
export interface AtomicWriteOptions {
  /** Permission bits of a new file, default 0o644. */
  readonly mode?: number;
}

/**
 * Writes `data` to `path`: temporary file beside it, fsync, rename, fsync of the folder.
 *
 * @throws {CodeIntelError} `disk_full` or `io_failed`; the file is then as it was before.
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const temporary = toTemporaryPath(path);
  try {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    await writeAndSync(temporary, bytes, options.mode ?? 0o644);
    await Deno.rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    await Deno.remove(temporary).catch(() => {});
    throw toIoError(`write "${path}"`, cause);
  }
}

async function writeAndSync(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  await withFile(path, { write: true, createNew: true, mode }, async (file) => {
    let offset = 0;
    while (offset < bytes.length) offset += await file.write(bytes.subarray(offset));
    await file.sync();
  });
}

async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return; // Folders cannot be opened there; the rename is durable enough.
  await withFile(path, { read: true }, (folder) => folder.sync());
}
