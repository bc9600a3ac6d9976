/**
 * Puts files of the worktree that git ignores into a clean checkout. Installed dependencies are linked, never copied as a
 * whole. Other files are copied, and their names of the worktree become those of the checkout.
 */
import { escapePattern } from "../../base/text/plain_text.ts";
import { Buffer } from "node:buffer";
import { basename, dirname, join, relative, sep } from "node:path";
import { CodeIntelError, makeIoError } from "../../base/errors.ts";
import { checkOwnFolder } from "../../base/files/own_folder.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { isCache } from "./changed_dependencies.ts";

/** Folders whose entries are linked one by one, because what is started or loaded from them looks at its own place. */
const OPENED = /^(?:@.*|\.?bin|Scripts|composer|lib|Lib|python3[.\d]*|site-packages)$/;
/** Small files at the top of a lent folder are copied: they say where the rest is. */
const COPIED_BYTES = 1024 * 1024;
/** Larger files beside the dependencies are linked (guessed: most are data). */
const MOST_COPIED_BYTES = 16 * COPIED_BYTES;
/** A folder with this file is an environment of Python, whatever its name is. */
const ENVIRONMENT = "pyvenv.cfg";
/** Texts of libtool that stand for programs beside them, which are left out. */
const STANDS_FOR_BUILT = /\.l[ao]$/;

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
 * import { pickLent } from "./lend.ts";
 * const ignored = ["node_modules", "build", "packages/a/node_modules", "tools/vendor", ".venv/lib"];
 * deepEqual(pickLent(ignored, ["node_modules", "tools/vendor", ".venv"], ""), [
 *   "node_modules",
 *   "packages/a/node_modules",
 *   "tools/vendor",
 *   ".venv/lib",
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
    paths.has(path) || path.split("/").some((name) => wanted.includes(name))
  );
}

/** From where to where. */
export interface LendPlaces {
  /** Absolute real paths of the checkout and of the worktree. */
  readonly root: string;
  readonly worktree: string;
}

/**
 * Makes the files in the checkout.
 *
 * @param lent folders of dependencies, relative to the worktree.
 * @param more files and folders beside them, relative to the worktree.
 * @returns false where there were more entries than are made.
 * @throws {CodeIntelError} `io_failed`, `disk_full`, `own_path_refused`.
 */
export async function lendFiles(
  places: LendPlaces,
  lent: readonly string[],
  more: readonly string[],
): Promise<boolean> {
  const lender = new Lender(places, lent);
  try {
    for (const path of lent) await lender.link(path);
    for (const path of more) await lender.copy(path);
  } catch (cause) {
    if (cause instanceof CodeIntelError) throw cause;
    throw makeIoError(`lend folders to "${places.root}"`, cause);
  }
  return lender.left >= 0;
}

class Lender {
  left = LIMITS.lentEntries.value;
  readonly #places: LendPlaces;
  readonly #lent: readonly string[];
  readonly #named: RegExp;
  readonly #bytes: readonly [string, string];

  constructor(places: LendPlaces, lent: readonly string[]) {
    this.#places = places;
    this.#lent = lent;
    const [from, to] = [places.worktree, places.root].map((path) => toBytes(Buffer.from(path)));
    this.#bytes = [from ?? "", to ?? ""];
    this.#named = new RegExp(`${escapePattern(this.#bytes[0])}(?![\\w-]|\\.\\w)`, "g");
  }

  /** Links the entries of a folder. */
  async link(path: string): Promise<void> {
    await this.#make(path);
    for await (const entry of Deno.readDir(join(this.#places.worktree, path))) {
      if (--this.left < 0) return;
      const name = `${path}/${entry.name}`;
      if (entry.isDirectory && OPENED.test(entry.name)) await this.link(name);
      else await this.#put(name, COPIED_BYTES, true);
    }
  }

  /** Copies a file or a folder; environments in it are linked, and what is made again by each run is left out. */
  async copy(path: string): Promise<void> {
    const folder = join(this.#places.worktree, path);
    if (--this.left < 0 || isCache(basename(path)) || STANDS_FOR_BUILT.test(path)) return;
    if (!(await Deno.lstat(folder)).isDirectory) {
      await this.#make(dirname(path));
      return await this.#put(path, MOST_COPIED_BYTES, false);
    }
    const entries = await Array.fromAsync(Deno.readDir(folder));
    if (entries.some(({ name }) => name === ENVIRONMENT)) return await this.link(path);
    await this.#make(path);
    for (const { name } of entries) await this.copy(`${path}/${name}`);
  }

  /** Makes a folder. A tree may have a link on the way, which must not lead out of the checkout. */
  async #make(path: string): Promise<void> {
    const target = join(this.#places.root, path);
    checkOwnFolder(target, { below: this.#places.root });
    await Deno.mkdir(target, { recursive: true });
  }

  /** Puts an entry there that the tree does not have: files up to a size as copies, all else as links. */
  async #put(path: string, mostBytes: number, isLinked: boolean): Promise<void> {
    const from = join(this.#places.worktree, path);
    const to = join(this.#places.root, path);
    if (await Deno.lstat(to).catch(() => null) !== null) return;
    const info = await Deno.lstat(from);
    if (info.isSymlink) {
      await Deno.symlink(this.#turn(from, await Deno.readLink(from)), to);
    } else if (info.isFile && info.size <= mostBytes) {
      const bytes = await Deno.readFile(from);
      const text = toBytes(Buffer.from(bytes.buffer));
      if (!text.includes(this.#bytes[0])) await Deno.copyFile(from, to);
      else if (!bytes.includes(0)) {
        const turned = Buffer.from(text.replaceAll(this.#named, () => this.#bytes[1]), "latin1");
        await Deno.writeFile(to, turned, { mode: info.mode ?? 0o600 });
      } else if (isLinked) await Deno.symlink(from, to);
      // A program that was built here knows its place: the build makes it again there.
      else return;
      if (info.mtime !== null) await Deno.utime(to, info.mtime, info.mtime);
    } else if (info.isDirectory || isLinked || ((info.mode ?? 0) & 0o100) === 0) {
      await Deno.symlink(from, to);
    }
  }

  /** Where a link leads from the checkout: to the checkout for what is not lent, as packages of a workspace are. */
  #turn(link: string, target: string): string {
    const { worktree, root } = this.#places;
    const absolute = join(target.startsWith(sep) ? "" : dirname(link), target);
    const path = relative(worktree, absolute);
    if (path.startsWith("..") || path.startsWith(sep)) return absolute;
    const isLent = this.#lent.some((folder) => path === folder || path.startsWith(`${folder}/`));
    return isLent ? target : join(root, path);
  }
}

/** A sign for each byte, so that a text of any encoding keeps the rest of it. */
function toBytes(bytes: Buffer): string {
  return bytes.toString("latin1");
}
