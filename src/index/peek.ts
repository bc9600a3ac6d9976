/**
 * Files that are read for one question: analysed as for the index, and kept in a database of their
 * own. It is in memory, and only while the question is answered. The same view asks it, so an
 * answer is what the index would say of these files.
 */
import { join } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import { readRegularFile } from "../base/files/regular_file.ts";
import type { Analyser, AnalysisJob } from "../analysis/analyser.ts";
import type { StoredContent } from "../analysis/record/content.ts";
import type { TemporaryIndex, TemporaryIndexOptions } from "./index_api.ts";
import { createView } from "./read/read_view.ts";
import { createSqliteSource } from "./read/sqlite_source.ts";
import type { IndexView } from "./read/view.ts";
import { hashContent } from "./scan/file_reader.ts";
import type { DiskEntry } from "./scan/scanner.ts";
import { isStill, readEntry } from "./scan/scanner.ts";
import { ContentWriter } from "./store/content_writer.ts";
import type { IndexDatabase } from "./store/database.ts";
import { IN_MEMORY, openDatabase } from "./store/database.ts";
import { FileTable, openWorktree } from "./store/file_table.ts";
import { chooseVariant } from "./store/variant.ts";

/** Chunks are of no interest to a question about names. */
const NO_CHUNKS = 0;
/** Nobody compares these files with the disk again. */
const NO_STAMP = { sizeBytes: 0, mtimeMs: 0, ctimeMs: 0, inode: 0, hashedAtMs: 0, skipped: null };

/** What a peek is made of. */
export interface PeekDeps {
  /** Absolute path of the project. */
  readonly root: string;
  readonly analyser: Analyser;
  /** What earlier peeks have analysed; default nothing. */
  readonly memory?: AnalysisMemory;
}

/** An empty peek; nothing is read before the first path. */
export function createTemporaryIndex(deps: PeekDeps): TemporaryIndex {
  return new OpenPeek(deps);
}

/** Analyses of the last peeks by content: who asks for a definition asks for its references next. */
export class AnalysisMemory {
  readonly #known = new Map<
    string,
    { readonly content: StoredContent; readonly sizeBytes: number }
  >();
  #bytes = 0;

  get(key: string): StoredContent | undefined {
    return this.#known.get(key)?.content;
  }

  /** Keeps an analysis in the place of the oldest ones. */
  put(key: string, content: StoredContent, sizeBytes: number): void {
    if (this.#known.has(key)) return;
    this.#known.set(key, { content, sizeBytes });
    this.#bytes += sizeBytes;
    for (const [oldest, { sizeBytes: size }] of this.#known) {
      if (this.#bytes <= LIMITS.peekMemoryMb.value * BYTES_PER_MB) break;
      this.#known.delete(oldest);
      this.#bytes -= size;
    }
  }

  /** Forgets everything: the index has the files now. */
  clear(): void {
    this.#known.clear();
    this.#bytes = 0;
  }
}

const BYTES_PER_MB = 1024 * 1024;

class OpenPeek implements TemporaryIndex {
  readonly #deps: PeekDeps;
  readonly #db: IndexDatabase;
  readonly #contents: ContentWriter;
  readonly #table: FileTable;
  readonly #worktree: number;
  readonly #seen = new Set<string>();
  /** How the files looked before they were read. */
  readonly #stamps = new Map<string, DiskEntry>();
  readonly #parsers = new Set<string>();
  #isClosed = false;
  #tooLarge = 0;
  #late = 0;

  constructor(deps: PeekDeps) {
    this.#deps = deps;
    this.#db = openDatabase(IN_MEMORY);
    const { writer } = this.#db;
    // One transaction for all that is written; it ends with the database.
    writer.begin();
    this.#worktree = openWorktree(writer, deps.root, 0);
    this.#contents = new ContentWriter(writer);
    this.#table = new FileTable(writer, this.#worktree);
  }

  get parsers(): ReadonlySet<string> {
    return this.#parsers;
  }

  get tooLarge(): number {
    return this.#tooLarge;
  }

  get late(): number {
    return this.#late;
  }

  findChanged(paths: readonly string[]): readonly string[] {
    return paths.filter((path) => {
      const seen = this.#stamps.get(path);
      return seen?.kind === "file" && !isStill(readEntry(join(this.#deps.root, path)), seen.stamp);
    });
  }

  async add(paths: readonly string[], { signal, endsAt }: TemporaryIndexOptions): Promise<void> {
    const fresh = paths.filter((path) => !this.#seen.has(path));
    const running = new Set<Promise<void>>();
    for (const path of fresh) {
      signal?.throwIfAborted();
      this.#seen.add(path);
      if (performance.now() >= endsAt) {
        this.#late++;
        continue;
      }
      const one = this.#read(path, signal).finally(() => running.delete(one));
      running.add(one);
      if (running.size >= this.#deps.analyser.concurrency) await Promise.race(running);
    }
    await Promise.all(running);
    signal?.throwIfAborted();
    await this.#contents.finish(() => {});
  }

  async addText(
    text: string,
    { path, language }: { readonly path: string; readonly language?: string },
  ): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    await this.#analyse({ bytes, path, ...(language === undefined ? {} : { language }) });
    await this.#contents.finish(() => {});
  }

  read<T>(query: (view: IndexView) => T): Promise<T> {
    return Promise.resolve(query(createView(createSqliteSource(this.#db.reader, this.#worktree))));
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#db.close();
  }

  async #read(path: string, signal: AbortSignal | undefined): Promise<void> {
    const { root } = this.#deps;
    const maxBytes = LIMITS.fileBytes.value;
    this.#stamps.set(path, readEntry(join(root, path)));
    const reading = readRegularFile(join(root, path), { within: root, maxBytes });
    if (reading.kind === "refused" && reading.why === "too_large") this.#tooLarge++;
    if (reading.kind === "read") await this.#analyse({ path, bytes: reading.bytes }, signal);
  }

  async #analyse(
    job: Omit<AnalysisJob, "chunkMaxTokens">,
    signal?: AbortSignal,
  ): Promise<void> {
    const { analyser, memory } = this.#deps;
    const end = signal === undefined ? {} : { signal };
    const file = { hash: hashContent(job.bytes), sizeBytes: job.bytes.length };
    const key = `${file.hash.toHex()} ${chooseVariant(job.path, NO_CHUNKS).key}`;
    const known = memory?.get(key);
    if (known !== undefined) return this.#put(job.path, { ...file, content: known });
    const full = { ...job, chunkMaxTokens: NO_CHUNKS };
    const result = await analyser.analyse(full, { isUrgent: true, ...end });
    // A thread may answer after the question was cancelled.
    if (result.kind === "failed" || this.#isClosed) return;
    const { content } = result;
    if (job.language === undefined) memory?.put(key, content, file.sizeBytes);
    this.#put(job.path, { ...file, content });
  }

  #put(
    path: string,
    { hash, sizeBytes, content }: {
      readonly hash: Uint8Array;
      readonly sizeBytes: number;
      readonly content: StoredContent;
    },
  ): void {
    const { key } = chooseVariant(path, NO_CHUNKS);
    const variant = this.#contents.variantOf(key, content.language);
    const blob = this.#contents.put({ hash, variant }, content, { sizeBytes });
    this.#table.put({ ...NO_STAMP, path, blob, variant: key });
    if (content.parser !== "none") this.#parsers.add(content.parser);
  }
}
