/** The lines of files that answers show, kept while their files look the same on disk. */
import { join } from "node:path";
import { readSourceText } from "../../base/files/source_text.ts";
import type { FileStamp } from "../../base/files/file_stamp.ts";
import { isSameStamp, wasOldAt } from "../../base/files/file_stamp.ts";
import { lookAt } from "../../index/scan/file_stamp.ts";

interface Known {
  readonly stamp: FileStamp;
  /** Before the file was read, in milliseconds since 1970. */
  readonly readAtMs: number;
  readonly lines: readonly string[];
}

/** Characters that are kept; beyond them everything is forgotten, since the next question is often about other files. */
const MAX_CHARS = 4_000_000;

/** Reads lines of the files of one project. */
export class LineMemory {
  readonly #root: string;
  readonly #known = new Map<string, Known>();
  #chars = 0;

  /** @param projectRoot absolute path. */
  constructor(projectRoot: string) {
    this.#root = projectRoot;
  }

  /** The lines of a file as they are now; none where it is binary, gone, too large or not to be read. */
  async read(path: string): Promise<readonly string[]> {
    const entry = lookAt(join(this.#root, path));
    if (entry.kind !== "file") return [];
    const known = this.#known.get(path);
    const isSame = known !== undefined && isSameStamp(known.stamp, entry.stamp);
    // A file that was read in the tick of the clock in which it changed may have changed once more since.
    if (isSame && wasOldAt(known.stamp, known.readAtMs)) return known.lines;
    const readAtMs = Date.now();
    const text = await readSourceText(this.#root, path) ?? "";
    const lines = text.split(/\r?\n/);
    if (this.#chars + text.length > MAX_CHARS) this.#forget();
    this.#chars += text.length;
    this.#known.set(path, { stamp: entry.stamp, readAtMs, lines });
    return lines;
  }

  #forget(): void {
    this.#known.clear();
    this.#chars = 0;
  }
}
