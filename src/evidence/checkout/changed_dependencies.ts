/**
 * Finds files that git ignores, such as installed dependencies, that were made or changed since a session began: nothing else looks at them, and
 * runs read them.
 */
import { basename, join } from "node:path";
import { LIMITS } from "../../base/settings/limits.ts";
import { CACHE_FOLDERS } from "../../runners/runners.ts";

/** What changed below one folder, or of one file. */
export interface ChangedDependencies {
  /** The folder or the file, relative to the worktree. */
  readonly folder: string;
  /** Number of files and links. */
  readonly files: number;
  /** The first of them, relative to the worktree. */
  readonly examples: readonly string[];
}

/** Where and from when on. */
export interface DependencyQuery {
  readonly worktree: string;
  /** Folders of dependencies, and files, relative to the worktree. */
  readonly folders: readonly string[];
  /** Times in milliseconds: changes between them count, without both ends. */
  readonly after: number;
  readonly before: number;
}

/** Folders that builds and test runs write into all the time, and nobody installs. */
const CACHES = new RegExp(
  String
    .raw`^(?:\.cache|\.vite\w*|\.bin-cache|__pycache__|\.mypy_cache|\.ruff_cache|\.turbo|\.nyc_output|coverage|target|\.dart_tool|elm-stuff|_build|${CACHE_FOLDERS})$|\.(?:pyc|tsbuildinfo)$`,
);

/** Whether a folder or a file of this name is such a one. */
export function isCache(name: string): boolean {
  return CACHES.test(name);
}

const MOST_EXAMPLES = 3;
/** Entries between two pauses, in which the server answers others (guessed). */
const BATCH = 2_000;
const SECOND_MS = 1_000;

/**
 * Compares the times of each entry with the two times. Links are not followed; what lies beyond the bound is not
 * looked at.
 */
export async function findChangedDependencies(
  places: DependencyQuery,
): Promise<readonly ChangedDependencies[]> {
  const found: ChangedDependencies[] = [];
  let left = LIMITS.dependencyEntries.value;
  for (const folder of places.folders) {
    if (isCache(basename(folder))) continue;
    const changed: string[] = isChangedFile(places, folder) ? [folder] : [];
    const pending = changed.length > 0 ? [] : [folder];
    for (let at = 0; at < pending.length && left > 0;) {
      const until = left - BATCH;
      while (at < pending.length && left > Math.max(0, until)) {
        left -= scanFolder(places, pending[at++] ?? "", { pending, changed });
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    if (changed.length === 0) continue;
    found.push({ folder, files: changed.length, examples: changed.slice(0, MOST_EXAMPLES) });
  }
  return found;
}

/** Whether a path is a file or a link that was changed; what is a folder or not there is not. */
function isChangedFile(places: DependencyQuery, path: string): boolean {
  try {
    const info = Deno.lstatSync(join(places.worktree, path));
    return !info.isDirectory && isBetween(info, places);
  } catch {
    return false;
  }
}

/**
 * Whether the content was written between two times. The time of the last change of an entry cannot be set, but the
 * runtime gives it in whole seconds; that of the content is exact and can be set.
 */
function isBetween(
  { mtime, ctime }: Deno.FileInfo,
  { after, before }: Pick<DependencyQuery, "after" | "before">,
): boolean {
  const [written, second] = [mtime?.getTime() ?? 0, ctime?.getTime() ?? 0];
  const isLater = second > after || (written > after && second + SECOND_MS > after);
  return isLater && (second + SECOND_MS <= before || written < before);
}

/** Synchronous, because one look takes microseconds and there are many. Returns the number of entries. */
function scanFolder(
  { worktree, after, before }: DependencyQuery,
  folder: string,
  lists: { readonly pending: string[]; readonly changed: string[] },
): number {
  let entries = 0;
  try {
    for (const entry of Deno.readDirSync(join(worktree, folder))) {
      entries++;
      if (isCache(entry.name)) continue;
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) {
        lists.pending.push(path);
        continue;
      }
      if (isBetween(Deno.lstatSync(join(worktree, path)), { after, before })) {
        lists.changed.push(path);
      }
    }
  } catch {
    // What goes away meanwhile is not read by the run either.
  }
  return entries + 1;
}
