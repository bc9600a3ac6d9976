/**
 * Folders held in memory, to be written as often as tests need them: files, links, modes and times.
 * They are read and written at one go: for many small files that costs a fifth of what waiting for each does.
 */
import { join } from "node:path";

type Entry =
  | { readonly kind: "folder" }
  | { readonly kind: "link"; readonly target: string }
  | {
    readonly kind: "file";
    readonly bytes: Uint8Array;
    readonly mode: number | null;
    readonly mtime: Date | null;
  };

/** What lies in a folder, by path below it; a folder comes before what is in it. */
export type FolderCopy = ReadonlyMap<string, Entry>;

/** Reads a folder whole, `.git` included. Nothing may write there meanwhile. */
export function readFolder(root: string): FolderCopy {
  const found = new Map<string, Entry>();
  readBelow(root, "", found);
  return found;
}

function readBelow(root: string, below: string, found: Map<string, Entry>): void {
  for (const { name, isDirectory, isSymlink } of Deno.readDirSync(join(root, below))) {
    const path = join(below, name);
    const full = join(root, path);
    if (isSymlink) {
      found.set(path, { kind: "link", target: Deno.readLinkSync(full) });
    } else if (isDirectory) {
      found.set(path, { kind: "folder" });
      readBelow(root, path, found);
    } else {
      const { mode, mtime } = Deno.lstatSync(full);
      found.set(path, { kind: "file", bytes: Deno.readFileSync(full), mode, mtime });
    }
  }
}

/** Writes what was read into an empty folder. */
export function writeFolder(root: string, entries: FolderCopy): void {
  for (const [path, entry] of entries) {
    const full = join(root, path);
    if (entry.kind === "folder") Deno.mkdirSync(full);
    else if (entry.kind === "link") Deno.symlinkSync(entry.target, full);
    else writeFile(full, entry);
  }
}

function writeFile(path: string, entry: Extract<Entry, { kind: "file" }>): void {
  const { bytes, mode, mtime } = entry;
  Deno.writeFileSync(path, bytes, mode === null ? {} : { mode: mode & 0o777 });
  // What is an old file in the one folder must not be a young one in the other.
  if (mtime !== null) Deno.utimeSync(path, mtime, mtime);
}
