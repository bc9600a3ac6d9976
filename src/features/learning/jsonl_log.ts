/**
 * A log of one JSON object a line that is only appended to: locked against other processes, turned over
 * when it is full, each line written once. What a killed process left unfinished spoils its own line only.
 */
import { join } from "node:path";
import { readControlText } from "../../base/files/control_file.ts";
import { makeIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { withLock } from "../../base/processes/lock_file.ts";
import { appendOwnFile, checkOwnFile, makeOwnFolder } from "../../base/files/own_folder.ts";

/** Where a log lies and how its lines are read. */
export interface JsonlLogOptions<T> {
  /** Absolute path of the folder; it need not exist. */
  readonly folder: string;
  /** Name of the file without ending. */
  readonly name: string;
  /** Reads a parsed line; undefined for what is none. */
  readonly parse: (value: unknown) => T | undefined;
  /** The file is turned over when it is larger; default {@link LIMITS}. */
  readonly maxBytes?: number;
}

/** The lines of a log with what could not be read of it. */
export interface LogLines<T> {
  /** Oldest first. */
  readonly lines: readonly T[];
  /** Lines that are no line of this log; they count for nothing. */
  readonly damaged: number;
}

/** A line as the log needs it. */
export interface LogLine {
  /** What tells it from every other line of the log. */
  readonly recordId: string;
}

const NEWLINE = 10;

/** One log with the generation before it. */
export class JsonlLog<T extends LogLine> {
  readonly #options: JsonlLogOptions<T>;
  /** Lines that this process has seen in the log. */
  readonly #known = new Set<string>();

  /** @param options Where the log lies; nothing is read or written before the first call. */
  constructor(options: JsonlLogOptions<T>) {
    this.#options = options;
  }

  /** True for a line that this process knows to be in the log. */
  isKnown(recordId: string): boolean {
    return this.#known.has(recordId);
  }

  /**
   * True for a line that is in the log, whoever wrote it.
   *
   * @throws {CodeIntelError} `io_failed`.
   */
  async has(recordId: string): Promise<boolean> {
    if (this.#known.has(recordId)) return true;
    for (const path of [this.#toPath(), this.#toPreviousPath()]) {
      if (!hasLine(await readText(path), recordId)) continue;
      this.#known.add(recordId);
      return true;
    }
    return false;
  }

  /**
   * Adds a line unless one of the same `recordId` is there; true when it was added.
   *
   * @throws {CodeIntelError} `io_failed`, `disk_full`, `busy`; the log is then as it was.
   */
  async add(line: T): Promise<boolean> {
    const { folder } = this.#options;
    if (this.#known.has(line.recordId)) return false;
    return await withLogLock(folder, async () => {
      const texts = [await readText(this.#toPath()), await readText(this.#toPreviousPath())];
      const isThere = texts.some((text) => hasLine(text, line.recordId));
      if (!isThere) await this.#append(texts[0] ?? "", line);
      this.#known.add(line.recordId);
      return !isThere;
    });
  }

  async #append(present: string, line: T): Promise<void> {
    const path = this.#toPath();
    const maxBytes = this.#options.maxBytes ?? LIMITS.learningLogBytes.value;
    const isFull = new TextEncoder().encode(present).length >= maxBytes;
    try {
      for (const one of [path, this.#toPreviousPath()]) checkOwnFile(one);
      if (isFull) await Deno.rename(path, this.#toPreviousPath());
      const isTorn = !isFull && present !== "" &&
        present.charCodeAt(present.length - 1) !== NEWLINE;
      const bytes = new TextEncoder().encode(`${isTorn ? "\n" : ""}${JSON.stringify(line)}\n`);
      appendOwnFile(path, bytes, { sync: true });
    } catch (cause) {
      throw makeIoError(`write "${path}"`, cause);
    }
  }

  /**
   * All lines of both generations. A file that is turned over at the same moment is read twice at most;
   * such lines count once.
   */
  async read(): Promise<LogLines<T>> {
    const present = await readText(this.#toPath());
    const previous = await readText(this.#toPreviousPath());
    const lines = new Map<string, T>();
    let damaged = 0;
    for (const text of `${previous}\n${present}`.split("\n")) {
      if (text.trim() === "") continue;
      const line = this.#parse(text);
      if (line === undefined) damaged++;
      else if (!lines.has(line.recordId)) lines.set(line.recordId, line);
    }
    return { lines: [...lines.values()], damaged };
  }

  #parse(text: string): T | undefined {
    try {
      return this.#options.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  #toPath(): string {
    return join(this.#options.folder, `${this.#options.name}.jsonl`);
  }

  #toPreviousPath(): string {
    return join(this.#options.folder, `${this.#options.name}.1.jsonl`);
  }
}

/** Runs `action` while no other process writes what was learned. Not to be nested. */
export async function withLogLock<T>(folder: string, action: () => Promise<T>): Promise<T> {
  await makeOwnFolder(folder);
  return await withLock(join(folder, ".lock"), { timeoutMs: LIMITS.lockWaitMs.value }, action);
}

/** Ids are written by the program: letters, digits and underscores, which JSON leaves as they are. */
function hasLine(text: string, recordId: string): boolean {
  return text.includes(`"recordId":${JSON.stringify(recordId)}`);
}

/** A log that does not exist yet is an empty one. */
function readText(path: string): Promise<string> {
  return Promise.resolve(readControlText(path, "learning_log") ?? "");
}
