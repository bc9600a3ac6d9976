/**
 * Finds the file of the project that a coverage file means by a name: an absolute path, a path from one of several
 * folders, the path of a Go package. A name that may mean two files means none.
 */
import { isAbsolute, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { readStampText } from "../../base/files/file_stamp.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import type { TreePath } from "../../base/paths.ts";

/** The folder in which a command ran. */
export interface RunFolder {
  /** Absolute real path of the worktree, or of the checkout that stands for it. */
  readonly root: string;
  /** The project's folder relative to it; empty for the top level. */
  readonly project: string;
}

const MOD_BYTES = 256 * 1024;

/** Finds the wanted files by the names that coverage files give them. */
export class FileNames {
  readonly #place: RunFolder;
  readonly #wanted: ReadonlySet<TreePath>;
  readonly #lastParts: ReadonlySet<string>;
  #packages: ReadonlyMap<string, TreePath> | null = null;

  /** @param wanted relative to the worktree. */
  constructor(place: RunFolder, wanted: readonly TreePath[]) {
    this.#place = place;
    this.#wanted = new Set(wanted);
    this.#lastParts = new Set(wanted.map(toLastPart));
  }

  /** Whether a name may be that of a wanted file, by its last part. */
  isLikely(name: string): boolean {
    return this.#lastParts.has(toLastPart(name.replaceAll("\\", "/")));
  }

  /** Whether a text may name a wanted file. */
  isNamedIn(text: string): boolean {
    return [...this.#lastParts].some((part) => text.includes(part));
  }

  /** The wanted file at an absolute path or a `file:` URL; null for every other one. */
  fromUrl(url: string): TreePath | null {
    const path = url.startsWith("file:") ? toFilePath(url) : url;
    return path !== null && isAbsolute(path) ? this.#toWanted(path) : null;
  }

  /**
   * The wanted file that a coverage file names.
   *
   * @param from folder of the coverage file, relative to the worktree.
   * @param sources folders that it says its names begin in.
   */
  fromReport(
    name: string,
    { from, sources }: { readonly from: string; readonly sources: readonly string[] },
  ): TreePath | null {
    const path = name.startsWith("file:") ? toFilePath(name) ?? "" : name.replaceAll("\\", sep);
    if (isAbsolute(path)) return this.#toWanted(path);
    const inPackage = this.#findPackages().get(path);
    if (inPackage !== undefined) return inPackage;
    const { root, project } = this.#place;
    const folders = sources.length > 0
      ? sources.map((source) => isAbsolute(source) ? source : join(root, project, source))
      : [project, ...toFolders(from)].map((folder) => join(root, folder));
    const found = new Set(
      folders.map((folder) => join(folder, path)).filter((one) => readStampText(one) !== null),
    );
    const [only] = found;
    return only === undefined || found.size > 1 ? null : this.#toWanted(only);
  }

  #toWanted(path: string): TreePath | null {
    const tree = relative(this.#place.root, path).replaceAll("\\", "/");
    return this.#wanted.has(tree) ? tree : null;
  }

  /** Go names a file by its package: the module of the nearest `go.mod`, then the path from there. */
  #findPackages(): ReadonlyMap<string, TreePath> {
    this.#packages ??= new Map([...this.#wanted].flatMap((path) => {
      if (!path.endsWith(".go")) return [];
      for (const folder of toFolders(posix.dirname(path))) {
        const { root } = this.#place;
        const bounds = { within: root, maxBytes: MOD_BYTES };
        const text = readRegularText(join(root, folder, "go.mod"), bounds);
        if (text === undefined) continue;
        const module = /^module\s+"?([^\s"]+)/m.exec(text)?.[1];
        const inside = folder === "" ? path : path.slice(folder.length + 1);
        return module === undefined ? [] : [[`${module}/${inside}`, path] as const];
      }
      return [];
    }));
    return this.#packages;
  }
}

/** A folder and those above it up to the top, which is the empty text. */
function toFolders(folder: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folder; at !== "" && at !== "."; at = posix.dirname(at)) folders.push(at);
  return [...folders, ""];
}

function toLastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function toFilePath(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null; // It names a host, or is no URL.
  }
}
