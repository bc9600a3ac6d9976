/**
 * Hears of changes in the folders of a large project, so that its files need not all be looked at before
 * every answer. It only ever says "look again": where it cannot watch, or hears too late, the regular
 * look finds the change.
 */
import { join } from "node:path";

/** More folders than this are not watched: systems allow only so many. */
const MAX_FOLDERS = 4_000;

/** A watch over the folders of a list of files, none below them. */
export class FolderWatch {
  readonly #root: string;
  #watcher: Deno.FsWatcher | null = null;
  #folders = "";
  #hasChanged = false;

  /** @param root absolute root of the project; nothing is watched yet. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Whether something changed since {@link start} was last called; true where nothing is watched. */
  get hasChanged(): boolean {
    return this.#watcher === null || this.#hasChanged;
  }

  /** Watches the folders of these files; what changed before counts no more. */
  start(paths: Iterable<string>): void {
    const folders = [...toFolders(paths)];
    const key = folders.join("\0");
    this.#hasChanged = false;
    if (this.#watcher !== null && key === this.#folders) return;
    this.close();
    if (folders.length > MAX_FOLDERS) return;
    try {
      const absolute = folders.map((folder) => join(this.#root, folder));
      this.#watcher = Deno.watchFs(absolute, { recursive: false });
    } catch {
      // Too many watches, or a file system that has none: every look is a real one.
      return;
    }
    this.#folders = key;
    void this.#listen(this.#watcher);
  }

  /** Ends the watch. */
  close(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  async #listen(watcher: Deno.FsWatcher): Promise<void> {
    try {
      for await (const { kind } of watcher) if (kind !== "access") this.#hasChanged = true;
    } catch {
      // A watch that broke says nothing any more.
    }
    if (this.#watcher === watcher) this.close();
  }
}

function toFolders(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>([""]);
  for (const path of paths) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
