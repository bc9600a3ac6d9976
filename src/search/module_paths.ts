/**
 * Where a module that a file imports may lie in the project, by the rules of the language: relative paths,
 * dotted names, packages. Only paths are compared; nothing is read. Pure.
 */
import { dirname, join } from "node:path/posix";

/** The places of a module. */
export interface ModulePlace {
  /** Files that it may be, likeliest first; not all of them need to exist. */
  readonly files: readonly string[];
  /** Ends of paths that it may be wherever they lie; absent where only `files` count. */
  readonly endings?: readonly string[];
  /** Whether a file belongs to it. */
  has(path: string): boolean;
}

/** Languages that import from one another, by one rule. */
export type Family =
  | "script"
  | "python"
  | "ruby"
  | "lua"
  | "rust"
  | "go"
  | "jvm"
  | "c"
  | "dart"
  | "haskell"
  | "zig"
  | "style"
  | "shell"
  | "c_sharp"
  | "php"
  | "elixir"
  | "swift";

const FAMILIES: Readonly<Record<string, Family>> = {
  JavaScript: "script",
  TypeScript: "script",
  TSX: "script",
  Vue: "script",
  Svelte: "script",
  Python: "python",
  Ruby: "ruby",
  Lua: "lua",
  Rust: "rust",
  Go: "go",
  Java: "jvm",
  Kotlin: "jvm",
  Scala: "jvm",
  C: "c",
  "C++": "c",
  Dart: "dart",
  Haskell: "haskell",
  Zig: "zig",
  CSS: "style",
  SCSS: "style",
  HTML: "style",
  Blade: "style",
  Bash: "shell",
  "C#": "c_sharp",
  PHP: "php",
  Elixir: "elixir",
  Swift: "swift",
};

/** The family of a language by its name; null for data and prose. */
export function toFamily(language: string | null): Family | null {
  return language === null ? null : FAMILIES[language] ?? null;
}

type Reader = (module: string, from: string) => ModulePlace;

const SCRIPT_ENDS = [
  ".ts",
  ".tsx",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  ".mts",
  ".cts",
  ".d.ts",
  ".vue",
  ".svelte",
];

const READERS: Readonly<Partial<Record<Family, Reader>>> = {
  script: readScript,
  python: readPython,
  ruby: (module, from) => byEnding(module.replace(/\.rb$/, ""), from, [".rb"]),
  lua: (module, from) => byEnding(module.replaceAll(".", "/"), from, [".lua", "/init.lua"]),
  rust: readRust,
  go: (module) => byFolder((folder) => module === folder || module.endsWith(`/${folder}`)),
  jvm: readJvm,
  c: readInclude,
  dart: readDart,
  haskell: (module, from) => byEnding(module.replaceAll(".", "/"), from, [".hs", ".lhs"]),
  zig: (module, from) => byEnding(module, from, [""]),
  shell: (module, from) => byEnding(module.replace(/^.*\}\/|^\$\w+\//, ""), from, [""]),
  style: (module, from) => byEnding(module.replace(/\.s?css$/, ""), from, [".scss", ".css"]),
};

/**
 * Where `module` lies for the file `from`.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findModule } from "./module_paths.ts";
 * const { has } = findModule("./auth", { from: "src/app.ts", family: "script" });
 * deepEqual(["src/auth.ts", "src/auth/index.ts", "auth.ts"].map(has), [true, true, false]);
 * ```
 */
export function findModule(
  module: string,
  { from, family }: { readonly from: string; readonly family: Family },
): ModulePlace {
  return READERS[family]?.(module, from) ?? NOWHERE;
}

const NOWHERE: ModulePlace = { files: [], has: () => false };

function toPlace(files: readonly string[], endings: readonly string[] = []): ModulePlace {
  return {
    files,
    ...(endings.length === 0 ? {} : { endings }),
    has: (path) =>
      files.includes(path) || endings.some((end) => path === end || path.endsWith(`/${end}`)),
  };
}

/** Beside the importing file, or anywhere that the path ends so. */
function byEnding(module: string, from: string, ends: readonly string[]): ModulePlace {
  const plain = module.replace(/^(?:\.\/)+/, "");
  const isRelative = /^\.\.?\//.test(module);
  const beside = ends.map((end) => join(dirname(from), `${module}${end}`));
  if (isRelative || plain === "") return toPlace(beside);
  const endings = ends.map((end) => `${plain}${end}`);
  return toPlace([
    ...beside,
    ...toAncestors(from).flatMap((at) => endings.map((end) => join(at, end))),
  ], endings);
}

function byFolder(test: (folder: string) => boolean): ModulePlace {
  return { files: [], has: (path) => dirname(path) !== "." && test(dirname(path)) };
}

/** The folders that hold a file, innermost first, the project's root last. */
function toAncestors(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== "."; at = dirname(at)) folders.push(at);
  return [...folders, "."];
}

function readScript(module: string, from: string): ModulePlace {
  const spread = (base: string): string[] => {
    // `./a.js` names what was written as a.ts.
    const stem = base.replace(/\.(?:[mc]?[jt]sx?)$/, "");
    return [
      base,
      ...SCRIPT_ENDS.map((end) => `${stem}${end}`),
      ...SCRIPT_ENDS.map((end) => `${base}/index${end}`),
    ];
  };
  if (/^\.\.?(?:\/|$)/.test(module)) return toPlace(spread(join(dirname(from), module)));
  // An alias of the build (`@/lib/x`, `~/x`, `#x`): the rest of the path tells.
  const plain = module.replace(/^(?:@\/|~\/?|#\/?|\/)/, "");
  const isAlias = plain !== module;
  if (!isAlias && !plain.includes("/")) {
    return toPlace([plain, `src/${plain}`].flatMap(spread).filter((path) => path !== plain));
  }
  return /^[\w-]+:/.test(module) ? NOWHERE : toPlace([], spread(plain));
}

function readPython(module: string, from: string): ModulePlace {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const path = module.slice(dots).replaceAll(".", "/");
  const spread = (base: string) =>
    base === "." || base === ""
      ? ["__init__.py"]
      : [`${base}.py`, `${base}/__init__.py`, `${base}.pyi`];
  if (dots > 0) {
    let folder = dirname(from);
    for (let up = 1; up < dots; up++) folder = dirname(folder);
    return toPlace(path === "" ? [join(folder, "__init__.py")] : spread(join(folder, path)));
  }
  const endings = spread(path);
  return toPlace(toAncestors(from).flatMap((at) => endings.map((end) => join(at, end))), endings);
}

/** `crate::a::b` is `a/b.rs` or `a/b/mod.rs` below the crate's sources; the last part may be a type in it. */
function readRust(module: string, from: string): ModulePlace {
  const parts = module.split("::");
  const own = toRustModule(from);
  let base: readonly string[];
  if (parts[0] === "crate") base = parts.slice(1);
  else if (parts[0] === "self") base = [...own.parts, ...parts.slice(1)];
  else if (parts[0] === "super") {
    const ups = parts.findIndex((part) => part !== "super");
    const up = ups < 0 ? parts.length : ups;
    base = [...own.parts.slice(0, Math.max(0, own.parts.length - up)), ...parts.slice(up)];
  } else return readForeignRust(parts, own);
  return toPlace([...toRustFiles(own.root, base), ...toRustFiles(own.root, base.slice(0, -1))]);
}

/** A crate of the workspace or a module of this file's own folder. */
function readForeignRust(
  parts: readonly string[],
  own: { readonly root: string; readonly parts: readonly string[] },
): ModulePlace {
  const inner = toRustFiles(own.root, [...own.parts, ...parts]);
  const crate = (parts[0] ?? "").replaceAll("_", "-");
  const names = new Set([crate, parts[0] ?? ""]);
  const endings = [...names].flatMap((name) => toRustFiles(`${name}/src`, parts.slice(1)));
  return toPlace(inner, endings);
}

function toRustFiles(root: string, parts: readonly string[]): string[] {
  if (parts.length === 0) {
    return [join(root, "lib.rs"), join(root, "main.rs"), join(root, "mod.rs")];
  }
  const path = join(root, ...parts);
  return [`${path}.rs`, `${path}/mod.rs`];
}

function toRustModule(path: string): { readonly root: string; readonly parts: readonly string[] } {
  const folders = dirname(path).split("/");
  const at = folders.lastIndexOf("src");
  const root = at < 0 ? dirname(path) : folders.slice(0, at + 1).join("/");
  const inside = path.slice(root === "." ? 0 : root.length + 1).replace(/\.rs$/, "");
  const parts = inside.split("/").filter((part) => part !== "");
  return {
    root,
    parts: /^(?:lib|main|mod)$/.test(parts.at(-1) ?? "") ? parts.slice(0, -1) : parts,
  };
}

/** `com.x` is a folder that ends so; `com.x.Y` is a file of it. */
function readJvm(module: string, _from: string): ModulePlace {
  const path = module.replaceAll(".", "/");
  const isFile = (file: string) => {
    const stem = file.replace(/\.\w+$/, "");
    return stem === path || stem.endsWith(`/${path}`);
  };
  return {
    files: [],
    has: (file) => {
      const folder = dirname(file);
      return folder === path || folder.endsWith(`/${path}`) || isFile(file);
    },
  };
}

/** A header, or the source file of its name. */
function readInclude(module: string, from: string): ModulePlace {
  const header = byEnding(module.replace(/^[<"]|[>"]$/g, ""), from, [""]);
  const toStem = (path: string) =>
    path.replace(/\.\w+$/, "").replace(/(^|\/)(?:include|inc|src|source)\//g, "$1");
  const stem = toStem(module);
  return {
    files: header.files,
    has: (path) => header.has(path) || toStem(path) === stem || toStem(path).endsWith(`/${stem}`),
  };
}

function readDart(module: string, from: string): ModulePlace {
  const inPackage = /^package:[^/]+\/(.+)$/.exec(module)?.[1];
  if (inPackage !== undefined) return toPlace([`lib/${inPackage}`], [`lib/${inPackage}`]);
  return module.includes(":") ? NOWHERE : toPlace([join(dirname(from), module)]);
}
