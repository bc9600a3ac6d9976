/**
 * The list of a project's files, asked for again only when it may have changed. A new or removed
 * file changes its folder's time. `git add` and `git checkout` change git's index. The files that
 * say what is ignored are looked at as well.
 */
import { join } from "node:path";
import type { FileStamp } from "../../base/files/file_stamp.ts";
import { isSameStamp, wasOldAt } from "../../base/files/file_stamp.ts";
import { FolderCache } from "../../backends/regular_files.ts";
import { readEntry } from "./scanner.ts";

/** Lists the files of a project, relative to it, with `/`; a repository within it is listed as one path that ends so. */
export type ListFiles = (
  options: { readonly signal?: AbortSignal },
) => Promise<readonly string[]>;

/** What the list depends on. */
export interface FileListOptions {
  readonly root: string;
  readonly listFiles: ListFiles;
  /** Absolute paths of more files that the list depends on: git's index, `info/exclude`. */
  readonly listDependsOn: readonly string[];
  readonly nowMs: () => number;
}

interface Cached {
  readonly paths: readonly string[];
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly stamps: ReadonlyMap<string, FileStamp | null>;
  /** Those of `stamps` that do not lie in `folders`. */
  readonly elsewhere: ReadonlyMap<string, FileStamp | null>;
  readonly atMs: number;
}

/** How much is to be looked at before a remembered list counts. */
export interface ListReadOptions {
  readonly signal?: AbortSignal;
  /** True where a watch says that nothing changed in {@link FileList.folders}: only what lies elsewhere is looked at. */
  readonly isQuiet?: boolean;
}

/** What no stamp can tell (rules in the user's own configuration) is seen at the latest after this. */
const MAX_AGE_MS = 10_000;
/** Folders without a listed file that are looked at; beyond them only the age tells. */
const MAX_EMPTY_FOLDERS = 500;

/** A list of files that is remembered. */
export class FileList {
  readonly #options: FileListOptions;
  #cached: Cached | null = null;
  #listings = 0;

  /** @param options the project and how its files are listed. */
  constructor(options: FileListOptions) {
    this.#options = options;
  }

  /** How often the files were really listed. */
  get listings(): number {
    return this.#listings;
  }

  /** Forgets the list. */
  forget(): void {
    this.#cached = null;
  }

  /**
   * Absolute paths of the folders in which a change can change the list, the same array while they are the same; empty
   * before the first list.
   */
  get folders(): readonly string[] {
    return this.#cached?.folders ?? [];
  }

  /** The files of the project and the repositories within it, as they are now; the same array while they are the same. */
  async read(options: ListReadOptions = {}): Promise<readonly string[]> {
    return (await this.#read(options)).paths;
  }

  /** The files alone, as they are now. */
  async readFiles(options: ListReadOptions = {}): Promise<readonly string[]> {
    return (await this.#read(options)).files;
  }

  /** The files alone, as they were when the list was last read; null before that. */
  get lastFiles(): readonly string[] | null {
    return this.#cached?.files ?? null;
  }

  async #read({ signal, isQuiet = false }: ListReadOptions): Promise<Cached> {
    const cached = this.#cached;
    if (cached !== null && this.#isValid(cached, isQuiet)) return cached;
    const atMs = this.#options.nowMs();
    this.#listings++;
    const listed = await this.#options.listFiles(signal === undefined ? {} : { signal });
    const lists = keepSame(splitLists(listed), cached);
    const { folders: found, ...stamps } = readStamps(this.#options, lists.paths);
    const isSame = cached !== null && isSameList(cached.folders, found);
    const folders = isSame ? cached.folders : found;
    return this.#cached = { ...lists, ...stamps, folders, atMs };
  }

  #isValid({ stamps, elsewhere, atMs }: Cached, isQuiet: boolean): boolean {
    if (this.#options.nowMs() - atMs > MAX_AGE_MS) return false;
    for (const [path, stamp] of isQuiet ? elsewhere : stamps) {
      const now = readStamp(path);
      if (now === null || stamp === null) {
        if (now !== stamp) return false;
      } else if (!isSameStamp(stamp, now) || !wasOldAt(withoutChangeTime(stamp), atMs)) {
        return false;
      }
    }
    return true;
  }
}

type Lists = Pick<Cached, "paths" | "files">;

function splitLists(listed: readonly string[]): Lists {
  const files = listed.filter((path) => !path.endsWith("/"));
  if (files.length === listed.length) return { paths: listed, files: listed };
  return { paths: listed.map((path) => path.replace(/\/$/, "")), files };
}

/** Who remembers what a list led to goes by the array: one with the same paths would have it made again. */
function keepSame(lists: Lists, last: Lists | null): Lists {
  if (last === null || !isSameList(lists.paths, last.paths)) return lists;
  return isSameList(lists.files, last.files) ? { paths: last.paths, files: last.files } : lists;
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((path, at) => path === b[at]);
}

/** Folders change their times with each file in them, so their change time says nothing more. */
function withoutChangeTime(stamp: FileStamp): FileStamp {
  return { ...stamp, ctimeMs: 0 };
}

function readStamp(path: string): FileStamp | null {
  const entry = readEntry(path);
  return entry.kind === "file" || entry.kind === "other" ? entry.stamp : null;
}

function readStamps(
  options: FileListOptions,
  paths: readonly string[],
): Pick<Cached, "folders" | "stamps" | "elsewhere"> {
  const folders = new Set<string>([""]);
  const ignoreFiles: string[] = [];
  for (const path of paths) {
    if (path.endsWith(".gitignore")) ignoreFiles.push(path);
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  const toAbsolute = (path: string) => join(options.root, path);
  const all = [...folders, ...findEmptyFolders(options.root, folders)].map(toAbsolute);
  const elsewhere = new Map(options.listDependsOn.map((path) => [path, readStamp(path)]));
  const inside = [...all, ...ignoreFiles.map(toAbsolute)];
  const stamps = new Map(inside.map((path) => [path, readStamp(path)]));
  return { folders: all, stamps: new Map([...stamps, ...elsewhere]), elsewhere };
}

/** Folders without a listed file: the first file in them changes their time and no other's. */
function findEmptyFolders(root: string, folders: ReadonlySet<string>): string[] {
  // The scan that follows looks at the same folders, and finds what is remembered of them.
  const look = new FolderCache(root);
  const found: string[] = [];
  const queue = [...folders];
  for (let at = 0; at < queue.length && found.length < MAX_EMPTY_FOLDERS; at++) {
    const folder = queue[at] ?? "";
    for (const name of look.listFolders(folder)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name === ".git" || folders.has(path)) continue;
      found.push(path);
      queue.push(path);
    }
  }
  return found;
}
