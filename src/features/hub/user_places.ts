/**
 * Which places of a file that imports a package name what the package's repository defines. Only names are compared: what
 * is said here is never proven. It depends on its arguments alone.
 */
import { join, relative } from "node:path/posix";
import type { SymbolHit } from "../../index/read/view.ts";
import { familyOf } from "../../language/languages.ts";
import type { ProvidedPackage } from "../../resolve/packages/package_links.ts";
import type { Place } from "../../analysis/record/pack.ts";

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
  given: readonly ProvidedPackage[],
): readonly ModuleRange[] {
  const ranges = new Map<string, ModuleRange>();
  const add = (range: ModuleRange) => ranges.set(range.low, range);
  for (const { path, language } of seeds) {
    const family = familyOf(language);
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

/** An import of a file. */
export interface FileImport {
  readonly module: string;
  /** Null for the whole module, `*` for all that it has. */
  readonly name: string | null;
  readonly alias: string;
  /** 1-based. */
  readonly line: number;
}

/** A file of another repository that imports the package. */
export interface ImportingFile {
  /** What it imports of the package. */
  readonly own: readonly FileImport[];
  /** All that it imports. */
  readonly all: readonly FileImport[];
  /** Its places by the name that they name. */
  readonly places: ReadonlyMap<string, readonly Place[]>;
}

/** A place that names a definition. */
export interface UserPlace {
  readonly line: number;
  readonly kind: Place["kind"];
  /** Qualified name of the definition. */
  readonly symbol: string;
}

/** Names of an object for itself: what stands behind them is of its own type. */
const OWN_OBJECT = new Set(["this", "self", "cls", "super", "base"]);
const DEFAULT = "default";

/** Whether another repository can name a definition. */
export function isGiven({ isExported }: SymbolHit): boolean {
  return isExported !== false;
}

/** Names under which a file may have the definitions: their own, and those that its imports give them. */
export function listNames(
  seeds: readonly SymbolHit[],
  imports: readonly FileImport[],
): readonly string[] {
  const names = new Set(seeds.map(({ name }) => name));
  for (const { name, alias } of imports) {
    if (name !== null && names.has(name) && alias !== "") names.add(alias);
  }
  return [...names];
}

/** The places of a file that name any of the definitions, by line; one of each kind and name a line. */
export function findUserPlaces(
  file: ImportingFile,
  seeds: readonly SymbolHit[],
): readonly UserPlace[] {
  const found = new Map<string, UserPlace>();
  for (const seed of seeds) {
    const places = isMember(seed) ? findMember(file, seed) : findTop(file, seed);
    for (const { line, kind } of places) {
      const place = { line, kind, symbol: seed.qualifiedName };
      const key = `${line} ${kind} ${seed.name}`;
      // By its name a place means a type and its constructor, or members of two types, alike.
      if (!found.has(key)) found.set(key, place);
    }
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

function isMember({ holderKind, name, qualifiedName }: SymbolHit): boolean {
  // A constructor is called as its type.
  const isMaker = qualifiedName === name || qualifiedName.endsWith(`${name}.${name}`);
  return holderKind !== undefined && !isMaker &&
    !/^(?:namespace|module|package)$/.test(holderKind);
}

/** Places behind an object; of what object is not known. */
function findMember({ own, all, places }: ImportingFile, { name }: SymbolHit): readonly Place[] {
  const aliases = new Set(own.map(({ alias }) => alias));
  const foreign = new Set(all.map(({ alias }) => alias).filter((alias) => !aliases.has(alias)));
  return (places.get(name) ?? []).filter(({ kind, line, receiver }) => {
    if (kind === "import") return own.some((one) => one.name === name && one.line === line);
    if (kind === "definition" || receiver === undefined) return false;
    const head = headOf(receiver);
    return !OWN_OBJECT.has(head) && !foreign.has(head);
  });
}

/** Places under a name that an import gives it, and behind the name of an imported module. */
function findTop({ own, places }: ImportingFile, seed: SymbolHit): readonly Place[] {
  const { name } = seed;
  const direct = own.filter((one) =>
    one.name === name && !isModule(one, seed) || one.name === DEFAULT && one.alias === name
  );
  const isOpen = own.some((one) => one.name === "*" && one.alias === "" || one.alias === ".");
  const modules = new Set(own.map(({ alias }) => alias));
  const paths = new Set(own.map(({ module }) => module.replaceAll(/::|\//g, ".")));
  const bare = new Set([...direct.map(({ alias }) => alias), ...isOpen ? [name] : []]);
  const isBehind = (receiver: string) => modules.has(headOf(receiver)) || paths.has(receiver);
  const named = [...new Set([name, ...bare])].flatMap((one) =>
    (places.get(one) ?? []).map((place) => ({ place, one }))
  );
  return named.filter(({ place: { kind, line, receiver, isLocal }, one }) => {
    if (kind === "definition") return false;
    // The import itself says that the name comes from the package.
    if (kind === "import") return direct.some((each) => each.line === line);
    if (receiver !== undefined && receiver !== "") return one === name && isBehind(receiver);
    return receiver === undefined && isLocal !== true && bare.has(one);
  }).map(({ place }) => place);
}

/** Whether an import of Python names the file of a definition that is called as its file. */
function isModule({ module, name }: FileImport, { path, language }: SymbolHit): boolean {
  return familyOf(language) === "python" &&
    path.replace(/\.\w+$/, "").replaceAll("/", ".").endsWith(`${module}.${name}`);
}

/** `a` of `a.b`, `A` of `A()`. */
function headOf(receiver: string): string {
  return /^[^.:(]*/.exec(receiver)?.[0] ?? receiver;
}
