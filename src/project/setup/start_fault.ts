/**
 * Finds out whether a verification command can start on this machine: whether its program, and the modules that it needs,
 * are there. Chooses those of a new set-up that can.
 */
import { dirname, join, parse } from "node:path";
import { folderOf } from "../../base/repo_path.ts";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import type { PackageFiles } from "../../runners/runner.ts";
import type { VerifyCandidate, VerifyProposal } from "./verify_proposals.ts";
import {
  listVerifyCandidates,
  makeNamesUnique,
  MANIFESTS,
  VERIFY_SOURCES,
} from "./verify_proposals.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { findProgram } from "../../base/processes/arguments.ts";
import { isRecord } from "../../base/text/json_record.ts";
import { parseJsonc } from "../../base/text/jsonc.ts";
import { runProcess } from "../../base/processes/process.ts";
import { RUNNERS } from "../../runners/runners.ts";

/** The chosen commands, and those left out because they cannot start here. */
export interface VerifyChoice {
  readonly verify: readonly VerifyProposal[];
  readonly left: readonly UnusableCommand[];
}

/** A command that would verify something, but for a fault of this machine. */
export interface UnusableCommand {
  readonly run: readonly string[];
  readonly fault: string;
}

/** What the choice is made from. */
export interface ChoiceInput extends StartContext {
  /** Files of the project, relative to it. */
  readonly files: readonly string[];
  /** The folder in which the user started, relative to the project; empty at its top. */
  readonly startDir: string;
}

/** In a project with more packages a person has to name the commands (number guessed). */
const MOST_PACKAGES = 8;
const MOST_TESTS = 8;
const TEST_FILE =
  /(?:^|\/)(?:test_[^/]*\.py|[^/]*_test\.py|[^/]*[._]test\.[cm]?[jt]sx?|test\.[cm]?[jt]sx?|tests?\/[^/]*\.[cm]?[jt]s)$/;

/**
 * Looks at the project's top and at the package in which the user started. Where neither names a
 * command, every package of the project is looked at.
 */
export async function chooseVerify(input: ChoiceInput): Promise<VerifyChoice> {
  const { files, startDir } = input;
  const dirs = listPackages(files);
  const own = dirs.filter((dir) =>
    dir !== "" && (startDir === dir || startDir.startsWith(`${dir}/`))
  )
    .slice(-1);
  const first = await chooseFrom(["", ...own], input);
  if (first.verify.length + first.left.length > 0) return first;
  const others = dirs.filter((dir) => dir !== "");
  return others.length > MOST_PACKAGES ? first : await chooseFrom(others, input);
}

/** Folders of all packages of the project, sorted; the project itself is the empty path. */
export function listPackages(files: readonly string[]): readonly string[] {
  const dirs = files.filter((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return MANIFESTS.includes(name);
  }).map(folderOf);
  return [...new Set(dirs)].sort();
}

async function chooseFrom(dirs: readonly string[], input: ChoiceInput): Promise<VerifyChoice> {
  const verify: VerifyProposal[] = [];
  const left: UnusableCommand[] = [];
  for (const dir of dirs) {
    for (const candidate of listVerifyCandidates(readPackage(dir, input))) {
      const chosen = await chooseRun(candidate, input);
      const { runs: _, ...row } = candidate;
      if (chosen.way === null) left.push(...chosen.left);
      else verify.push({ ...row, ...chosen.way });
    }
  }
  return { verify: makeNamesUnique(verify), left };
}

async function chooseRun(
  { runs }: VerifyCandidate,
  place: StartContext,
): Promise<{
  readonly way: VerifyCandidate["runs"][number] | null;
  readonly left: readonly UnusableCommand[];
}> {
  const left: UnusableCommand[] = [];
  for (const way of runs) {
    const fault = await findStartFault(way.run, place);
    if (fault === null) return { way, left };
    left.push({ run: way.run, fault });
  }
  return { way: null, left };
}

function readPackage(dir: string, { root, files }: ChoiceInput): PackageFiles {
  const prefix = dir === "" ? "" : `${dir}/`;
  const paths = byLargestFolder(
    files.filter((path) => path.startsWith(prefix) && TEST_FILE.test(path)),
  ).slice(0, MOST_TESTS);
  const inits = [...new Set(paths.map((path) => `${folderOf(path)}/__init__.py`))];
  const sources = new Set([...VERIFY_SOURCES.map((name) => prefix + name), ...inits]);
  const texts = readTexts(root, [...sources]);
  const tests = readTexts(root, paths);
  const strip = ([path, text]: readonly [string, string]) => ({
    path: path.slice(prefix.length),
    text,
  });
  return {
    dir,
    texts: Object.fromEntries(texts.map(([path, text]) => [path.slice(prefix.length), text])),
    tests: tests.map(strip),
  };
}

/** Files of the folder that holds most of them first: a project's tests lie there, and a few beside its scripts. */
function byLargestFolder(paths: readonly string[]): readonly string[] {
  const folders = Map.groupBy(paths, folderOf);
  const groups = [...folders.values()].sort((one, other) => other.length - one.length);
  const [largest = []] = groups;
  // Some of the largest, then one of each folder in turn, so that none of them is overlooked.
  const rest = largest.map((_, at) => groups.slice(1).flatMap((own) => own[at] ?? [])).flat();
  const half = MOST_TESTS / 2;
  return [
    ...largest.slice(0, half),
    ...rest.slice(0, half),
    ...largest.slice(half),
    ...rest.slice(half),
  ];
}

function readTexts(
  root: string,
  paths: readonly string[],
): readonly (readonly [path: string, text: string])[] {
  return paths.flatMap((path) => {
    const text = readControlTextIfUsable(join(root, path), "manifest", { within: root });
    return text === undefined ? [] : [[path, text] as const];
  });
}

/** Where a command would run. */
export interface StartContext {
  /** Absolute path of the project. */
  readonly root: string;
  /** Folders of programs, as `PATH` has them. */
  readonly path: string;
}

const PYTHON = /^python(?:3(?:\.\d+)?)?$/;
const OWN_PYTHON = /^(?<folder>(?:[^\\/]+\/)*[^\\/]+)\/(?:bin\/python|Scripts\/python\.exe)$/;
const MANAGERS = /^(?:npm|pnpm|yarn|bun)$/;
const ASK_MS = 5_000;
/** Asks Python for a module in isolated mode, so that none of the project's own files is run. */
const HAS_MODULE =
  "import importlib.util, sys; sys.exit(0 if importlib.util.find_spec(sys.argv[1]) else 9)";

/** Why a command cannot start here, in a few words; null where no reason is known. */
export async function findStartFault(
  run: readonly string[],
  { root, path }: StartContext,
): Promise<string | null> {
  const [program = "", ...args] = run;
  const file = await findProgram(program, { cwd: root, path });
  if (file === null) {
    return /[\\/]/.test(program)
      ? `${program} is no program of the project`
      : `${program} is not on PATH`;
  }
  if (PYTHON.test(program) && args[0] === "-m") return await findModuleFault(file, args[1], root);
  if (args[0] === "-m" && OWN_PYTHON.test(program)) {
    return await findOwnModuleFault(program, args[1], root);
  }
  if (
    program.startsWith("node_modules/.bin/") &&
    await findProgram("node", { cwd: root, path }) === null
  ) {
    return "node is not on PATH";
  }
  if (MANAGERS.test(program)) return await findScriptFault(program, args, root);
  return null;
}

/**
 * Whether a virtual environment of the project has a module. Its Python is not started: whatever a repository brings may
 * pass for one, and nobody has allowed it yet.
 */
async function findOwnModuleFault(
  python: string,
  name: string | undefined,
  root: string,
): Promise<string | null> {
  const folder = OWN_PYTHON.exec(python)?.groups?.["folder"] ?? "";
  const top = name?.split(".")[0] ?? "";
  const config = readControlTextIfUsable(join(root, folder, "pyvenv.cfg"), "manifest", {
    within: root,
  });
  const hasOthers = /^include-system-site-packages *= *true/im.test(config ?? "");
  const isBuiltIn = RUNNERS.some((row) => row.isBuiltIn && row.name === top);
  if (hasOthers || isBuiltIn || !/^\w+$/.test(top)) return null;
  const versions = await listNames(join(root, folder, "lib"));
  const places = [
    ...versions.map((version) => join("lib", version, "site-packages")),
    join("Lib", "site-packages"),
  ];
  for (const place of places) {
    const names = await listNames(join(root, folder, place));
    if (names.includes(top) || names.includes(`${top}.py`)) return null;
    // Installed for editing, a package has only its description there.
    const description = `${top.replaceAll("_", "-")}-`.toLowerCase();
    const isDescribed = (one: string) =>
      one.replaceAll("_", "-").toLowerCase().startsWith(description) && /\.dist-info$/.test(one);
    if (names.some(isDescribed)) return null;
  }
  return `${folder} has no module ${top}`;
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Files by which version managers choose another Python for a folder and those below. */
const PYTHON_CHOICES = [".python-version", ".tool-versions", "mise.toml", ".mise.toml"];

/**
 * Asks only for modules from outside of the project: the command finds those of the project itself. Nobody may have
 * looked at the project yet, so Python is asked in another folder: stand-ins of version managers obey files of the
 * folder they are started in. Where there are such files the answer would be about another Python.
 */
async function findModuleFault(
  python: string,
  name: string | undefined,
  root: string,
): Promise<string | null> {
  const top = name?.split(".")[0] ?? "";
  if (!/^\w+$/.test(top)) return null;
  for (const own of [`${top}.py`, join(top, "__init__.py")]) {
    if (await Deno.stat(join(root, own)).then(() => true, () => false)) return null;
  }
  if (await hasChoice(root)) return null;
  try {
    const asked = ["-I", "-c", HAS_MODULE, top];
    const { code } = await runProcess(python, asked, {
      cwd: parse(root).root,
      timeoutMs: ASK_MS,
    });
    if (code === 0) return null;
    return code === 9 ? `python has no module ${top}` : `${python} does not run`;
  } catch (failure) {
    if (failure instanceof CodeIntelError) return failure.message;
    throw failure;
  }
}

async function hasChoice(root: string): Promise<boolean> {
  for (let folder = root;; folder = dirname(folder)) {
    for (const name of PYTHON_CHOICES) {
      if (await Deno.lstat(join(folder, name)).then(() => true, () => false)) return true;
    }
    if (dirname(folder) === folder) return false;
  }
}

async function findScriptFault(
  program: string,
  args: readonly string[],
  root: string,
): Promise<string | null> {
  const at = args.indexOf("run");
  const name = args[at + 1];
  const folder = /^(?:--prefix|--dir|--cwd)$/.test(args[0] ?? "") ? args[1] ?? "" : "";
  if (at < 0 || name === undefined || name.startsWith("-")) return null;
  const manifest = join(folder, "package.json").replaceAll("\\", "/");
  const text = readControlTextIfUsable(join(root, manifest), "manifest", { within: root });
  const parsed = text === undefined ? null : parseJsonc(text);
  if (parsed?.kind !== "value") return `${manifest} cannot be read`;
  const given = isRecord(parsed.value) ? parsed.value : {};
  const script = isRecord(given["scripts"]) ? given["scripts"][name] : undefined;
  if (script === undefined) return `${manifest} has no script "${name}"`;
  const [own, tools] = ["dependencies", "devDependencies"].map((key) => hasMembers(given[key]));
  // What Node itself runs may do without tools.
  const isNeeded = own || tools && !/^\s*node\s/.test(String(script));
  return isNeeded && !await hasPackages(folder, root)
    ? `the packages of ${manifest} are not installed: \`${
      [program, ...args.slice(0, at)].join(" ")
    } install\``
    : null;
}

function hasMembers(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0;
}

/** Whether packages were installed in a folder of the project or above it: those of a workspace lie at the top of its repository. */
async function hasPackages(folder: string, root: string): Promise<boolean> {
  for (let dir = join(root, folder);; dir = dirname(dir)) {
    const names = await listNames(dir);
    if (names.includes("node_modules") || names.includes(".pnp.cjs")) return true;
    if (names.includes(".git") || dirname(dir) === dir) return false;
  }
}
