/** The files of a project by name and folder, so that a path that is known only by its end is found. Pure. */
import { dirname } from "node:path/posix";

/** Finds files and folders of one list of paths. */
export class PathIndex {
  readonly #paths: ReadonlySet<string>;
  readonly #byName = new Map<string, string[]>();
  readonly #folders = new Map<string, string[]>();
  readonly #foldersByName = new Map<string, string[]>();

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    for (const path of paths) {
      push(this.#byName, toName(path), path);
      push(this.#folders, dirname(path), path);
    }
    for (const folder of this.#folders.keys()) push(this.#foldersByName, toName(folder), folder);
  }

  /** Whether the project has the file. */
  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** The first of some paths that exists. */
  first(paths: readonly string[]): string | undefined {
    return paths.find((path) => this.#paths.has(path));
  }

  /** The files that lie in a folder itself. */
  inFolder(folder: string): readonly string[] {
    return this.#folders.get(folder) ?? [];
  }

  /** Files whose path is or ends with one of `ends`. */
  allEndingWith(ends: readonly string[]): readonly string[] {
    return ends.flatMap((end) =>
      (this.#byName.get(toName(end)) ?? [])
        .filter((path) => path === end || path.endsWith(`/${end}`))
    );
  }

  /** The file whose path is or ends with one of `ends`; of several the nearest to `from`. */
  endingWith(ends: readonly string[], from: string): string | undefined {
    return toNearest(this.allEndingWith(ends), from);
  }

  /** The folders whose path is or ends with `end`. */
  foldersEndingWith(end: string): readonly string[] {
    return (this.#foldersByName.get(toName(end)) ?? [])
      .filter((folder) => folder === end || folder.endsWith(`/${end}`));
  }
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function toName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The path that shares most folders with `from`; the first of equals. */
function toNearest(paths: readonly string[], from: string): string | undefined {
  let best: string | undefined;
  let bestShared = -1;
  for (const path of paths) {
    const shared = countShared(path, from);
    if (shared > bestShared) [best, bestShared] = [path, shared];
  }
  return best;
}

function countShared(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  let count = 0;
  while (count < left.length - 1 && left[count] === right[count]) count++;
  return count;
}
