/**
 * Finds which texts a command runs: scripts of package.json, tasks of deno.json, targets of a
 * Makefile, a script file. A text too many is better than one too few, because these texts are what
 * a person trusts. Pure.
 */
import { join } from "node:path/posix";

/** A text that a command runs, by the file that holds it. */
export interface ScriptRef {
  readonly kind: "npm_script" | "deno_task" | "composer_script" | "make_target" | "file";
  /** Paths relative to the project; the first that exists holds the text. */
  readonly files: readonly string[];
  /** Name of the script, task or target; empty for a whole file. */
  readonly name: string;
}

/**
 * The texts that the words of a command name.
 *
 * @param dir Folder in which it runs, relative to the project.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findScriptRefs } from "./script_refs.ts";
 * deepEqual(findScriptRefs(["npm", "test"]), [
 *   { kind: "npm_script", files: ["package.json"], name: "test" },
 * ]);
 * ```
 */
export function findScriptRefs(run: readonly string[], dir = ""): readonly ScriptRef[] {
  const words = stripWrappers(run);
  const [program = "", ...args] = words;
  const reader = READERS.get(stripProgramPath(program));
  const own = isPath(program) ? findFileRefs(program, dir) : [];
  return [...own, ...(reader === undefined ? [] : reader(args, dir))];
}

/** The texts that the lines of a shell script name; `cd` is followed. */
export function findShellRefs(text: string, dir = ""): readonly ScriptRef[] {
  const found: ScriptRef[] = [];
  let at = dir;
  for (const piece of splitShell(text)) {
    const [first, second] = piece;
    if (first === "cd" && second !== undefined) at = join(at, second);
    else found.push(...findScriptRefs(piece, at));
  }
  return found;
}

type Reader = (args: readonly string[], dir: string) => readonly ScriptRef[];

/** Programs that only start the one after them, some with a word between. */
const WRAPPERS = new Set(
  "env,time,nice,nohup,exec,command,npx,bunx,cross-env,dotenv,xvfb-run,pnpm exec,npm exec,yarn exec,uv run,poetry run,pipenv run,bundle exec"
    .split(","),
);

function stripWrappers(run: readonly string[]): readonly string[] {
  for (let words = run;;) {
    const [first = "", second = ""] = words;
    const name = stripProgramPath(first);
    const count = WRAPPERS.has(`${name} ${second}`) ? 2 : WRAPPERS.has(name) ? 1 : 0;
    if (count === 0 && !/^[A-Za-z_]\w*=/.test(first)) return words;
    words = words.slice(Math.max(1, count));
    while (count > 0 && words[0]?.startsWith("-")) words = words.slice(1);
  }
}

/** Options of package managers that are followed by a folder, and by something else. */
const IN_FOLDER = ["--prefix", "--cwd", "-C", "--dir"];
const OF_WORKSPACE = ["-w", "--workspace", "--filter"];

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["npm", (args, dir) => findNpmRefs(args, dir, NPM_WORDS)],
  ["pnpm", (args, dir) => findNpmRefs(args, dir, null)],
  ["yarn", (args, dir) => findNpmRefs(args, dir, null)],
  [
    "bun",
    (args, dir) =>
      args[0] === "test" ? [] : [
        ...findNpmRefs(args, dir, null),
        ...findInterpreterRefs(args.slice(args[0] === "run" ? 1 : 0), dir),
      ],
  ],
  ["deno", findDenoRefs],
  ["composer", findComposerRefs],
  ["just", (args, dir) => {
    const files = findOption(args, ["-f", "--justfile"]) ?? ["justfile", "Justfile", ".justfile"];
    return [{ kind: "file", files: resolvePaths(files, dir), name: "" }];
  }],
  ...["make", "gmake"].map((name) => [name, findMakeRefs] as const),
  ...["sh", "bash", "zsh", "dash"].map((name) => [name, findShellArgRefs] as const),
  ...". source node tsx ts-node python python3 ruby perl php pwsh powershell".split(" ")
    .map((name) => [name, findInterpreterRefs] as const),
]);

/** Words of npm that run a script without `run`. */
const NPM_WORDS: Readonly<Record<string, string>> = {
  ...{ test: "test", t: "test", tst: "test" },
  ...{ start: "start", stop: "stop", restart: "restart" },
};

/** @param words those that run a script; null where the name of any script does. */
function findNpmRefs(
  args: readonly string[],
  dir: string,
  words: Readonly<Record<string, string>> | null,
): readonly ScriptRef[] {
  const at = findOption(args, IN_FOLDER)?.[0] ?? "";
  const [first = "", second = ""] = keepPositional(args, [...IN_FOLDER, ...OF_WORKSPACE]);
  const isRun = ["run", "run-script", "rum", "urn"].includes(first);
  const own = words === null ? first : Object.hasOwn(words, first) ? words[first] : "";
  const name = isRun ? second : own;
  if (name === undefined || name === "") return [];
  return [{ kind: "npm_script", files: resolvePaths(["package.json"], join(dir, at)), name }];
}

function findDenoRefs(args: readonly string[], dir: string): readonly ScriptRef[] {
  const [first, ...rest] = args;
  if (first === "run") return findInterpreterRefs(rest, dir);
  if (first !== "task") return [];
  const at = findOption(rest, ["--cwd"])?.[0] ?? "";
  const files = findOption(rest, ["-c", "--config"]) ?? ["deno.json", "deno.jsonc"];
  const [name] = keepPositional(rest, ["--cwd", "-c", "--config", "-f", "--filter"]);
  if (name === undefined) return [];
  // Where there is no such task, deno runs the script of package.json.
  return [
    { kind: "deno_task", files: resolvePaths(files, join(dir, at)), name },
    { kind: "npm_script", files: resolvePaths(["package.json"], join(dir, at)), name },
  ];
}

function findComposerRefs(args: readonly string[], dir: string): readonly ScriptRef[] {
  const at = findOption(args, ["-d", "--working-dir"])?.[0] ?? "";
  const [first, second] = keepPositional(args, ["-d", "--working-dir"]);
  const name = first === "run" || first === "run-script" ? second : first;
  if (name === undefined) return [];
  return [{ kind: "composer_script", files: resolvePaths(["composer.json"], join(dir, at)), name }];
}

function findMakeRefs(args: readonly string[], dir: string): readonly ScriptRef[] {
  const at = findOption(args, ["-C", "--directory"])?.[0] ?? "";
  const files = findOption(args, ["-f", "--file", "--makefile"]) ??
    ["GNUmakefile", "makefile", "Makefile"];
  const targets = keepPositional(args, ["-C", "--directory", "-f", "--file", "--makefile", "-j"])
    .filter((word) => !word.includes("="));
  const paths = resolvePaths(files, join(dir, at));
  const names = targets.length > 0 ? targets : [""];
  return names.map((name) => ({ kind: "make_target", files: paths, name }));
}

function findShellArgRefs(args: readonly string[], dir: string): readonly ScriptRef[] {
  const at = args.findIndex((word) => /^-[a-z]*c$/.test(word));
  if (at >= 0) return findShellRefs(args[at + 1] ?? "", dir);
  const [script] = keepPositional(args, ["-o", "-O", "--rcfile", "--init-file"]);
  return script === undefined ? [] : findFileRefs(script, dir);
}

/** Options of interpreters that are followed by a value. */
const WITH_VALUE = "-r --require --import --loader -I --config -c --env-file".split(" ");

/** The script given to an interpreter; none where it runs a module or a text. */
function findInterpreterRefs(args: readonly string[], dir: string): readonly ScriptRef[] {
  if (args.some((word) => ["-m", "-e", "-p", "--eval", "--test"].includes(word))) return [];
  const [script] = keepPositional(args, WITH_VALUE);
  return script === undefined ? [] : findFileRefs(script, dir);
}

/** Folders of installed packages, whose content does not belong to the project. */
const FOREIGN = /(?:^|\/)(?:node_modules|vendor|\.venv|venv)\//;

function findFileRefs(path: string, dir: string): readonly ScriptRef[] {
  const files = resolvePaths([path], dir);
  const isOwn = files.length > 0 && !/^[a-z]+:/.test(path) && !FOREIGN.test(files[0] ?? "");
  return isOwn ? [{ kind: "file", files, name: "" }] : [];
}

/** Paths relative to the project; those outside are left out. */
function resolvePaths(paths: readonly string[], dir: string): readonly string[] {
  return paths.filter((path) => !path.startsWith("/")).map((path) => join(dir, path))
    .filter((path) => path !== ".." && !path.startsWith("../"));
}

/** The value of the first of these options, in a list; empty where none is given. */
function findOption(
  args: readonly string[],
  names: readonly string[],
): readonly string[] | undefined {
  for (const [index, word] of args.entries()) {
    const next = args[index + 1];
    if (names.includes(word) && next !== undefined) return [next];
    const [name = "", value] = word.split(/=(.*)/s);
    if (value !== undefined && names.includes(name)) return [value];
  }
  return undefined;
}

/** The words that are neither options nor values of options. */
function keepPositional(args: readonly string[], withValue: readonly string[]): readonly string[] {
  return args.filter((word, index) =>
    !word.startsWith("-") && !withValue.includes(args[index - 1] ?? "")
  );
}

function stripProgramPath(program: string): string {
  return (program.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|cmd|bat)$/i, "");
}

function isPath(program: string): boolean {
  return program.includes("/") && !program.startsWith("/");
}

/**
 * Splits a line where a command of a shell ends; quotes are removed without looking at their kind.
 */
function splitShell(text: string): readonly (readonly string[])[] {
  return text.replaceAll(/\\\r?\n/g, " ").split(/&&|\|\||[;|&\n(){}]/).map((piece) =>
    (piece.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replaceAll(/["']/g, ""))
  ).filter((words) => words.length > 0);
}
