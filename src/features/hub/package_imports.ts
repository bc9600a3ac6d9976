/** The modules by which others import what a repository gives. It depends on its arguments alone. */
import { join, relative } from "node:path/posix";
import type { SymbolHit } from "../../index/read/view.ts";
import { toFamily } from "../../language/languages.ts";
import type { GivenPackage } from "../../resolve/packages/package_links.ts";

/** Modules by their names: from one on, and up to another one that is none of them. */
export interface ModuleRange {
  readonly low: string;
  readonly high: string;
}

/** The folder below which the packages of the virtual machine begin. */
const ROOT = /^(?:.*\/)?(?:java|kotlin|scala|groovy|src)\/(?=[^/])/;

/** The modules by which the definitions can be imported; none where no manifest names a package of their family. */
export function toModules(
  seeds: readonly SymbolHit[],
  given: readonly GivenPackage[],
): readonly ModuleRange[] {
  const ranges = new Map<string, ModuleRange>();
  const add = (range: ModuleRange) => ranges.set(range.low, range);
  for (const { path, language } of seeds) {
    const family = toFamily(language);
    if (family === "jvm") toJvmModules(path).map(toOne).forEach(add);
    for (const one of given) {
      if (one.family !== family || !isBelow(path, one.folder)) continue;
      if (family === "script") {
        [one.name, `npm:${one.name}`, `npm:/${one.name}`].flatMap((name) => [
          toOne(name),
          ...["/", "@"].map((sign) => toBelow(name, sign)),
        ]).forEach(add);
      } else if (family === "go") add(toOne(join(one.name, relative(one.folder, toFolder(path)))));
      else if (family === "python") {
        for (const name of one.imports ?? []) [toOne(name), toBelow(name, ".")].forEach(add);
      } else if (family === "rust") {
        const name = one.name.replaceAll("-", "_");
        [toOne(name), toBelow(name, ":")].forEach(add);
      }
    }
  }
  return [...ranges.values()];
}

/** The package of a file, and its type as a package of what is static in it. */
function toJvmModules(path: string): readonly string[] {
  const folder = toFolder(path.replace(ROOT, "")).replaceAll("/", ".");
  const type = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return folder === "." || folder === "" ? [] : [folder, `${folder}.${type}`];
}

function isBelow(path: string, folder: string): boolean {
  return folder === "." || path.startsWith(`${folder}/`);
}

function toFolder(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
}

function toOne(name: string): ModuleRange {
  return { low: name, high: `${name}\x01` };
}

/** Those that begin with a name and a sign. */
function toBelow(name: string, sign: string): ModuleRange {
  return {
    low: name + sign,
    high: name + String.fromCharCode(sign.charCodeAt(0) + 1),
  };
}
