/**
 * Finds installations of the project itself that name its folder: a Python package that is installed for editing. From
 * a clean checkout they would lead back to the worktree, and the run would not test the checkout.
 */
import { delimiter, dirname, join } from "node:path";
import { readRegularText } from "../../base/files/regular_file.ts";
import { findProgram } from "../../base/processes/find_program.ts";

/** Where to look. */
export interface InstallPlaces {
  /** Absolute real path of the worktree. */
  readonly worktree: string;
  /** Lent folders, relative to the worktree. */
  readonly lent: readonly string[];
  /** Programs of the commands, as they are named. */
  readonly programs: readonly string[];
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
const POINTERS = /\.pth$|\.egg-link$|^__editable__.*\.py$/;
const MOST_BYTES = 256 * 1024;

/** The file that names the worktree, or the variable that does; null where nothing was found. */
export async function findOwnInstall(places: InstallPlaces): Promise<string | null> {
  const { worktree, pythonPath } = places;
  const own = pythonPath.split(delimiter).find((path) =>
    path === worktree || path.startsWith(`${worktree}/`)
  );
  if (own !== undefined) return `PYTHONPATH (${own})`;
  for (const folder of await listPackageFolders(places)) {
    const found = await findPointer(folder, worktree);
    if (found !== null) return found;
  }
  return null;
}

async function findPointer(folder: string, worktree: string): Promise<string | null> {
  const names = new RegExp(`(?:^|[\\s"'=:])${escape(worktree)}(?:[/"'\\s]|$)`, "m");
  for (const name of await listNames(folder)) {
    if (!POINTERS.test(name)) continue;
    const path = join(folder, name);
    const text = readRegularText(path, { within: folder, maxBytes: MOST_BYTES });
    if (text !== undefined && names.test(text)) return path;
  }
  return null;
}

/** Folders of packages that the programs of the commands may read. */
async function listPackageFolders(places: InstallPlaces): Promise<readonly string[]> {
  const { worktree, lent, programs, cwd, path, home } = places;
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
