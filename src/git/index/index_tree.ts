/** Makes the tree of an index from its file, and writes only the folders that changed. */
import { Buffer } from "node:buffer";
import type { IndexFile } from "./index_file.ts";
import { MODE_AT, readIndexFile, readPath, STAT_BYTES, toNameAt } from "./index_file.ts";
import { writeLooseObject } from "./loose_objects.ts";
import type { Repository } from "../repository.ts";

/** With more changed folders git makes the tree, because it stores their trees in the index. */
const MOST_FOLDERS = 64;

/**
 * Writes the tree that `git write-tree` would write. It is not checked that the objects of
 * unchanged folders exist: the caller knows that they are kept.
 *
 * @returns null where git has to do it: an index of another form, a merge in it, or much to write.
 */
export async function writeIndexTree(repo: Repository, indexFile: string): Promise<string | null> {
  const index = readIndexFile(repo, indexFile);
  if (index === null || index.trees === null || !index.isPlain) return null;
  const writer = new TreeWriter(repo, { ...index, trees: index.trees });
  const root = await writer.write("", 0);
  return root === null || root.next !== index.starts.length
    ? null
    : Buffer.from(root.id).toString("hex");
}

interface Written {
  readonly id: Uint8Array;
  /** Number of the first entry after the folder. */
  readonly next: number;
}

class TreeWriter {
  readonly #repo: Repository;
  readonly #index: IndexFile & { readonly trees: NonNullable<IndexFile["trees"]> };
  #left = MOST_FOLDERS;

  constructor(
    repo: Repository,
    index: IndexFile & { readonly trees: NonNullable<IndexFile["trees"]> },
  ) {
    this.#repo = repo;
    this.#index = index;
  }

  /**
   * Writes the folder whose entries begin at `first`; null when there are too many folders, or the
   * index has an unexpected form.
   */
  async write(folder: string, first: number): Promise<Written | null> {
    const { starts, trees } = this.#index;
    const known = trees.get(folder);
    if (known !== undefined) {
      const next = first + known.count;
      const isWhole = this.#isIn(folder, next - 1) && !this.#isIn(folder, next);
      return isWhole ? { id: known.id, next } : null;
    }
    if (this.#left-- <= 0) return null;
    const rows: string[] = [];
    let at = first;
    while (this.#isIn(folder, at)) {
      const start = starts[at] ?? 0;
      const name = readPath(this.#index, start).slice(folder.length);
      const slash = name.indexOf("/");
      if (slash < 0) {
        rows.push(this.#toRow(name, start));
        at++;
        continue;
      }
      const below = await this.write(folder + name.slice(0, slash + 1), at);
      if (below === null) return null;
      const id = Buffer.from(below.id).toString("latin1");
      rows.push(`40000 ${name.slice(0, slash)}\0${id}`);
      at = below.next;
    }
    const body = Buffer.from(rows.join(""), "latin1");
    const id = await writeLooseObject(this.#repo, { kind: "tree", body });
    return { id: Buffer.from(id, "hex"), next: at };
  }

  #isIn(folder: string, entry: number): boolean {
    const { starts, text } = this.#index;
    const start = starts[entry];
    return start !== undefined && text.startsWith(folder, toNameAt(this.#index, start));
  }

  /** Mode, name and id in the form of a tree object, with one character for each byte. */
  #toRow(name: string, start: number): string {
    const { bytes, text, idBytes } = this.#index;
    const mode = bytes.readUInt32BE(start + MODE_AT).toString(8);
    const idAt = start + STAT_BYTES;
    return `${mode} ${name}\0${text.slice(idAt, idAt + idBytes)}`;
  }
}
