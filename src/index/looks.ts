/**
 * When all files of a worktree are looked at, and when only those that a watch has heard of: every answer begins with a
 * look, so that it says nothing of a file that has changed since.
 */
import { dirname, join, relative } from "node:path";
import { isSameStamp, statIfThere } from "../base/files/file_stamp.ts";
import { checkOwnFile, checkOwnFolder, listOwnFolder } from "../base/files/own_folder.ts";
import type { FileList } from "./scan/file_list.ts";
import type { Look, WorktreeState } from "./store/worktree_state.ts";

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
    const { mtime } = statIfThere(path) ?? {};
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

// From here on a watch is quicker than a look at all files, which takes a millisecond for each 100 of them.
const WATCHED_FILES = 200;
// Below this a look takes few enough milliseconds that every answer can have its own where the watch is no help.
const MANY_FILES = 3_000;
const SETTLE_FEW_MS = 25;
const SETTLE_MANY_MS = 100;
// After news that came late the watch of a smaller project is left alone for so long.
const WATCH_REST_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
// A watch is relied on for so long; then all files are looked at once more.
const TRUST_MS = 30_000;
/** More changed files than this are not read within an answer, so that no answer waits for them. */
export const CHEAP_FILES = 100;

/**
 * Number of files of a look that are new, gone or look other than when they were read. The rest was read in the tick of
 * the clock in which it was written, or a clock that runs ahead wrote it: it is read again, and is nearly always the same.
 */
export function countUnread({ scan, paths, before }: Look): number {
  const young = scan.changed.filter(({ path, stamp }) => {
    const record = before.get(path);
    return record !== undefined && isSameStamp(record, stamp);
  });
  return paths.length - young.length;
}

/** What looks are made with. */
export interface ObservationQueueParts {
  readonly state: WorktreeState;
  readonly list: FileList;
  readonly watch: FolderWatch;
  /** The present moment in milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Number of files from which a watch is used, default 200. */
  readonly watchedFrom?: number;
}

/** The looks of one worktree. */
export class ObservationQueue {
  readonly #parts: ObservationQueueParts;
  /** The look that has begun last, and the one that is to begin after it. */
  #current: Promise<Look> | null = null;
  #next: Promise<Look> | null = null;
  #lastLook: Look | null = null;
  #lookedAtAllMs = 0;
  /** News of the watch came late: in a project of few files looking is the faster way for a while. */
  #watchRestsUntilMs = 0;

  /** @param parts nothing is looked at or watched yet. */
  constructor(parts: ObservationQueueParts) {
    this.#parts = parts;
  }

  /** Whether the last look found every file as the index has it; false before the first one. */
  get isClean(): boolean {
    return this.#lastLook?.paths.length === 0;
  }

  /** The files as they are now, compared with the index; answers that come at once share a look. */
  async read(): Promise<Look> {
    // A look that has begun may have passed what changed since; one that has not is shared.
    this.#next ??= this.#lookAfter(this.#current);
    return await this.#next;
  }

  async #lookAfter(current: Promise<unknown> | null): Promise<Look> {
    await current?.catch(() => {});
    this.#next = null;
    const looking = this.#lookNow();
    this.#current = looking;
    this.#lastLook = await looking;
    return this.#lastLook;
  }

  /** In large projects only what a watch has heard of is looked at, and now and then all. */
  async #lookNow(): Promise<Look> {
    const last = this.#lastLook;
    if (last === null || last.scan.unchanged <= (this.#parts.watchedFrom ?? WATCHED_FILES)) {
      return await this.#parts.state.look();
    }
    return await this.#lookAtChanges(last) ?? await this.#lookAtAll();
  }

  async #lookAtAll(): Promise<Look> {
    // Watched from before the look, so that nothing falls between the two.
    const { folders } = this.#parts.list;
    this.#parts.watch.start(folders);
    this.#lookedAtAllMs = this.#parts.nowMs();
    const look = await this.#parts.state.look();
    // A folder that is new since the last list is not watched: the next look is one at all files again.
    if (this.#parts.list.folders !== folders) this.#lookedAtAllMs = 0;
    return look;
  }

  /** Null where the watch cannot be relied on. */
  async #lookAtChanges(last: Look): Promise<Look | null> {
    const isMany = last.scan.unchanged > MANY_FILES;
    if (
      this.#parts.nowMs() - this.#lookedAtAllMs > TRUST_MS ||
      this.#watchRestsUntilMs > this.#parts.nowMs()
    ) {
      return null;
    }
    const state = await this.#parts.watch.settle(isMany ? SETTLE_MANY_MS : SETTLE_FEW_MS);
    const { changes } = this.#parts.watch;
    if (state === "late" && !isMany) this.#watchRestsUntilMs = this.#parts.nowMs() + WATCH_REST_MS;
    if (changes === null || state === "late") return null;
    if (state === "blind") {
      if (!isMany) return null;
      // Nobody can say whether more is on its way: all files once a second is the best that can be had.
      const isFresh = this.#parts.nowMs() - last.atMs < LOOK_EVERY_MS;
      return isFresh && last.paths.length === 0 && !this.#parts.watch.hasChanged ? last : null;
    }
    if (last.paths.length > CHEAP_FILES) return null;
    // What was not as the index has it may be by now.
    const paths = new Set([...changes, ...last.paths]);
    return await this.#parts.state.lookAgain(last, paths, { isQuiet: changes.size === 0 });
  }

  /** Ends the watch. */
  close(): void {
    this.#parts.watch.close();
  }
}
