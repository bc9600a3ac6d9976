/**
 * Lends ignored folders of the worktree to a clean checkout: dependencies that were installed for the project. What is
 * lent is linked, never copied as a whole; links that lead back into the worktree are turned to the checkout.
 */
import { dirname, join, relative, sep } from "node:path";
import { CodeIntelError, toIoError } from "../../base/errors.ts";
import { checkOwnFolder } from "../../base/files/own_folder.ts";
import { LIMITS } from "../../base/settings/limits.ts";

/** Between what is lent. */
export interface LendPlaces {
  /** Absolute real path of the worktree. */
  readonly worktree: string;
  /** Absolute real path of the checkout. */
  readonly checkout: string;
}

/** Folders whose entries are linked one by one, because what is started or loaded from them looks at its own place. */
const OPENED = /^(?:@.*|\.?bin|Scripts|composer)$/;
/** Small files at the top of a lent folder are copied: they say where the rest is, relative to themselves. */
const COPIED_BYTES = 1024 * 1024;

/**
 * Picks the folders to lend.
 *
 * @param ignored folders that git ignores, relative to the worktree.
 * @param names names of folders, or paths relative to the project where they have a slash.
 * @param project the project's folder relative to the worktree; empty for its top level.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { pickLent } from "./lend_folders.ts";
 * const ignored = ["node_modules", "build", "packages/a/node_modules", "tools/vendor"];
 * deepEqual(pickLent(ignored, ["node_modules", "tools/vendor"], ""), [
 *   "node_modules",
 *   "packages/a/node_modules",
 *   "tools/vendor",
 * ]);
 * ```
 */
export function pickLent(
  ignored: readonly string[],
  names: readonly string[],
  project: string,
): readonly string[] {
  const wanted = names.map((name) => name.replace(/^\.\/|\/+$/g, ""));
  const paths = new Set(
    wanted.filter((name) => name.includes("/"))
      .map((name) => project === "" ? name : `${project}/${name}`),
  );
  return ignored.filter((path) =>
    paths.has(path) || wanted.includes(path.slice(path.lastIndexOf("/") + 1))
  );
}

/**
 * Makes the folders in the checkout.
 *
 * @param lent relative to the worktree.
 * @returns false where there were more entries than are linked.
 * @throws {CodeIntelError} `io_failed`, `disk_full`, `own_path_refused`.
 */
export async function lendFolders(
  places: LendPlaces,
  lent: readonly string[],
): Promise<boolean> {
  const lender = new Lender(places, lent);
  try {
    for (const path of lent) await lender.lend(path);
  } catch (cause) {
    if (cause instanceof CodeIntelError) throw cause;
    throw toIoError(`lend folders to "${places.checkout}"`, cause);
  }
  return lender.left >= 0;
}

class Lender {
  left = LIMITS.lentEntries.value;
  readonly #places: LendPlaces;
  readonly #lent: readonly string[];

  constructor(places: LendPlaces, lent: readonly string[]) {
    this.#places = places;
    this.#lent = lent;
  }

  async lend(path: string): Promise<void> {
    const folder = join(this.#places.worktree, path);
    const target = join(this.#places.checkout, path);
    // A tree may have a link on the way, which must not lead what is made out of the checkout.
    checkOwnFolder(target, { below: this.#places.checkout });
    await Deno.mkdir(target, { recursive: true });
    for await (const entry of Deno.readDir(folder)) {
      if (--this.left < 0) return;
      const name = `${path}/${entry.name}`;
      if (entry.isDirectory && OPENED.test(entry.name)) await this.lend(name);
      else await this.#lendEntry(name, entry);
    }
  }

  async #lendEntry(path: string, entry: Deno.DirEntry): Promise<void> {
    const from = join(this.#places.worktree, path);
    const to = join(this.#places.checkout, path);
    if (entry.isSymlink) {
      await Deno.symlink(this.#turn(from, await Deno.readLink(from)), to);
    } else if (entry.isFile && (await Deno.lstat(from)).size <= COPIED_BYTES) {
      await Deno.copyFile(from, to);
    } else if (entry.isFile || entry.isDirectory) {
      await Deno.symlink(from, to);
    }
  }

  /** Where a link leads from the checkout: to the checkout for what is not lent, as packages of a workspace are. */
  #turn(link: string, target: string): string {
    const { worktree, checkout } = this.#places;
    const absolute = join(target.startsWith(sep) ? "" : dirname(link), target);
    const path = relative(worktree, absolute);
    if (path.startsWith("..") || path.startsWith(sep)) return absolute;
    const isLent = this.#lent.some((folder) => path === folder || path.startsWith(`${folder}/`));
    return isLent ? target : join(checkout, path);
  }
}
