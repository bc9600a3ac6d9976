/**
 * When all files of a worktree are looked at, and when only those that a watch has heard of: every answer begins with a
 * look, so that it says nothing of a file that has changed since.
 */
import { isSameStamp } from "../base/files/file_stamp.ts";
import type { FileList } from "./scan/file_list.ts";
import type { FolderWatch } from "./scan/folder_watch.ts";
import type { Look, WorktreeState } from "./store/worktree_state.ts";

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
export function countUnknown({ scan, paths, before }: Look): number {
  const young = scan.changed.filter(({ path, stamp }) => {
    const record = before.get(path);
    return record !== undefined && isSameStamp(record, stamp);
  });
  return paths.length - young.length;
}

/** What looks are made with. */
export interface LooksParts {
  readonly state: WorktreeState;
  readonly list: FileList;
  readonly watch: FolderWatch;
  /** The present moment in milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Number of files from which a watch is used, default 200. */
  readonly watchedFrom?: number;
}

/** The looks of one worktree. */
export class Looks {
  readonly #parts: LooksParts;
  /** The look that has begun last, and the one that is to begin after it. */
  #current: Promise<Look> | null = null;
  #next: Promise<Look> | null = null;
  #lastLook: Look | null = null;
  #lookedAtAllMs = 0;
  /** News of the watch came late: in a project of few files looking is the faster way for a while. */
  #watchRestsUntilMs = 0;

  /** @param parts nothing is looked at or watched yet. */
  constructor(parts: LooksParts) {
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
