/**
 * The facts of one project that every question which follows names shares: the module map of its build files, what was
 * read from the index, and the texts of files. One store serves references and impact, so that both say the same of a
 * place. It reads files of the project; it decides nothing.
 */
import { join } from "node:path";
import type { StoredFiles } from "../base/files/source_text.ts";
import { readProjectSource, readSourceText } from "../base/files/source_text.ts";
import type { FileStamp } from "../base/files/file_stamp.ts";
import { isSameStamp, wasOldAt } from "../base/files/file_stamp.ts";
import { readEntry } from "../index/scan/scanner.ts";
import type { ListedFiles, ReadIndex, TemporaryIndex } from "../index/index_api.ts";
import type { IndexView, SymbolHit } from "../index/read/view.ts";
import { FactCache, IndexFacts } from "./index_facts.ts";
import type { ListFiles } from "../backends/live_context.ts";
import type { ProofSource, ProvenPlaces } from "./proven_places.ts";
import type { ModuleMap } from "./modules/module_map.ts";
import { ProjectModules } from "./modules/project_modules.ts";

interface Known {
  readonly stamp: FileStamp;
  /** Before the file was read, in milliseconds since 1970. */
  readonly readAtMs: number;
  readonly lines: readonly string[];
}

/** Characters that are kept; beyond them everything is forgotten, since the next question is often about other files. */
const MAX_CHARS = 4_000_000;

/** Reads lines of the files of one project. */
export class LineCache {
  readonly #root: string;
  readonly #known = new Map<string, Known>();
  #chars = 0;

  /** @param projectRoot absolute path. */
  constructor(projectRoot: string) {
    this.#root = projectRoot;
  }

  /** The lines of a file as they are now; none where it is binary, gone, too large or not to be read. */
  async read(path: string): Promise<readonly string[]> {
    const entry = readEntry(join(this.#root, path));
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

/** Texts that are read in one round (guessed: some 30 ms). */
const TEXTS_A_ROUND = 400;
/** A text may lead to a variable of another file, whose text is read in the next round. */
const MAX_ROUNDS = 3;

/** Opens the facts of a question over one state of the index. */
export type OpenFacts = (removed?: readonly SymbolHit[]) => IndexFacts;

/** What a store reads from. */
export interface FactSources {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  readonly listFiles: ListFiles;
  /** The files themselves, where no folder has them. */
  readonly stored?: StoredFiles;
  /** The files as the last look at the index saw them, for questions that come right after it; default `listFiles`. */
  readonly looked?: () => Promise<ListedFiles | null>;
  readonly index: ReadIndex;
  /** What index files of the languages' own indexers prove; absent where nobody looks for them. */
  readonly proofs?: ProofSource;
  /** Where modules lead; default what the build files of the project say. */
  readonly modules?: () => ModuleMap;
  /** Where a file of an answer lies, where not all of them are of the project. */
  readonly toPlace?: (path: string) => { readonly root: string; readonly path: string };
}

/** What a question may say beside itself. */
export interface AskOptions {
  /** Files that are not there any more and whose imports still count. */
  readonly gone?: readonly string[];
  /** Ends the work when the client cancels. */
  readonly signal?: AbortSignal;
}

/** Answers questions with shared facts; they are read once for each state of the index. */
export class FactStore {
  readonly #context: FactSources;
  readonly #modules: ProjectModules;
  readonly #memory = new FactCache();
  readonly #lines: LineCache;

  /** @param shared what does not depend on the index, of another store of the project. */
  constructor(context: FactSources, shared?: FactStore) {
    this.#context = context;
    const { projectRoot } = context;
    this.#lines = shared === undefined ? new LineCache(projectRoot) : shared.#lines;
    this.#modules = shared === undefined ? new ProjectModules(projectRoot) : shared.#modules;
  }

  /**
   * The facts of files that were read for one question; what the build files say, and the lines, are the same. Proofs
   * are stated in terms of the index, and are not asked.
   */
  over(peek: TemporaryIndex): FactStore {
    const { projectRoot, listFiles } = this.#context;
    return new FactStore({ projectRoot, listFiles, index: peek }, this);
  }

  /**
   * Runs `work` over the index, and again as long as it asked for texts that were not read yet. The last answer
   * is the one that counts.
   */
  async ask<T>(
    work: (view: IndexView, open: OpenFacts) => T,
    { gone = [], signal }: AskOptions = {},
  ): Promise<T> {
    const { index } = this.#context;
    const modules = await this.#loadModules({ gone, ...(signal === undefined ? {} : { signal }) });
    const proof = await this.#context.proofs?.load(modules) ?? null;
    const memory = this.#memory;
    memory.trim();
    for (let round = 1;; round++) {
      const opened: IndexFacts[] = [];
      const answer = await index.read((view) =>
        work(view, (removed = []) => {
          const facts = new IndexFacts({ view, memory, modules, removed, proof });
          opened.push(facts);
          return facts;
        })
      );
      const unread = opened.flatMap((facts) => [...facts.unread]).slice(0, TEXTS_A_ROUND);
      if (unread.length === 0 || round === MAX_ROUNDS) return answer;
      signal?.throwIfAborted();
      await Promise.all(unread.map((path) => this.#readText(path)));
    }
  }

  /** The lines of a file as they are now; none where it cannot be read as text. */
  async readLines(path: string): Promise<readonly string[]> {
    const { stored } = this.#context;
    if (stored === undefined) return await this.#lines.read(path);
    return (await readProjectSource(this.#context, path) ?? "").split(/\r?\n/);
  }

  /** What indexers of the languages proved of the files that the index saw last; null where there is nothing. */
  async readProof(): Promise<ProvenPlaces | null> {
    const { proofs } = this.#context;
    if (proofs === undefined) return null;
    return (await proofs.load(await this.#loadModules({})))?.places ?? null;
  }

  /** Why proofs that are there were not used for the last answer, in sentences. */
  toNotices(): readonly string[] {
    return this.#context.proofs?.toNotices() ?? [];
  }

  async #loadModules({ gone = [], signal }: AskOptions): Promise<ModuleMap> {
    const { looked, listFiles, modules, stored } = this.#context;
    if (modules !== undefined) return modules();
    const known = await looked?.() ?? null;
    const listed = known?.files ?? await listFiles(signal === undefined ? {} : { signal });
    if (stored !== undefined) {
      return await this.#modules.loadStored(
        listed,
        known,
        (path) => readProjectSource(this.#context, path),
      );
    }
    return gone.length === 0
      ? this.#modules.load(listed, known)
      : this.#modules.load([...listed, ...gone]);
  }

  async #readText(path: string): Promise<void> {
    if (this.#memory.texts.has(path)) return;
    const { projectRoot: root, toPlace = (own) => ({ root, path: own }), stored } = this.#context;
    const place = toPlace(path);
    const text = stored === undefined
      ? await readSourceText(place.root, place.path)
      : await readProjectSource(this.#context, path);
    this.#memory.addText(path, text ?? "");
  }
}
