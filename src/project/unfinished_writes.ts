/**
 * Finds temporary files beside the files of a set-up that killed processes left: each write goes
 * through such a file.
 */
import { basename, dirname, join } from "node:path";
import { isTemporaryEnding } from "../base/files/atomic_write.ts";

/** Absolute paths of the unfinished writes of files, whether the files exist or not. */
export async function listUnfinishedWrites(
  absolutePaths: readonly string[],
  { olderThanMs = 0 }: { readonly olderThanMs?: number } = {},
): Promise<readonly string[]> {
  const byFolder = Map.groupBy(absolutePaths, (path) => dirname(path));
  const found: string[] = [];
  for (const [folder, paths] of byFolder) {
    const names = paths.map((path) => basename(path));
    for (const name of await listNames(folder)) {
      const isOurs = names.some((own) =>
        name.startsWith(own) && isTemporaryEnding(name.slice(own.length))
      );
      if (isOurs && await isOlder(join(folder, name), olderThanMs)) found.push(join(folder, name));
    }
  }
  return found.sort();
}

/** Removes them; one that cannot be removed is left. */
export async function removeUnfinishedWrites(
  absolutePaths: readonly string[],
  options: { readonly olderThanMs?: number } = {},
): Promise<void> {
  for (const path of await listUnfinishedWrites(absolutePaths, options)) {
    await Deno.remove(path).catch(() => {});
  }
}

async function listNames(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) if (isFile) names.push(name);
  } catch {
    // A folder that does not exist has none.
  }
  return names;
}

async function isOlder(path: string, ageMs: number): Promise<boolean> {
  if (ageMs === 0) return true;
  const info = await Deno.lstat(path).catch(() => null);
  return info !== null && (info.mtime?.getTime() ?? 0) <= Date.now() - ageMs;
}
