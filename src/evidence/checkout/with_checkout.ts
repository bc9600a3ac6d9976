/**
 * Gives a run a clean checkout of a tree for the time of its commands: in the user's state folder, removed afterwards.
 * Installed dependencies of the worktree are linked into it, never copied as a whole; links that lead back into the
 * worktree are turned to the checkout. Python packages that are installed for editing name the folder of the project:
 * `PYTHONPATH` comes before them, so the same folders of the checkout are put there.
 */
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from "node:path";
import { CodeIntelError, makeIoError } from "../../base/errors.ts";
import { checkOwnFolder, makeOwnFolder } from "../../base/files/own_folder.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import { findProgram } from "../../base/processes/arguments.ts";
import type { Repository } from "../../git/repository.ts";
import { readHead } from "../../git/repository.ts";
import { writeCheckout } from "../../git/trees/checkout.ts";
import { listIgnoredFolders } from "../../git/trees/file_lists.ts";
import type { VerifyCommand } from "../runs/verify_commands.ts";
import { loadCommandsUnderTrust } from "../runs/trusted_commands.ts";
import { withOwnFolder } from "./checkout_folder.ts";

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
 * import { pickLent } from "./with_checkout.ts";
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
async function lendFolders(
  places: Pick<Checkout, "root" | "worktree">,
  lent: readonly string[],
): Promise<boolean> {
  const lender = new Lender(places, lent);
  try {
    for (const path of lent) await lender.lend(path);
  } catch (cause) {
    if (cause instanceof CodeIntelError) throw cause;
    throw makeIoError(`lend folders to "${places.root}"`, cause);
  }
  return lender.left >= 0;
}

class Lender {
  left = LIMITS.lentEntries.value;
  readonly #places: Pick<Checkout, "root" | "worktree">;
  readonly #lent: readonly string[];

  constructor(places: Pick<Checkout, "root" | "worktree">, lent: readonly string[]) {
    this.#places = places;
    this.#lent = lent;
  }

  async lend(path: string): Promise<void> {
    const folder = join(this.#places.worktree, path);
    const target = join(this.#places.root, path);
    // A tree may have a link on the way, which must not lead what is made out of the checkout.
    checkOwnFolder(target, { below: this.#places.root });
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
    const to = join(this.#places.root, path);
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
    const { worktree, root } = this.#places;
    const absolute = join(target.startsWith(sep) ? "" : dirname(link), target);
    const path = relative(worktree, absolute);
    if (path.startsWith("..") || path.startsWith(sep)) return absolute;
    const isLent = this.#lent.some((folder) => path === folder || path.startsWith(`${folder}/`));
    return isLent ? target : join(root, path);
  }
}

/** Where to look for installations. */
interface InstallScope {
  /** Absolute real path of the worktree. */
  readonly worktree: string;
  /** Lent folders, relative to the worktree. */
  readonly lent: readonly string[];
  /** The commands: their programs, and what they hand to them. */
  readonly commands: readonly (readonly string[])[];
  /** Folder in which they are started, absolute. */
  readonly cwd: string;
  /** The variables `PATH`, `PYTHONPATH` and `HOME`; empty where they are not set. */
  readonly path: string;
  readonly pythonPath: string;
  readonly home: string;
}

/** Interpreters that scripts and tools start by these names. */
const INTERPRETERS = ["python3", "python"];
/** Files by which Python finds code outside of its own folders. */
const POINTERS = /\.pth$|\.egg-link$|^__editable__.*\.py$|^_\w+_editable(?:_loader)?\.py$/;
const MOST_BYTES = 256 * 1024;
/** Python that is started so reads no variables. */
const DEAF = /^-[a-zA-Z]*[EI]/;

/** The folders of sources, relative to the worktree, that installations name; what leads back whatever is done, as text. */
async function findOwnInstalls(places: InstallScope): Promise<ReadonlySet<string> | string> {
  const { worktree, pythonPath, commands } = places;
  const folders = new Set(
    pythonPath.split(delimiter).flatMap((path) => findInside(worktree, path) ?? []),
  );
  for (const packages of await listPackageFolders(places)) {
    for (const { path, named } of await findPointers(packages, worktree)) {
      if (named === null) return path;
      for (const folder of named) folders.add(folder);
    }
  }
  const isDeaf = commands.some((run) => run.slice(1, 4).some((word) => DEAF.test(word)));
  const [first] = folders;
  return isDeaf && first !== undefined ? `The installation of "${first}"` : folders;
}

/** Each file that names the worktree, with the folders that it names; null where it does something else with the name. */
async function findPointers(
  packages: string,
  worktree: string,
): Promise<readonly { readonly path: string; readonly named: readonly string[] | null }[]> {
  const names = new RegExp(`(?:^|[\\s"'=:])${escape(worktree)}(?=[/"'\\s]|$)`, "gm");
  const found = [];
  for (const name of await listNames(packages)) {
    if (!POINTERS.test(name)) continue;
    const path = join(packages, name);
    const text = readRegularText(path, { within: packages, maxBytes: MOST_BYTES });
    const count = text?.match(names)?.length ?? 0;
    if (text === undefined || count === 0) continue;
    const named = /\.py$/.test(name) ? readMapping(text, worktree) : readLines(text, worktree);
    found.push({ path, named: named.length === count ? named : null });
  }
  return found;
}

/** Lines that are nothing but a folder. */
function readLines(text: string, worktree: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => findInside(worktree, line.trim()) ?? []);
}

/** Packages by their folders, as setuptools writes them; what is called otherwise than its folder is none. */
function readMapping(text: string, worktree: string): readonly string[] {
  const mapping = /^MAPPING\b[^{]*(\{[^}]*\})/m.exec(text)?.[1] ?? "";
  return [...mapping.matchAll(/'(\w+)':\s*'([^']+)'/g)].flatMap(([, name = "", path = ""]) =>
    basename(path).replace(/\.py$/, "") === name ? findInside(worktree, dirname(path)) ?? [] : []
  );
}

/** A folder relative to the worktree that it lies in; null for others. */
function findInside(worktree: string, path: string): string | null {
  if (!isAbsolute(path)) return null;
  const inside = relative(worktree, path).replaceAll("\\", "/");
  return inside === ".." || inside.startsWith("../") || isAbsolute(inside) ? null : inside;
}

/** Folders of packages that the programs of the commands may read. */
async function listPackageFolders(places: InstallScope): Promise<readonly string[]> {
  const { worktree, lent, cwd, path, home } = places;
  const programs = places.commands.map(([program = ""]) => program);
  const found = await Promise.all(
    [...programs, ...INTERPRETERS].map((name) => findProgram(name, { cwd, path })),
  );
  const prefixes = new Set([
    ...lent.map((folder) => join(worktree, folder)),
    ...found.flatMap((program) => program === null ? [] : [dirname(dirname(program))]),
    ...(home === "" ? [] : [join(home, ".local")]),
  ]);
  const folders: string[] = [];
  for (const prefix of prefixes) {
    for (const name of await listNames(join(prefix, "lib"))) {
      if (!/^python\d/.test(name)) continue;
      folders.push(
        ...["site-packages", "dist-packages"].map((end) => join(prefix, "lib", name, end)),
      );
    }
    folders.push(join(prefix, "Lib", "site-packages"));
  }
  return folders;
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch {
    return []; // Most of the places are on no machine.
  }
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A checkout while it is there. */
export interface Checkout {
  /** Absolute real path of its top folder. */
  readonly root: string;
  /** The project's folder in it, in which commands run. */
  readonly cwd: string;
  /** Absolute real path of the worktree that it stands for. */
  readonly worktree: string;
  /** Folders of the worktree that are lent to it, relative to the worktree. */
  readonly lent: readonly string[];
  /** Variables by which installations of the project itself lead to it instead of to the worktree. */
  readonly env: Readonly<Record<string, string>>;
}

/** What is checked out, for which commands. */
export interface CheckoutInput {
  readonly tree: string;
  readonly commands: readonly VerifyCommand[];
  /** All commands that a person allowed, and the hash by which they did. */
  readonly allowed: { readonly commands: readonly VerifyCommand[]; readonly hash: string };
  /** Names of folders to lend. */
  readonly lend: readonly string[];
}

/** Where checkouts are made. */
export interface CheckoutContext {
  readonly repo: Repository;
  /** The user's state folder. */
  readonly stateDir: string;
  readonly signal?: AbortSignal;
}

/**
 * Runs `action` with the checkout, or with the reason why there is none, as the end of a sentence. Nothing that
 * hinders a checkout is an error: the commands can still run in the worktree.
 */
export async function withCheckout<T>(
  place: CheckoutContext,
  input: CheckoutInput,
  action: (checkout: Checkout | string) => Promise<T>,
): Promise<T> {
  const { repo: { worktree }, stateDir } = place;
  return await withOwnFolder(
    { stateDir, worktree },
    async (found) =>
      await action(
        "folder" in found ? await makeCheckout(found.folder, place, input) : found.hindrance,
      ),
  );
}

async function makeCheckout(
  folder: string,
  { repo, stateDir, signal }: CheckoutContext,
  input: CheckoutInput,
): Promise<Checkout | string> {
  try {
    const worktree = await Deno.realPath(repo.worktree);
    const ignored = await listIgnoredFolders(repo.worktree);
    const lent = pickLent(ignored, input.lend, repo.openedFor);
    const pythonPath = Deno.env.get("PYTHONPATH") ?? "";
    const installs = await findOwnInstalls({
      worktree,
      lent,
      commands: input.commands.map(({ run }) => run),
      cwd: join(worktree, repo.openedFor),
      path: Deno.env.get("PATH") ?? "",
      pythonPath,
      home: Deno.env.get("HOME") ?? "",
    });
    if (typeof installs === "string") return `${installs} leads from there back to the worktree`;
    // The name stays that of the worktree, because some build tools make names of it.
    const top = join(folder, basename(worktree) || "project");
    await makeOwnFolder(top, { below: stateDir });
    const root = await Deno.realPath(top);
    const head = await readHead(repo);
    const refusal = await writeCheckout(repo, {
      tree: input.tree,
      head: head.commit,
      folder: root,
      below: await Deno.realPath(stateDir),
      ...(signal === undefined ? {} : { signal }),
    });
    if (refusal !== null) return refusal;
    if (!await lendFolders({ worktree, root }, lent)) {
      return "its dependencies have too many entries to be linked";
    }
    const cwd = join(root, repo.openedFor);
    const there = await loadCommandsUnderTrust(cwd, input.allowed.commands);
    if (there.hash !== input.allowed.hash) {
      return "the scripts behind the commands are not as they were allowed there";
    }
    // The same folders of the checkout, then those of the user that lie elsewhere.
    const others = pythonPath.split(delimiter).filter((path) =>
      path !== "" && findInside(worktree, path) === null
    );
    const paths = [...[...installs].map((inside) => join(root, inside)), ...others];
    const env: Checkout["env"] = installs.size === 0 ? {} : { PYTHONPATH: paths.join(delimiter) };
    return { root, cwd, worktree, lent, env };
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code === "cancelled") throw failure;
    return failure.message;
  }
}
