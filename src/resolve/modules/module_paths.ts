/**
 * Where a module that a file imports may lie in the project, for languages whose build files say nothing of it: relative
 * paths, dotted names, packages. Only paths are compared; nothing is read. Scripts, Python and Go are not among them:
 * their modules are what the module map finds. Pure.
 */
import { dirname, join } from "node:path/posix";
import type { Family } from "../../language/families.ts";

/** What Node has without a prefix, as its documentation lists it. */
const NODE = new Set(
  ("assert async_hooks buffer child_process cluster console constants crypto dgram " +
    "diagnostics_channel dns domain events fs http http2 https inspector module net os path " +
    "perf_hooks process punycode querystring readline repl stream string_decoder sys timers " +
    "tls trace_events tty url util v8 vm wasi worker_threads zlib").split(" "),
);

/** The standard library of Python 3, its recent removals included, as `sys.stdlib_module_names` lists it. */
const PYTHON = new Set(
  ("abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop " +
    "base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code " +
    "codecs codeop collections colorsys compileall compression concurrent configparser " +
    "contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm " +
    "decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler " +
    "fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass " +
    "gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib " +
    "inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma " +
    "mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing " +
    "netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev " +
    "pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath " +
    "pprint profile pstats pty pwd py_compile pyclbr pydoc pyexpat queue quopri random re " +
    "readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex " +
    "shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile " +
    "sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau " +
    "symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap " +
    "threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty " +
    "turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref " +
    "webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib " +
    "zoneinfo").split(" "),
);

/** Whether a bare module of a script is Node's own: `fs`, `fs/promises`, `node:fs`. */
export function isNodeModule(module: string): boolean {
  return module.startsWith("node:") || NODE.has(firstPartOf(module, "/"));
}

/**
 * Whether an absolute module of Python is of the standard library. A file of the project with the name may win where a
 * program starts beside it, which nothing here knows.
 */
export function isPythonLibrary(module: string): boolean {
  return PYTHON.has(firstPartOf(module, "."));
}

function firstPartOf(module: string, separator: string): string {
  const at = module.indexOf(separator);
  return at < 0 ? module : module.slice(0, at);
}

/** Finds files and folders of one list of paths. */
export class PathIndex {
  readonly #paths: ReadonlySet<string>;
  readonly #byName = new Map<string, string[]>();
  readonly #folders = new Map<string, string[]>();
  readonly #foldersByName = new Map<string, string[]>();

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    for (const path of paths) {
      push(this.#byName, fileNameOf(path), path);
      push(this.#folders, dirname(path), path);
    }
    for (const folder of this.#folders.keys()) {
      push(this.#foldersByName, fileNameOf(folder), folder);
    }
  }

  /** Whether the project has the file. */
  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** The first of some paths that exists. */
  first(paths: readonly string[]): string | undefined {
    return paths.find((path) => this.#paths.has(path));
  }

  /** The files that lie in a folder itself. */
  inFolder(folder: string): readonly string[] {
    return this.#folders.get(folder) ?? [];
  }

  /** Files whose path is or ends with one of `ends`. */
  allEndingWith(ends: readonly string[]): readonly string[] {
    return ends.flatMap((end) =>
      (this.#byName.get(fileNameOf(end)) ?? [])
        .filter((path) => path === end || path.endsWith(`/${end}`))
    );
  }

  /** The file whose path is or ends with one of `ends`; of several the nearest to `from`. */
  endingWith(ends: readonly string[], from: string): string | undefined {
    return findNearest(this.allEndingWith(ends), from);
  }

  /** The folders whose path is or ends with `end`. */
  foldersEndingWith(end: string): readonly string[] {
    return (this.#foldersByName.get(fileNameOf(end)) ?? [])
      .filter((folder) => folder === end || folder.endsWith(`/${end}`));
  }
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The path that shares most folders with `from`; the first of equals. */
function findNearest(paths: readonly string[], from: string): string | undefined {
  let best: string | undefined;
  let bestShared = -1;
  for (const path of paths) {
    const shared = countShared(path, from);
    if (shared > bestShared) [best, bestShared] = [path, shared];
  }
  return best;
}

function countShared(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  let count = 0;
  while (count < left.length - 1 && left[count] === right[count]) count++;
  return count;
}

/** The places of a module. */
export interface ModulePlace {
  /** Files that it may be, likeliest first; not all of them need to exist. */
  readonly files: readonly string[];
  /** Ends of paths that it may be wherever they lie; absent where only `files` count. */
  readonly endings?: readonly string[];
  /** Whether a file belongs to it. */
  has(path: string): boolean;
}

type Reader = (module: string, from: string) => ModulePlace;

const READERS: Readonly<Partial<Record<Family, Reader>>> = {
  ruby: (module, from) =>
    byRoots(module.replace(/\.rb$/, ""), from, {
      ends: [".rb"],
      roots: ["lib", "app", "test", "spec"],
    }),
  lua: (module, from) =>
    byRoots(module.replaceAll(".", "/"), from, {
      ends: [".lua", "/init.lua"],
      roots: ["src", "lua", "lib"],
    }),
  rust: readRust,
  jvm: readJvm,
  c: readInclude,
  dart: readDart,
  haskell: (module, from) => byEnding(module.replaceAll(".", "/"), from, [".hs", ".lhs"]),
  zig: (module, from) => buildModulePlace([join(dirname(from), module)]),
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
 * const { has } = findModule("a.b", { from: "src/app.lua", family: "lua" });
 * deepEqual(["src/a/b.lua", "src/a/b/init.lua", "b.lua"].map(has), [true, true, false]);
 * ```
 */
export function findModule(
  module: string,
  { from, family }: { readonly from: string; readonly family: Family },
): ModulePlace {
  return READERS[family]?.(module, from) ?? NOWHERE;
}

/** Outside of the project. */
export const NOWHERE: ModulePlace = { files: [], has: () => false };

function buildModulePlace(files: readonly string[], endings: readonly string[] = []): ModulePlace {
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
  if (isRelative || plain === "") return buildModulePlace(beside);
  const endings = ends.map((end) => `${plain}${end}`);
  return buildModulePlace([
    ...beside,
    ...listAncestors(from).flatMap((at) => endings.map((end) => join(at, end))),
  ], endings);
}

/**
 * Beside the importing file, or in a folder where modules begin: one that holds the file, or one of `roots` in such a
 * folder. A path that only ends alike may be of another package.
 */
function byRoots(
  module: string,
  from: string,
  { ends, roots }: { readonly ends: readonly string[]; readonly roots: readonly string[] },
): ModulePlace {
  const plain = module.replace(/^(?:\.\/)+/, "");
  if (plain === "") return NOWHERE;
  const bases = /^\.\.?\//.test(module)
    ? [dirname(from)]
    : listAncestors(from).flatMap((at) => [at, ...roots.map((root) => join(at, root))]);
  return buildModulePlace(
    bases.flatMap((base) => ends.map((end) => join(base, `${module}${end}`))),
  );
}

/** The folders that hold a file, innermost first, the project's root last. */
export function listAncestors(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== "."; at = dirname(at)) folders.push(at);
  return [...folders, "."];
}

/** `crate::a::b` is `a/b.rs` or `a/b/mod.rs` below the crate's sources; the last part may be a type in it. */
function readRust(module: string, from: string): ModulePlace {
  const parts = module.split("::");
  const own = parseRustModule(from);
  let base: readonly string[];
  if (parts[0] === "crate") base = parts.slice(1);
  else if (parts[0] === "self") base = [...own.parts, ...parts.slice(1)];
  else if (parts[0] === "super") {
    const ups = parts.findIndex((part) => part !== "super");
    const up = ups < 0 ? parts.length : ups;
    base = [...own.parts.slice(0, Math.max(0, own.parts.length - up)), ...parts.slice(up)];
  } else return readForeignRust(parts, own);
  return buildModulePlace([
    ...listRustFiles(own.root, base),
    ...listRustFiles(own.root, base.slice(0, -1)),
  ]);
}

/** A crate of the workspace or a module of this file's own folder. */
function readForeignRust(
  parts: readonly string[],
  own: { readonly root: string; readonly parts: readonly string[] },
): ModulePlace {
  const inner = listRustFiles(own.root, [...own.parts, ...parts]);
  const crate = (parts[0] ?? "").replaceAll("_", "-");
  const names = new Set([crate, parts[0] ?? ""]);
  const endings = [...names].flatMap((name) => listRustFiles(`${name}/src`, parts.slice(1)));
  return buildModulePlace(inner, endings);
}

function listRustFiles(root: string, parts: readonly string[]): string[] {
  if (parts.length === 0) {
    return [join(root, "lib.rs"), join(root, "main.rs"), join(root, "mod.rs")];
  }
  const path = join(root, ...parts);
  return [`${path}.rs`, `${path}/mod.rs`];
}

function parseRustModule(
  path: string,
): { readonly root: string; readonly parts: readonly string[] } {
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
  if (inPackage !== undefined) return buildModulePlace([`lib/${inPackage}`], [`lib/${inPackage}`]);
  return module.includes(":") ? NOWHERE : buildModulePlace([join(dirname(from), module)]);
}

/** Files that stand for their folder. */
const FOLDER_FILES = /^(?:index|mod|main|lib|init|__init__)$/;

/** Last parts of modules that may mean the file. */
export function listModuleEnds(file: string): readonly string[] {
  const parts = file.split("/");
  const name = parts.pop() ?? "";
  const stem = name.replace(/\.blade\.php$|\.d\.[mc]?ts$|\.[^.]+$/, "").replace(/^_/, "");
  const ends = [stem.split(".").at(-1) ?? stem, stem];
  if (FOLDER_FILES.test(stem)) ends.push(...parts, "");
  if (/\.py$/.test(name)) ends.push(...parts.slice(-1), "");
  return [...new Set(ends.map((end) => end.toLowerCase()))];
}

/** The last part of a module as it is written, without the ending of a file. */
export function lastPartOfModule(module: string): string {
  const parts = module.replace(/^[<"]|[>"]$/g, "").split(/::|[\\/]/).filter((part) => part !== "");
  const last = (parts.at(-1) ?? "").replace(
    /\.(?:[mc]?[jt]sx?|vue|svelte|s?css|h|hpp|py|rb|dart|html|php)$/,
    "",
  );
  return (last.split(".").filter((part) => part !== "").at(-1) ?? "").toLowerCase();
}
