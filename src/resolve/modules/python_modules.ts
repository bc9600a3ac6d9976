/** Which file a module of Python is: relative to its package, or from one of the folders that imports begin in. Pure. */
import { dirname, join } from "node:path/posix";
import { isPythonLibrary } from "./builtin_modules.ts";
import type { PathIndex } from "./path_index.ts";

/** Folders that packages usually lie in, in the order in which they are tried. */
const ROOTS = [".", "src", "lib", "python", "app"];
/** Files that make a folder one whose packages are installed, those below its `src` too. */
const DISTRIBUTIONS = ["pyproject.toml", "setup.py", "setup.cfg"];

/** The file of a module as `from` writes it; undefined where the project has none. */
export function findPythonModule(
  module: string,
  from: string,
  index: PathIndex,
): string | undefined {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const path = module.slice(dots).replaceAll(".", "/");
  const at = (folder: string) => {
    const base = join(folder, path);
    return path === ""
      ? index.first([join(folder, "__init__.py")])
      : index.first([`${base}.py`, `${base}/__init__.py`, `${base}.pyi`]);
  };
  if (dots > 0) {
    let folder = dirname(from);
    for (let up = 1; up < dots; up++) folder = dirname(folder);
    return at(folder);
  }
  if (path === "" || isPythonLibrary(module)) return undefined;
  const isPackage = (folder: string) => index.has(join(folder, "__init__.py"));
  // `import json` inside of a package never means a module of that package.
  const beside = toAncestors(from).filter((folder) => !isInPackage(folder, isPackage));
  const installed = index.allEndingWith(DISTRIBUTIONS).map(dirname)
    .flatMap((folder) => [join(folder, "src"), folder]);
  for (const folder of [...ROOTS, ...beside, ...installed]) {
    const found = at(folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A folder below a package is part of it, whether it has a file of its own that says so or not. */
function isInPackage(folder: string, isPackage: (folder: string) => boolean): boolean {
  if (folder === "" || folder === ".") return false;
  return isPackage(folder) || isInPackage(dirname(folder), isPackage);
}

function toAncestors(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== "."; at = dirname(at)) folders.push(at);
  return [...folders, "."];
}
