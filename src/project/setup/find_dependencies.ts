/**
 * Finds folders of installed dependencies, which a clean checkout of the project lacks: by the usual names, and by the
 * files that tools leave in folders of any name.
 */
import { join } from "node:path";
import { DEFAULT_CONFIG } from "../../base/settings/config.ts";

/** A file or folder that only an environment or a store of packages has at its top. */
const MARKS = [
  "pyvenv.cfg",
  "conda-meta",
  ".yarn-state.yml",
  ".package-lock.json",
  ".modules.yaml",
];
/** Levels below the project that are looked at: its top, and the packages of a folder of packages. */
const LEVELS = 3;
/** Most folders that are looked at (guessed). */
const MOST_FOLDERS = 500;
/** Files of the repository and of the program itself lie there, never dependencies. */
const NEVER = /^(?:\.git|\.code-intel|\.claude|\.codex)$/;

/**
 * The folders that are there, relative to the project and sorted. Links are not followed; whether git ignores a folder is
 * asked when it is lent.
 */
export async function findDependencies(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  let left = MOST_FOLDERS;
  const look = async (folder: string, level: number): Promise<void> => {
    for (const name of await listFolders(join(root, folder))) {
      if (NEVER.test(name) || left-- <= 0) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (DEFAULT_CONFIG.verify_lend.includes(name) || await hasMark(join(root, path))) {
        found.push(path);
      } else if (level < LEVELS) await look(path, level + 1);
    }
  };
  await look("", 1);
  return found.toSorted();
}

/** The setting `verify_lend` that has them all; empty where the built-in names are enough. */
export function toLendSetting(folders: readonly string[]): readonly string[] {
  const usual = DEFAULT_CONFIG.verify_lend;
  const others = folders.filter((path) => !usual.includes(path.slice(path.lastIndexOf("/") + 1)));
  return others.length === 0 ? [] : [...usual, ...others];
}

async function listFolders(absolute: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(absolute)) {
      if (isDirectory) names.push(name);
    }
  } catch {
    // What cannot be read cannot be lent either.
  }
  return names.toSorted();
}

async function hasMark(absolute: string): Promise<boolean> {
  const marks = await Promise.all(
    MARKS.map((mark) => Deno.lstat(join(absolute, mark)).then(() => true, () => false)),
  );
  return marks.includes(true);
}
