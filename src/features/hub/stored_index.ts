/**
 * The index of one repository of a hub, as the questions of a project ask it. It is read alone: what is new comes by the
 * hub's jobs. Each question sees one state of the repository, and is asked once more where the connection was lost.
 */
import type {
  LineQuery,
  PackedText,
  StoredFiles,
  StoredSearch,
} from "../../base/files/source_text.ts";
import { comparePaths } from "../../backends/text_query.ts";
import { listNeededWords } from "./needed_words.ts";
import type { SearchBudget } from "./search_budget.ts";
import type { SourceOwner, SourceReader } from "./source_reader.ts";
import { CodeIntelError } from "../../base/errors.ts";
import type { CodeIndex, Freshness, ListedFiles } from "../../index/index_api.ts";
import type { IndexView } from "../../index/read/view.ts";
import { createPostgresSource } from "./postgres/postgres_source.ts";
import { createView } from "../../index/read/read_view.ts";
import type { HubRepository, HubStore } from "./hub_store.ts";
import { withBatches } from "./batched_view.ts";

/** A search needs so much. */
export interface SearchParts {
  readonly sources: SourceReader;
  readonly repository: SourceOwner;
  readonly budget: SearchBudget;
}

/** Begins a search. */
export function openSearch(
  { sources, repository, budget }: SearchParts,
  paths: readonly string[],
  query: LineQuery,
): StoredSearch {
  const { sizes, unkept } = sources.listTexts(repository, listNeededWords(query));
  const wanted = paths.filter((path) => sizes.has(path)).sort(comparePaths);
  const keyOf = (path: string) => `${repository.id}\0${path}`;
  let at = 0;
  const next = (): readonly PackedText[] => {
    const part: string[] = [];
    for (let bytes = 0; at < wanted.length && bytes < budget.bounds.partBytes;) {
      const path = wanted[at] ?? "";
      const size = sizes.get(path) ?? 0;
      if (!budget.allow(keyOf(path), size)) break;
      part.push(path);
      bytes += size;
      at++;
    }
    const unread = part.filter((path) => budget.get(keyOf(path)) === undefined);
    if (unread.length > 0) {
      for (const text of sources.readPacked(repository, unread)) {
        budget.keep(keyOf(text.path), text);
      }
    }
    return part.flatMap((path) => budget.get(keyOf(path)) ?? []);
  };
  return {
    timeoutMs: budget.bounds.partMs,
    next,
    toNotices: () => [
      ...toCutNotice(wanted, at, budget),
      ...toUnkeptNotice(paths.filter((path) => unkept.has(path)).length),
    ],
  };
}

function toCutNotice(
  wanted: readonly string[],
  at: number,
  { bounds }: SearchBudget,
): readonly string[] {
  const left = wanted.length - at;
  if (left === 0) return [];
  return [
    `${left} of ${wanted.length} files were not searched, from "${
      wanted[at]
    }" on: a call searches ${bounds.bytes} bytes in ${bounds.ms} ms at most. Totals are those of the files before; name a folder, globs or a file_type.`,
  ];
}

function toUnkeptNotice(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    `${count} large, minified or generated ${
      count === 1 ? "file was" : "files were"
    } not searched: a hub keeps no text of them.`,
  ];
}

/** Of a larger repository it is not asked which files define which names: a million rows would take seconds. */
const MOST_FILES = 10_000;

/** The index of a repository, with its files. */
export class StoredIndex implements CodeIndex {
  readonly #store: HubStore;
  readonly #name: string;
  /** The list of the files of one revision. */
  #looked: (ListedFiles & { readonly version: number }) | null = null;
  /** What one state was asked with, with what it said so far. */
  #view: { readonly state: number; readonly view: IndexView } | null = null;
  #wanted: Map<string, PromiseWithResolvers<Uint8Array | null>> | null = null;

  constructor(store: HubStore, name: string) {
    this.#store = store;
    this.#name = name;
  }

  /** The texts of the files, as far as they are indexed. */
  get files(): StoredFiles {
    return {
      find: (path) => Promise.resolve(this.#find(path)),
      read: (path) => this.#read(path),
      search: async (paths, query) => {
        await Promise.resolve();
        const { sources, budget } = this.#store;
        return openSearch({ sources, budget, repository: this.repository }, paths, query);
      },
    };
  }

  /** Files that are asked for in one turn are read by one statement. */
  #read(path: string): Promise<Uint8Array | null> {
    if (this.#wanted === null) {
      this.#wanted = new Map();
      queueMicrotask(() => this.#readWanted());
    }
    const asked = this.#wanted.get(path) ?? Promise.withResolvers<Uint8Array | null>();
    this.#wanted.set(path, asked);
    return asked.promise;
  }

  #readWanted(): void {
    const wanted = this.#wanted ?? new Map();
    this.#wanted = null;
    try {
      const found = this.#store.sources.read(this.repository, [...wanted.keys()]);
      for (const [path, { resolve }] of wanted) resolve(found.get(path) ?? null);
    } catch (error) {
      for (const { reject } of wanted.values()) reject(error);
    }
  }

  async read<T>(query: (view: IndexView) => T): Promise<T> {
    await Promise.resolve();
    const { link } = this.#store;
    return link.snapshot(() => {
      const { state } = this.#store;
      if (state !== null && this.#view?.state === state) return query(this.#view.view);
      const repository = this.repository;
      const plain = createView(createPostgresSource(link, repository.id, repository));
      const files = this.#looked?.version === repository.revision ? this.#looked.files : [];
      const view = withBatches(plain, { files, listDefiners: () => this.#listDefiners() });
      if (state !== null) this.#view = { state, view };
      return query(view);
    });
  }

  async ensureFresh(): Promise<Freshness> {
    await Promise.resolve();
    const { files, chunks, indexedAt } = this.repository;
    return {
      files,
      pending: [],
      pendingTotal: 0,
      chunks,
      embedded: 0,
      ready: "lexical",
      vectorsLeft: 0,
      checkedAt: indexedAt ?? "",
      revision: 0,
    };
  }

  findChanged(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  async listFiles(): Promise<readonly string[]> {
    return (await this.looked()).files;
  }

  async looked(): Promise<ListedFiles> {
    await Promise.resolve();
    const { revision: version, id } = this.repository;
    if (this.#looked?.version === version) return this.#looked;
    const rows = this.#store.link.all(
      `SELECT path.path FROM files AS file JOIN paths AS path ON path.id = file.path
        WHERE file.worktree = ? ORDER BY path.path`,
      id,
    );
    const files = rows.map((row) => String(row["path"]));
    const held = new Set(files);
    return this.#looked = { files, version, holds: (path) => held.has(path) };
  }

  async status(): ReturnType<CodeIndex["status"]> {
    return await this.read((view) => ({
      path: "",
      sizeBytes: 0,
      counts: view.count(),
      skipped: view.listSkipped(),
      syncedAtMs: null,
      isSyncing: false,
      vectors: null,
      embeddingProcess: null,
    }));
  }

  meaning(): Promise<null> {
    return Promise.resolve(null);
  }

  hold(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }

  rest(): void {
    // The database is another process.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  sync(): Promise<never> {
    return refuse();
  }

  peek(): Promise<never> {
    return refuse();
  }

  listContents(): Promise<never> {
    return refuse();
  }

  readRecords(): Promise<never> {
    return refuse();
  }

  #find(path: string): "file" | "folder" | null {
    const { id } = this.repository;
    const row = this.#store.link.get(
      `SELECT path.path FROM paths AS path JOIN files AS file ON file.path = path.id
        WHERE file.worktree = ? AND (path.path = ? OR path.path > ? AND path.path < ?)
        ORDER BY path.path LIMIT 1`,
      id,
      path,
      `${path}/`,
      `${path}0`,
    );
    return row === undefined ? null : row["path"] === path ? "file" : "folder";
  }

  #listDefiners(): ReadonlyMap<string, readonly string[]> | null {
    const { id, files } = this.repository;
    if (files > MOST_FILES) return null;
    const rows = this.#store.link.all(
      `SELECT DISTINCT name.name, path.path FROM files AS file
        JOIN symbols AS symbol ON symbol.blob = file.blob JOIN names AS name ON name.id = symbol.name
        JOIN paths AS path ON path.id = file.path
        WHERE file.worktree = ? ORDER BY path.path`,
      id,
    );
    const found = new Map<string, string[]>();
    for (const row of rows) {
      const own = found.get(String(row["name"]));
      if (own === undefined) found.set(String(row["name"]), [String(row["path"])]);
      else own.push(String(row["path"]));
    }
    return found;
  }

  /**
   * What the store knows of the repository as a whole.
   *
   * @throws {CodeIntelError} `bad_usage` where it was removed.
   */
  get repository(): HubRepository {
    const found = this.#store.find(this.#name);
    if (found !== null) return found;
    throw new CodeIntelError("bad_usage", `The hub has no repository "${this.#name}" any more`, {
      hint: "Ask list_repositories for those that it has.",
    });
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new Error("The index of a hub is only read"));
}
