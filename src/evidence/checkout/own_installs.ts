/**
 * Finds Python packages that are installed for editing, outside of what is lent: they name the folder of the project.
 * `PYTHONPATH` comes before them, so the same folders of the checkout are put there.
 */
import { basename, delimiter, dirname, isAbsolute, join, relative } from "node:path";
import { readRegularText } from "../../base/files/regular_file.ts";
import { findProgram } from "../../base/processes/arguments.ts";
import { escapePattern } from "../../base/text/plain_text.ts";

/** Where to look for installations. */
export interface InstallScope {
  /** Absolute real path of the worktree. */
  readonly worktree: string;
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
export async function findOwnInstalls(places: InstallScope): Promise<ReadonlySet<string> | string> {
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
  const names = new RegExp(`(?:^|[\\s"'=:])${escapePattern(worktree)}(?=[/"'\\s]|$)`, "gm");
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
export function findInside(worktree: string, path: string): string | null {
  if (!isAbsolute(path)) return null;
  const inside = relative(worktree, path).replaceAll("\\", "/");
  return inside === ".." || inside.startsWith("../") || isAbsolute(inside) ? null : inside;
}

/** Folders of packages that the programs of the commands may read. */
async function listPackageFolders(places: InstallScope): Promise<readonly string[]> {
  const { cwd, path, home } = places;
  // A program that is named by its path is the one of the checkout.
  const programs = places.commands.map(([program = ""]) => program)
    .filter((program) => isAbsolute(program) || !program.includes("/"));
  const found = await Promise.all(
    [...programs, ...INTERPRETERS].map((name) => findProgram(name, { cwd, path })),
  );
  const prefixes = new Set([
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
