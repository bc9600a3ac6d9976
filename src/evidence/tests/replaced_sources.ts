/**
 * Finds where a test file replaces the project's own code while it is loaded. It may replace a
 * function of a module, begin a patch outside of any test, or mock a file that the session
 * changed. Such tests pass whatever the sources say. Python and the languages of scripts.
 */
import { posix } from "node:path";
import { languageOfPath } from "../../language/languages.ts";
import { isTestSide } from "../../language/test_names.ts";
import { SCRIPT_LANGUAGES } from "../../runners/runner.ts";
import { RUNNERS } from "../../runners/runners.ts";
import type { CodePart } from "../../syntax/code_parts.ts";
import type { DiffedFile } from "./diffed_file.ts";

/** The files that a test could replace, relative to the worktree or to the project like the test itself. */
export interface ReplaceableFiles {
  /** All files of the project. */
  readonly all: readonly string[];
  /** Those that the session changed. */
  readonly changed: readonly string[];
}

/** A value that is plain data: a setting rather than code. */
const DATA = /^(?:True|False|None|true|false|null|undefined|-?\d[\w.]*|["'`[{(][^]*)$/;
const QUOTED = /^(?:import\(\s*)?["'`]([^"'`]+)["'`]\)?$/;
const DOTTED = /^[A-Za-z_$][\w$]*(?:\.[\w$]+)*$/;
const PATCHES = /(?:^|\.)(?:patch(?:\.(?:object|multiple|dict))?|setattr|modules\.setdefault)$/;
const MODULES = /\bmodules\[\s*["']([\w.]+)["']\s*\]$/;
/** A fixture that every test has without asking for it. */
const FOR_EACH = /@(?:pytest\.)?fixture\([^)]*\bautouse\s*=\s*True/;
/** Objects of runners and libraries that replace modules and functions. */
const REPLACERS = [...RUNNERS.flatMap(({ mocks }) => mocks ?? []), "td", "sinon"].join("|");
const MOCKS = new RegExp(
  `^(?:${REPLACERS})\\.(?:mock|doMock|unstable_mockModule|setMock|module|replace|replaceEsm)$`,
);
const SPIES = new RegExp(`^(?:${REPLACERS})\\.(?:spyOn|stub|replace|method)$`);

/** The added lines of a test file that replace sources of the project. */
export async function findReplacedSources(
  { path, kind, added }: DiffedFile,
  parts: readonly CodePart[],
  listFiles: () => Promise<ReplaceableFiles>,
): Promise<readonly string[]> {
  const language = languageOfPath(path)?.name ?? "";
  const isScript = SCRIPT_LANGUAGES.includes(language);
  if (kind === "deleted" || (!isScript && language !== "Python")) return [];
  const lines = new Set(added.map(({ line }) => line));
  const names = isScript ? readScriptImports(parts) : readPythonImports(parts);
  const each = parts.filter((part) => part.kind === "function" && FOR_EACH.test(part.head));
  const found = parts.filter(({ first }) => lines.has(first)).flatMap((part) => {
    const isEach = each.some(({ first, last }) => first < part.first && part.last <= last);
    const module = isScript
      ? readScript(part, names)
      : part.isTop || isEach
      ? readPython(part, names)
      : null;
    return module === null ? [] : [{ line: part.statement, module, isEach }];
  });
  if (found.length === 0) return [];
  const files = await listFiles();
  const sources = files.changed.filter((one) => !isTestSide(one));
  if (isScript) {
    return found.filter(({ module }) => sources.some((one) => isScriptOf(path, module, one)))
      .map(({ line }) => line);
  }
  const all = new Set(files.all.filter((one) => !isTestSide(one)));
  // For each test one may keep away what the session did not change, such as the network.
  const own = new Set(sources);
  return found.filter(({ module, isEach }) => isPythonSource(path, module, isEach ? own : all))
    .map(({ line }) => line);
}

/** The module, dotted, of which a part replaces something; null for none. */
function readPython(
  { kind, head, args: [first = ""], statement }: CodePart,
  names: ReadonlyMap<string, string>,
): string | null {
  const toModule = (dotted: string) => {
    const [name = "", ...rest] = dotted.split(".");
    const from = DOTTED.test(dotted) ? names.get(name) : undefined;
    return from === undefined ? null : [from, ...rest].join(".");
  };
  if (kind === "assignment") {
    const module = MODULES.exec(head)?.[1];
    if (module !== undefined) return module;
    return DATA.test(first) || !head.includes(".") ? null : toModule(head);
  }
  if (kind !== "call" || !PATCHES.test(head) || statement.startsWith("@")) return null;
  return QUOTED.exec(first)?.[1] ?? toModule(first);
}

/** What the module of which a part replaces something is imported from; null for none. */
function readScript(
  { kind, head, args: [first = ""], isTop }: CodePart,
  names: ReadonlyMap<string, string>,
): string | null {
  if (kind === "call" && MOCKS.test(head)) {
    const module = QUOTED.exec(first)?.[1];
    if (module !== undefined) return module;
  }
  if (!isTop) return null;
  if (kind === "call" && SPIES.test(head)) return names.get(first) ?? null;
  const isAssigned = kind === "assignment" && DOTTED.test(head) && head.includes(".");
  return isAssigned && !DATA.test(first) ? names.get(head.replace(/\..*$/, "")) ?? null : null;
}

/** What each imported name stands for, as a dotted path. */
function readPythonImports(parts: readonly CodePart[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { kind, head } of parts) {
    if (kind !== "import") continue;
    const [, from, list = ""] = /^(?:from\s+([.\w]+)\s+)?import\s+\(?([^)]*)/.exec(head) ?? [];
    for (const part of list.replaceAll(/#.*/g, "").split(",")) {
      const [, name = "", alias] = /^\s*([\w.]+)(?:\s+as\s+(\w+))?/.exec(part) ?? [];
      const [top = ""] = name.split(".");
      if (name === "") continue;
      if (from !== undefined) names.set(alias ?? name, `${from}.${name}`);
      else names.set(alias ?? top, alias === undefined ? top : name);
    }
  }
  return names;
}

/** What each imported name is imported from. */
function readScriptImports(parts: readonly CodePart[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { kind, head, args, statement } of parts) {
    const isCall = kind === "call" && /^(?:require|import)$/.test(head);
    if (!isCall && kind !== "import") continue;
    const from = isCall ? QUOTED.exec(args[0] ?? "")?.[1] : /["'`]([^"'`]+)["'`]/.exec(head)?.[1];
    const clause = statement.split(isCall ? "=" : /\bfrom\b/)[0] ?? "";
    if (from === undefined) continue;
    for (const [name] of clause.matchAll(/[A-Za-z_$][\w$]*/g)) names.set(name, from);
  }
  return names;
}

/** Whether a dotted path begins with a module of the project: at its top, in `src`, or beside the test. */
function isPythonSource(test: string, module: string, files: ReadonlySet<string>): boolean {
  const parts = module.split(".").filter((part) => part !== "");
  const folders = test.split("/").slice(0, -1);
  const roots = folders.map((_, at) => folders.slice(0, at + 1).join("/"));
  for (const root of ["", "src", "lib", ...roots, ...roots.map((one) => `${one}/src`)]) {
    for (let count = parts.length; count > 0; count--) {
      const path = posix.join(root, ...parts.slice(0, count));
      if (files.has(`${path}.py`) || files.has(`${path}/__init__.py`)) return true;
    }
  }
  return false;
}

/** Whether what a test imports is a file: by a relative path, or by one from the top of the sources. */
function isScriptOf(test: string, module: string, path: string): boolean {
  const bare = path.replace(/\.[^./]+$/, "");
  const fits = (name: string) => {
    const plain = name.replace(/\.[cm]?[jt]sx?$/, "");
    return name === path || plain === bare || `${plain}/index` === bare;
  };
  if (module.startsWith(".")) return fits(posix.join(posix.dirname(test), module));
  const rest = /^(?:[@~#]\/|\/|src\/)(.+)$/.exec(module)?.[1];
  return rest !== undefined &&
    [path, bare].some((one) => one.endsWith(`/${rest}`) || one === rest || one === `${rest}/index`);
}
