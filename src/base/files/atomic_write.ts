/** Writes a file so that a reader or a crash sees the old content or the new, never a mixture. */
import process from "node:process";
import { dirname, join } from "node:path";
import { makeIoError } from "../errors.ts";
import { withFile } from "./open_file.ts";

const NAME = /\.(?:(\d+)-)?[0-9a-f]{8}\.tmp$/;
/** A process of another machine may be writing into the same folder, where its number says nothing. */
const ELSEWHERE_MS = 10_000;
/** Names of older versions have no number: no write takes so long. */
const UNNUMBERED_MS = 600_000;
const LOOK_EVERY_MS = 60_000;

const looked = new Map<string, number>();

/** A new path beside the one of a file. */
export function buildTemporaryPath(path: string): string {
  return `${path}.${Deno.pid}-${crypto.randomUUID().slice(0, 8)}.tmp`;
}

/** The part that {@link buildTemporaryPath} adds to a name, also as older versions did. */
export function isTemporaryEnding(ending: string): boolean {
  return NAME.exec(ending)?.index === 0;
}

/**
 * Removes what ended processes left in a folder of the program; looks at most once a minute, and never fails.
 *
 * @param nowMs present moment in milliseconds since 1970.
 */
export async function removeLeftTemporaries(folder: string, nowMs = Date.now()): Promise<void> {
  if (nowMs - (looked.get(folder) ?? -Infinity) < LOOK_EVERY_MS) return;
  looked.set(folder, nowMs);
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      const [found, owner] = NAME.exec(name) ?? [];
      if (!isFile || found === undefined) continue;
      const path = join(folder, name);
      const { mtime } = await Deno.lstat(path);
      const ageMs = nowMs - (mtime?.getTime() ?? nowMs);
      const isLeft = owner === undefined
        ? ageMs > UNNUMBERED_MS
        : ageMs > ELSEWHERE_MS && !isAlive(Number(owner));
      if (isLeft) await Deno.remove(path);
    }
  } catch {
    // What is left after a failure is looked for again by the next one.
  }
}

/** A process of another account lives too: the system only refuses to signal it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return (failure as { readonly code?: unknown }).code !== "ESRCH";
  }
}

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
  const temporary = buildTemporaryPath(path);
  try {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    await writeAndSync(temporary, bytes, options.mode ?? 0o644);
    await Deno.rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    await Deno.remove(temporary).catch(() => {});
    throw makeIoError(`write "${path}"`, cause);
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
