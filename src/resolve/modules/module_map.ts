/**
 * Which files of the project an import leads to, by the rules of the language and what the build files
 * say. Unlike `findModule`, which only compares paths, it knows the files that there are. Pure.
 */
import { dirname, join } from "node:path/posix";
import type { ModulePlace } from "./module_paths.ts";
import {
  findModule,
  isNodeModule,
  isPythonLibrary,
  listAncestors,
  NOWHERE,
  PathIndex,
} from "./module_paths.ts";
import type { BuildFacts, ScriptPackage } from "./build_files.ts";
import { findExport } from "./build_files.ts";
import type { Family } from "../../language/families.ts";
import { familiesWith } from "../../language/families.ts";

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
  const beside = listAncestors(from).filter((folder) => !isInPackage(folder, isPackage));
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

/** Where a module is looked for. */
export interface ModuleQuestion {
  /** The file that imports it. */
  readonly from: string;
  readonly family: Family;
}

/** The modules of one state of the project. */
export interface ModuleMap {
  /** Files that the module leads to; several where a folder is the module. Empty: outside, or not known. */
  find(module: string, question: ModuleQuestion): readonly string[];
  /** The place of a module, where the map itself knows more than {@link findModulePlace} does. */
  place?(module: string, question: ModuleQuestion): ModulePlace;
  /** Modules that lead to other repositories by the names of packages; absent where there are none. */
  readonly packaged?: readonly string[];
}

type Finder = (module: string, from: string) => readonly string[];

const SCRIPT_ENDS = ".ts .tsx .d.ts .mts .cts .js .jsx .mjs .cjs .vue .svelte .json .css .scss"
  .split(" ");

/** Makes the map of a list of files and their build files. */
export function createModuleMap(paths: readonly string[], facts: BuildFacts): ModuleMap {
  const index = new PathIndex(paths);
  const finders: Readonly<Partial<Record<Family, Finder>>> = {
    script: (module, from) => asList(findScript(module, from, { index, facts })),
    go: (module) => findGo(module, { index, facts }),
    php: (module) => asList(findPhp(module, { index, facts })),
    rust: (module, from) => asList(findRust(module, from, { index, facts })),
    jvm: (module, from) => findJvm(module, from, index),
    c: (module, from) => asList(findInclude(module, from, index)),
    dart: (module, from) => asList(findDart(module, from, { index, facts })),
    style: (module, from) => asList(findStyle(module, from, index)),
    python: (module, from) => asList(findPythonModule(module, from, index)),
  };
  return {
    find: (module, question) => {
      const finder = finders[question.family];
      if (finder !== undefined) return finder(module, question.from);
      return asList(findByRule(module, question, index));
    },
  };
}

/** Families whose modules are exactly the files that the map finds; the others need their own rules too. */
const KNOWN_BY_FILES = familiesWith("knownByFiles");

/**
 * The place of a module, of which `find` gives the files that the map knows. What is no file of the project lies outside
 * of it: a file whose path only ends alike is not meant.
 */
export function findModulePlace(
  module: string,
  question: ModuleQuestion,
  find: () => readonly string[],
): ModulePlace {
  // Namespaces and packages of the virtual machine have rules of their own; crates and headers need both.
  if (!KNOWN_BY_FILES.has(question.family)) return findModule(module, question);
  const files = find();
  if (files.length === 0) return NOWHERE;
  if (question.family !== "go") return { files, has: (path) => files.includes(path) };
  const folders = new Set(files.map(dirname));
  return { files: [], has: (path) => folders.has(dirname(path)) };
}

interface Known {
  readonly index: PathIndex;
  readonly facts: BuildFacts;
}

function asList(path: string | undefined): readonly string[] {
  return path === undefined ? [] : [path];
}

/** What the rules of the language name, the likeliest that exists. */
function findByRule(
  module: string,
  question: ModuleQuestion,
  index: PathIndex,
): string | undefined {
  const { files, endings = [] } = findModule(module, question);
  return index.first(files) ?? index.endingWith(endings, question.from);
}

/** The file of a path that is written with, without or with another ending. */
function spreadScript(base: string, index: PathIndex): string | undefined {
  // `./a.js` names what was written as a.ts.
  const stem = base.replace(/\.(?:[mc]?[jt]sx?)$/, "");
  const withEnd = (path: string) => index.first(SCRIPT_ENDS.map((end) => `${path}${end}`));
  return index.first([base]) ?? withEnd(base) ?? (stem === base ? undefined : withEnd(stem)) ??
    withEnd(join(base, "index")) ?? withEnd(join(base, "mod"));
}

function findScript(module: string, from: string, known: Known): string | undefined {
  const { index, facts } = known;
  const spread = (base: string) => spreadScript(base, index);
  const plain = module.replace(/[?#](?=.).*$/, (tail) => module.startsWith("#") ? tail : "");
  if (/^\.\.?(?:\/|$)/.test(plain)) return spread(join(dirname(from), plain));
  const folders = facts.aliases.filter(({ folder }) => isBelow(from, folder));
  const isOutside = isNodeModule(plain);
  for (const { rows } of folders) {
    for (const { pattern, targets } of rows) {
      // The folder that all modules may begin in has no say in what Node brings.
      if (isOutside && pattern === "*") continue;
      const rest = matchPattern(pattern, plain);
      if (rest === null) continue;
      const found = targets.map((target) => spread(target.replace("*", rest))).find(isKnown);
      if (found !== undefined) return found;
    }
  }
  if (isOutside) return undefined;
  return findPackage(plain, from, known) ?? findConvention(plain, from, known);
}

function findPackage(module: string, from: string, { index, facts }: Known): string | undefined {
  const spread = (base: string) => spreadScript(base, index);
  if (module.startsWith("#")) {
    const own = facts.packages.find(({ folder }) => isBelow(from, folder));
    return own &&
      findExport(own.imports, module).map((one) => findSource(one, own, spread)).find(isKnown);
  }
  const found = facts.packages.find(({ name }) =>
    name !== "" && (module === name || module.startsWith(`${name}/`))
  );
  if (found === undefined) return undefined;
  const rest = module.slice(found.name.length + 1);
  const exported = findExport(found.exports, rest === "" ? "." : `./${rest}`);
  // What a package that says its exports does not name cannot be imported from outside.
  const isBound = found.exports !== undefined && found.exports !== null;
  if (isBound && exported.length === 0) return undefined;
  const entries = rest === "" ? [...found.entries, "index", "src/index", "mod", "src/main"] : [];
  return [...exported, ...entries, ...rest === "" ? [] : [rest, `src/${rest}`]]
    .map((target) => findSource(target, found, spread)).find(isKnown);
}

/** What a package ships is made of its sources: `dist/a.js` of `src/a.ts`. */
function findSource(
  target: string,
  { folder }: ScriptPackage,
  spread: (base: string) => string | undefined,
): string | undefined {
  const plain = target.replace(/\.d\.[mc]?ts$/, "");
  const source = plain.replace(
    /^(?:\.\/)?(?:dist|lib|build|out|esm|cjs)\/(?:esm\/|cjs\/)?/,
    "src/",
  );
  return spread(join(folder, plain)) ?? spread(join(folder, source));
}

/** Aliases of builds that no file of the project declares in words: `@/x`, `~/x`, `$lib/x`. */
function findConvention(module: string, from: string, { index }: Known): string | undefined {
  const rest = module.replace(/^\$lib(?=\/|$)/, "@/lib").replace(/^(?:@\/|~\/?|\/)/, "@/");
  if (!rest.startsWith("@/")) return undefined;
  const path = rest.slice(2);
  const folders = [...listAncestors(from)].flatMap((folder) => [join(folder, "src"), folder]);
  return folders.map((folder) => spreadScript(join(folder, path), index)).find(isKnown);
}

function findGo(module: string, { index, facts }: Known): readonly string[] {
  const own = facts.goModules.find(({ name }) => module === name || module.startsWith(`${name}/`));
  const folders = own !== undefined
    ? [join(own.folder, module.slice(own.name.length))]
    : facts.goModules.length > 0
    ? []
    : index.foldersEndingWith(module);
  return folders.flatMap((folder) => index.inFolder(folder.replace(/\/$/, "")))
    .filter((path) => path.endsWith(".go") && !path.endsWith("_test.go"));
}

function findPhp(module: string, { index, facts }: Known): string | undefined {
  const plain = module.replace(/^\\/, "");
  if (/\.php$/.test(plain)) return index.endingWith([plain.replace(/^\.?\//, "")], "");
  for (const { name, folder } of facts.prefixes) {
    if (!plain.startsWith(name)) continue;
    const path = join(folder, `${plain.slice(name.length).replaceAll("\\", "/")}.php`);
    if (index.has(path)) return path;
  }
  return index.endingWith([`${plain.replaceAll("\\", "/")}.php`], "");
}

function findRust(module: string, from: string, { index, facts }: Known): string | undefined {
  const parts = module.split("::");
  const crate = facts.crates.find(({ name }) => name.replaceAll("-", "_") === parts[0]);
  const named = findByRule(module, { from, family: "rust" }, index);
  if (crate === undefined || named !== undefined) return named;
  for (let length = parts.length; length > 1; length--) {
    const base = join(crate.folder, "src", ...parts.slice(1, length));
    const found = index.first([`${base}.rs`, `${base}/mod.rs`]);
    if (found !== undefined) return found;
  }
  return index.first([join(crate.folder, "src/lib.rs"), join(crate.folder, "src/main.rs")]);
}

const JVM_ENDS = [".java", ".kt", ".scala", ".groovy"];

/** `com.x.Y` is a file or an inner name of one; `com.x` is a folder. */
function findJvm(module: string, from: string, index: PathIndex): readonly string[] {
  const path = module.replaceAll(".", "/");
  for (const stem of [path, dirname(path)]) {
    const file = index.endingWith(JVM_ENDS.map((end) => `${stem}${end}`), from);
    if (file !== undefined) return [file];
  }
  return index.foldersEndingWith(path).flatMap((folder) => index.inFolder(folder));
}

function findInclude(module: string, from: string, index: PathIndex): string | undefined {
  const plain = module.replace(/^[<"]|[>"]$/g, "");
  const beside = join(dirname(from), plain);
  return index.has(beside) ? beside : index.endingWith([plain.replace(/^(?:\.\.?\/)+/, "")], from);
}

function findDart(module: string, from: string, { index, facts }: Known): string | undefined {
  const [, name, rest = ""] = /^package:([^/]+)\/(.+)$/.exec(module) ?? [];
  const own = facts.dartPackages.find((one) => one.name === name);
  if (own !== undefined) return index.first([join(own.folder, "lib", rest)]);
  // The package of another one has files of the same names.
  if (name !== undefined && facts.dartPackages.length > 0) return undefined;
  return findByRule(module, { from, family: "dart" }, index);
}

/** A sheet, or what a page links to. */
function findStyle(module: string, from: string, index: PathIndex): string | undefined {
  const plain = module.replace(/[?#].*$/, "");
  const beside = join(dirname(from), plain);
  const name = plain.slice(plain.lastIndexOf("/") + 1);
  const partial = join(dirname(beside), `_${name}`);
  const direct = index.first([
    beside,
    ...[".scss", ".css"].flatMap((end) => [`${beside}${end}`, `${partial}${end}`]),
  ]);
  // `layouts.app` of Blade is layouts/app.blade.php.
  const view = `${plain.replaceAll(".", "/")}.blade.php`;
  return direct ?? index.endingWith([plain.replace(/^(?:\.?\.?\/)+/, ""), view], from);
}

/** What the `*` of a pattern stands for; null where it does not fit. */
function matchPattern(pattern: string, text: string): string | null {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === text ? "" : null;
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const fits = text.startsWith(head) && text.endsWith(tail) && text.length >= pattern.length - 1;
  return fits ? text.slice(head.length, text.length - tail.length) : null;
}

function isBelow(path: string, folder: string): boolean {
  return folder === "." || path.startsWith(`${folder}/`);
}

function isKnown(path: string | undefined): path is string {
  return path !== undefined;
}
