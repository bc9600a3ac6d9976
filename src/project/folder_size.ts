/** Measures how much a folder holds, without following links. */
import { join } from "node:path";

/** Number of files and bytes below a path; for a file, the file itself. */
export interface FolderSize {
  readonly isThere: boolean;
  /** Number of files and links. */
  readonly count: number;
  readonly bytes: number;
}

/** Measures a folder or a file; what cannot be read counts as nothing. */
export async function measureFolder(path: string): Promise<FolderSize> {
  const info = await Deno.lstat(path).catch(() => null);
  if (info === null) return { isThere: false, count: 0, bytes: 0 };
  if (!info.isDirectory) return { isThere: true, count: 1, bytes: info.size };
  let [count, bytes] = [0, 0];
  const entries = await Array.fromAsync(Deno.readDir(path)).catch(() => []);
  for (const { name } of entries) {
    const inner = await measureFolder(join(path, name));
    count += inner.count;
    bytes += inner.bytes;
  }
  return { isThere: true, count, bytes };
}
