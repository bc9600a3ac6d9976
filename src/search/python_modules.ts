/** Which file a module of Python is: relative to its package, or from one of the folders that imports begin in. Pure. */
import { dirname, join } from "node:path/posix";
import type { PathIndex } from "./path_index.ts";

/** Folders that packages usually lie in, in the order in which they are tried. */
const ROOTS = [".", "src", "lib", "python", "app"];

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
  if (path === "") return undefined;
  const isPackage = (folder: string) => index.has(join(folder, "__init__.py"));
  // `import json` inside of a package never means a module of that package.
  const beside = toAncestors(from).filter((folder) => !isInPackage(folder, isPackage));
  for (const folder of [...ROOTS, ...beside]) {
    const found = at(folder);
    if (found !== undefined) return found;
  }
  const ends = [`${path}.py`, `${path}/__init__.py`];
  return index.allEndingWith(ends)
    .filter((file) => !isInPackage(file.slice(0, -endOf(file, ends).length - 1), isPackage))
    .toSorted((a, b) => a.length - b.length)[0];
}

/** A folder below a package is part of it, whether it has a file of its own that says so or not. */
function isInPackage(folder: string, isPackage: (folder: string) => boolean): boolean {
  if (folder === "" || folder === ".") return false;
  return isPackage(folder) || isInPackage(dirname(folder), isPackage);
}

function endOf(file: string, ends: readonly string[]): string {
  return ends.find((end) => file.endsWith(end)) ?? "";
}

function toAncestors(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== "."; at = dirname(at)) folders.push(at);
  return [...folders, "."];
}
