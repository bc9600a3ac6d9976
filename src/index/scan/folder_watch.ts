/**
 * Hears of changes in the folders of a large project, so that its files need not all be looked at before
 * every answer. News of a watch come late: {@link FolderWatch.settle} makes a change of its own and waits
 * for it, behind which no older one can still be on its way.
 */
import { dirname, join, relative } from "node:path";
import { lookIfThere } from "../../base/files/file_stamp.ts";
import { checkOwnFile, checkOwnFolder, listOwnFolder } from "../../base/files/own_folder.ts";

/** More folders than this are not watched: systems allow only so many. */
const MAX_FOLDERS = 4_000;
/** With more changes than this all files are looked at. */
const MAX_CHANGES = 1_000;
/**
 * Whether a mark can be made by touching the last one. Linux tells of a touch exactly once; elsewhere the news of an
 * earlier touch may come twice, and would be taken for the news of this one.
 */
const CAN_TOUCH = Deno.build.os === "linux";
/** A process that was killed left its mark behind; one that nobody touched for so long is removed. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000;

/** Where a watch makes its own changes; nothing else is written there. */
export interface WatchMarks {
  /** Absolute path of the folder; it is made when it is needed. */
  readonly folder: () => string | null;
}

interface Waiting {
  readonly path: string;
  readonly resolve: (hasCome: boolean) => void;
}

/** A watch over the folders of a list of files, none below them. */
export class FolderWatch {
  readonly #root: string;
  readonly #marks: WatchMarks | null;
  readonly #name = crypto.randomUUID().slice(0, 8);
  #watcher: Deno.FsWatcher | null = null;
  #folders = "";
  #marked: string | null = null;
  #turn = 0;
  /** The last mark, where all news of it have come. */
  #mark: string | null = null;
  #waiting: Waiting | null = null;
  #changed = new Set<string>();
  #hasTooMany = false;

  /** @param root absolute root of the project; nothing is watched yet. */
  constructor(root: string, marks: WatchMarks | null = null) {
    this.#root = root;
    this.#marks = marks;
  }

  /** Whether something changed since {@link start} was last called; true where nothing is watched. */
  get hasChanged(): boolean {
    return this.#watcher === null || this.#hasTooMany || this.#changed.size > 0;
  }

  /** Paths in the project of what changed since then; null where only a look can tell. */
  get changes(): ReadonlySet<string> | null {
    return this.#watcher === null || this.#hasTooMany ? null : this.#changed;
  }

  /** Watches folders, by absolute paths, none below them; what changed before counts no more. */
  start(folders: readonly string[]): void {
    const key = folders.join("\0");
    this.#changed = new Set();
    this.#hasTooMany = false;
    if (this.#watcher !== null && key === this.#folders) return;
    this.close();
    if (folders.length > MAX_FOLDERS) return;
    const marks = makeFolder(this.#marks?.folder() ?? null);
    try {
      // The runtime compares each change with one folder after the other, and most changes are marks.
      const all = marks === null ? [...folders] : [marks, ...folders];
      this.#watcher = Deno.watchFs(all, { recursive: false });
    } catch {
      // Too many watches, or a file system that has none: every look is a real one.
      return;
    }
    this.#folders = key;
    this.#marked = marks;
    void this.#listen(this.#watcher);
  }

  /**
   * Waits until every change that was made before this call is among {@link changes}.
   *
   * @param mostMs where news come later than this, looking is the faster way.
   * @returns `late` when the news took too long, `blind` where nothing is watched or written.
   */
  async settle(mostMs: number): Promise<"settled" | "late" | "blind"> {
    const folder = this.#marked;
    if (this.#watcher === null || folder === null) return "blind";
    if (this.#waiting !== null) return "late";
    const path = this.#makeMark(folder);
    if (path === null) return "blind";
    // News of the mark come in a later turn of the event loop.
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting = { path, resolve };
    const timer = setTimeout(() => resolve(false), mostMs);
    const hasCome = await promise && this.#watcher !== null;
    clearTimeout(timer);
    this.#waiting = null;
    if (hasCome && CAN_TOUCH) this.#mark = path;
    else removeMark(path);
    return hasCome ? "settled" : "late";
  }

  /** Ends the watch. */
  close(): void {
    this.#watcher?.close();
    this.#watcher = null;
    this.#marked = null;
    this.#waiting?.resolve(false);
    if (this.#mark !== null) removeMark(this.#mark);
    this.#mark = null;
  }

  /** Touches the last mark or makes another one; null where nothing can be written. */
  #makeMark(folder: string): string | null {
    const last = this.#mark;
    this.#mark = null;
    if (last !== null && touchMark(last)) return last;
    const path = join(folder, `${this.#name}-${++this.#turn}`);
    return writeMark(path) ? path : null;
  }

  async #listen(watcher: Deno.FsWatcher): Promise<void> {
    try {
      for await (const { kind, paths, flag } of watcher) {
        // The system forgot some of the news.
        if (flag === "rescan") this.#hasTooMany = true;
        if (kind !== "access") { for (const path of paths) this.#note(path); }
      }
    } catch {
      // A watch that broke says nothing any more.
    }
    if (this.#watcher === watcher) this.close();
  }

  #note(path: string): void {
    if (this.#marked !== null && dirname(path) === this.#marked) {
      if (this.#waiting?.path === path) this.#waiting.resolve(true);
      return;
    }
    if (this.#changed.size >= MAX_CHANGES) this.#hasTooMany = true;
    else this.#changed.add(relative(this.#root, path).replaceAll("\\", "/"));
  }
}

function makeFolder(path: string | null): string | null {
  if (path === null) return null;
  try {
    checkOwnFolder(path);
    Deno.mkdirSync(path, { recursive: true });
    void removeLeftBehind(path);
    return Deno.realPathSync(path);
  } catch {
    return null;
  }
}

async function removeLeftBehind(folder: string): Promise<void> {
  const beforeMs = Date.now() - LEFT_BEHIND_MS;
  for (const { name } of await listOwnFolder(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtime } = lookIfThere(path) ?? {};
    if ((mtime?.getTime() ?? Infinity) < beforeMs) removeMark(path);
  }
}

function writeMark(path: string): boolean {
  try {
    checkOwnFile(path);
    Deno.writeTextFileSync(path, "");
    return true;
  } catch {
    return false;
  }
}

function touchMark(path: string): boolean {
  try {
    checkOwnFile(path);
    const seconds = Date.now() / 1_000;
    Deno.utimeSync(path, seconds, seconds);
    return true;
  } catch {
    return false;
  }
}

function removeMark(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It could not be written either.
  }
}
