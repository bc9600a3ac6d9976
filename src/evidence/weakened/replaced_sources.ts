/**
 * Finds where a test file replaces the project's own code while it is loaded: a function of a module that is assigned
 * anew, a patch that begins outside of any test, a mock of the very file that the session changed. Such tests pass
 * whatever the sources say. Pure, by the text of the added lines; Python and the languages of scripts.
 */
import { posix } from "node:path";
import { languageOfPath } from "../../language/languages.ts";
import { isTestSide } from "../../language/test_names.ts";
import { SCRIPT_LANGUAGES } from "../../runners/runner.ts";
import { RUNNERS } from "../../runners/runners.ts";
import type { DiffedFile } from "./diffed_file.ts";

/** The files that a test could replace, relative to the worktree or to the project like the test itself. */
export interface ReplaceableFiles {
  /** All files of the project. */
  readonly all: readonly string[];
  /** Those that the session changed. */
  readonly changed: readonly string[];
}

/** A line that replaces something, with the module that it names. */
interface Replacement {
  readonly line: string;
  /** Dotted in Python, as in the import elsewhere. */
  readonly module: string;
  /** True where it is replaced for each test rather than while the file is loaded. */
  readonly isEach?: boolean;
}

/** A value that is plain data: a setting rather than code. */
const DATA =
  /^(?:True|False|None|true|false|null|undefined|-?\d[\w.]*|["'`[{(].*)\s*;?\s*(?:#.*|\/\/.*)?$/;
const PYTHON_ASSIGNED = /^([A-Za-z_]\w*(?:\.\w+)+)\s*(?::[^=\n]+)?=(?!=)\s*(.*)$/gm;
const PYTHON_PATCHED =
  /^(?!@|\s|#|def\b|class\b)[^\n]*?\b(?:patch(?:\.(?:object|multiple|dict))?|setattr|modules\.setdefault)\(\s*(?:["']([\w.]+)["']|([A-Za-z_][\w.]*))/gm;
const PYTHON_MODULE = /^[^\s#][^\n]*?\bmodules\[\s*["']([\w.]+)["']\s*\]\s*=(?!=)/gm;
/** Objects of runners and libraries that replace modules and functions. */
const MOCKS = [...RUNNERS.flatMap(({ mocks }) => mocks ?? []), "td", "sinon"].join("|");
const SCRIPT_MOCKED = new RegExp(
  String
    .raw`\b(?:${MOCKS})\s*\.\s*(?:mock|doMock|unstable_mockModule|setMock|module|replace|replaceEsm)\s*(?:<[^>]*>)?\(\s*(?:import\(\s*)?["'\`]([^"'\`]+)["'\`]`,
  "g",
);
const SCRIPT_ASSIGNED = /^([A-Za-z_$][\w$]*)(?:\.[\w$]+)+\s*=(?![=>])\s*(.*)$/gm;
const SCRIPT_SPIED = new RegExp(
  String
    .raw`^(?![\s/])[^\n]*?\b(?:${MOCKS})\s*\.\s*(?:spyOn|stub|replace|method)\(\s*([A-Za-z_$][\w$]*)\s*,`,
  "gm",
);

/** Whether the names of all files are needed to judge a file. */
export function mayReplaceSources(file: DiffedFile): boolean {
  return listReplacements(file).length > 0;
}

/** The added lines of a test file that replace sources of the project. */
export function findReplacedSources(
  file: DiffedFile,
  { all, changed }: ReplaceableFiles,
): readonly string[] {
  const isSource = (path: string) => !isTestSide(path);
  if (isPython(file.path)) {
    const files = new Set(all.filter(isSource));
    // For each test one may keep away what the session did not change, such as the network.
    const own = new Set(changed.filter(isSource));
    return listReplacements(file)
      .filter(({ module, isEach }) => isPythonSource(file.path, module, isEach ? own : files))
      .map(({ line }) => line);
  }
  const sources = changed.filter(isSource);
  return listReplacements(file)
    .filter(({ module }) => sources.some((path) => isScriptOf(file.path, module, path)))
    .map(({ line }) => line);
}

function isPython(path: string): boolean {
  return languageOfPath(path)?.name === "Python";
}

function listReplacements(file: DiffedFile): readonly Replacement[] {
  const isScript = SCRIPT_LANGUAGES.includes(languageOfPath(file.path)?.name ?? "");
  if (file.kind === "deleted" || !isScript && !isPython(file.path)) return [];
  const text = file.after ?? file.added.join("\n");
  const added = file.runs.map((run) => run.join("\n"));
  return added.flatMap((part) => isScript ? readScript(part, text) : readPython(part, text));
}

/** A fixture that every test has without asking for it; the group is its body. */
const FOR_EACH =
  /^@(?:pytest\.)?fixture\([^)\n]*\bautouse\s*=\s*True[^\n]*\n(?:@[^\n]*\n)*(?:async\s+)?def\s[^\n]*\n((?:[ \t]+[^\n]*(?:\n|$)|\n)+)/gm;

function readPython(part: string, text: string): readonly Replacement[] {
  const bodies = [...part.matchAll(FOR_EACH)].map(([, body = ""]) =>
    body.replaceAll(/^[ \t]+/gm, "")
  );
  const each = bodies.flatMap((body) => readStatements(body, text));
  return [...readStatements(part, text), ...each.map((one) => ({ ...one, isEach: true }))];
}

function readStatements(part: string, text: string): readonly Replacement[] {
  const names = readPythonImports(text);
  const toModule = (dotted: string) => {
    const [first = "", ...rest] = dotted.split(".");
    const from = names.get(first);
    return from === undefined ? null : [from, ...rest].join(".");
  };
  const assigned = [...part.matchAll(PYTHON_ASSIGNED)].flatMap(([line, name = "", value = ""]) => {
    const module = DATA.test(value) ? null : toModule(name);
    return module === null ? [] : [{ line, module }];
  });
  const patched = [...part.matchAll(PYTHON_PATCHED)].flatMap(([line, quoted, name = ""]) => {
    const module = quoted ?? toModule(name);
    return module === null ? [] : [{ line, module }];
  });
  const modules = [...part.matchAll(PYTHON_MODULE)]
    .map(([line, module = ""]) => ({ line, module }));
  return [...assigned, ...patched, ...modules];
}

/** What each imported name stands for, as a dotted path. */
function readPythonImports(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const imports = /^(?:from\s+([.\w]+)\s+import\s+(?:\(([^)]*)\)|([^\n(]*))|import\s+([^\n]+))/gm;
  for (const [, from, many, few, modules] of text.matchAll(imports)) {
    for (const part of (modules ?? many ?? few ?? "").replaceAll(/#.*/g, "").split(",")) {
      const [, name = "", alias] = /^\s*([\w.]+)(?:\s+as\s+(\w+))?/.exec(part) ?? [];
      if (name === "") continue;
      if (from !== undefined) names.set(alias ?? name, `${from}.${name}`);
      else if (alias === undefined) names.set(name.split(".")[0] ?? "", name.split(".")[0] ?? "");
      else names.set(alias, name);
    }
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

function readScript(part: string, text: string): readonly Replacement[] {
  const names = readScriptImports(text);
  const mocked = [...part.matchAll(SCRIPT_MOCKED)].map(([line, module = ""]) => ({ line, module }));
  const assigned = [...part.matchAll(SCRIPT_ASSIGNED)].flatMap(([line, name = "", value = ""]) => {
    const module = DATA.test(value) ? undefined : names.get(name);
    return module === undefined ? [] : [{ line, module }];
  });
  const spied = [...part.matchAll(SCRIPT_SPIED)].flatMap(([line, name = ""]) => {
    const module = names.get(name);
    return module === undefined ? [] : [{ line, module }];
  });
  return [...mocked, ...assigned, ...spied];
}

/** What each imported name is imported from. */
function readScriptImports(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const imports =
    /^(?:import\s+([^"'`;]+?)\s+from\s*["'`]([^"'`]+)|(?:const|let|var)\s+([^=;]+?)\s*=\s*(?:await\s+import|require)\(\s*["'`]([^"'`]+))/gm;
  for (const [, clause, from, binding, required] of text.matchAll(imports)) {
    for (const [name] of (clause ?? binding ?? "").matchAll(/[A-Za-z_$][\w$]*/g)) {
      names.set(name, from ?? required ?? "");
    }
  }
  return names;
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
