/**
 * Proposes commands that could verify a change of this project, from the files of its build tools.
 * Pure.
 */
import { toFolder } from "../../base/repo_path.ts";
import { parseJsonc } from "../../base/text/jsonc.ts";

/** A row of `verify` in `config.json`. */
export interface VerifyProposal {
  readonly name: string;
  readonly run: readonly string[];
  /** Changes that it proves something about, as globs; absent means all. */
  readonly paths?: readonly string[];
}

/** A row with several ways to run it, the best one first; the first that can start is proposed. */
export interface VerifyCandidate extends Omit<VerifyProposal, "run"> {
  readonly runs: readonly (readonly string[])[];
}

/** Texts of the files at the top of a package, by name; a file that does not exist is absent. */
export type TopFiles = Readonly<Record<string, string>>;

/** A file of tests: its path in the package, and its text. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** A folder with build files of its own. */
export interface PackageFiles {
  /** Relative to the project, with `/`; empty for the project itself. */
  readonly dir: string;
  readonly texts: TopFiles;
  /** Some of its files of tests. */
  readonly tests: readonly TestFile[];
}

/** A folder with one of these files is a package. */
export const MANIFESTS = [
  "package.json",
  "deno.json",
  "deno.jsonc",
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "Cargo.toml",
  "go.mod",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "composer.json",
  "mix.exs",
  "Package.swift",
  "pubspec.yaml",
  "build.zig",
] as const;

/** Files whose text is read for commands. */
export const VERIFY_SOURCES = [
  ...MANIFESTS,
  "pytest.ini",
  "tox.ini",
  "mvnw",
  "gradlew",
  "Makefile",
  "Rakefile",
  "Gemfile",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "uv.lock",
  "poetry.lock",
  ".venv/pyvenv.cfg",
  ".venv/Scripts/activate",
  "venv/pyvenv.cfg",
  "venv/Scripts/activate",
  "conftest.py",
  "tests/conftest.py",
  "tests/__init__.py",
  "test/__init__.py",
  "phpunit.xml",
  "phpunit.xml.dist",
] as const;

/** Tasks and scripts that verify something, in the order in which they are run. */
const SCRIPTS = ["typecheck", "type-check", "check", "lint", "test"] as const;
/** The test script that `npm init` writes, which always fails. */
const NO_TESTS = /no test specified/;

/** Lists the commands that could be run; the server runs none of them before a person allows it. */
export function listVerifyCandidates(pack: PackageFiles): readonly VerifyCandidate[] {
  const found = [
    ...fromPackage(pack),
    ...fromDeno(pack),
    ...fromPython(pack),
    ...fromRows(pack),
    ...fromComposer(pack),
  ];
  const { dir } = pack;
  return (found.length > 0 ? found : fromMakefile(pack)).map(({ name, runs }) =>
    dir === "" ? { name, runs } : { name: `${name} (${dir})`, runs, paths: [`${dir}/**`] }
  );
}

/** Makes the names of rows unique, because a result is known by the name of its command. */
export function toUniqueNames<Row extends VerifyProposal>(rows: readonly Row[]): readonly Row[] {
  return rows.map((row, index) => {
    const isTaken = rows.slice(0, index).some(({ name }) => name === row.name);
    return isTaken ? { ...row, name: `${row.name} (${row.run[0]})` } : row;
  });
}

type Maker = (pack: PackageFiles) => readonly VerifyCandidate[];

/** Ecosystems with one usual command: the file that shows them, and the command in a folder. */
const ROWS: readonly {
  readonly file: string;
  readonly wrapper?: string;
  /**
   * Program and arguments for a package at `dir`; empty where the command cannot run from the
   * project's top.
   */
  readonly run: (dir: string) => readonly string[];
}[] = [
  {
    file: "Cargo.toml",
    run: (dir) => ["cargo", "test", ...option("--manifest-path", dir, "/Cargo.toml")],
  },
  { file: "go.mod", run: (dir) => ["go", ...option("-C", dir), "test", "./..."] },
  { file: "pom.xml", wrapper: "mvnw", run: (dir) => ["mvn", "-q", ...option("-f", dir), "test"] },
  {
    file: "build.gradle",
    wrapper: "gradlew",
    run: (dir) => ["gradle", ...option("-p", dir), "test"],
  },
  {
    file: "build.gradle.kts",
    wrapper: "gradlew",
    run: (dir) => ["gradle", ...option("-p", dir), "test"],
  },
  { file: "mix.exs", run: (dir) => dir === "" ? ["mix", "test"] : [] },
  { file: "Package.swift", run: (dir) => ["swift", "test", ...option("--package-path", dir)] },
  { file: "pubspec.yaml", run: (dir) => dir === "" ? ["dart", "test"] : [] },
  { file: "build.zig", run: (dir) => dir === "" ? ["zig", "build", "test"] : [] },
];

const fromRows: Maker = ({ dir, texts }) =>
  ROWS.filter(({ file }) => has(texts, file)).flatMap(({ wrapper, run }) => {
    const [program = "", ...args] = run(dir);
    if (program === "") return [];
    const own = wrapper !== undefined && has(texts, wrapper)
      ? `./${dir === "" ? "" : `${dir}/`}${wrapper}`
      : program;
    return [{ name: "test", runs: [[own, ...args]] }];
  });

const fromPackage: Maker = ({ dir, texts, tests }) => {
  const scripts = readNames(texts["package.json"], "scripts");
  const own = LOCKS.find(([lock]) => has(texts, lock))?.[1] ?? NPM;
  // Scripts of a package run with any of the managers, once its dependencies are installed.
  const managers = own === NPM ? [NPM] : [own, NPM];
  const rows = SCRIPTS.filter((name) => name in scripts && !NO_TESTS.test(scripts[name] ?? ""))
    .map((name) => ({
      name,
      runs: [
        ...managers.map(([runner, place]) => [runner, ...option(place, dir), "run", name]),
        ...toInstalled(dir, scripts[name] ?? ""),
      ],
    }));
  const hasBuiltIn = has(texts, "package.json") && rows.every(({ name }) => name !== "test") &&
    tests.some(({ path, text }) => /\.[cm]?[jt]s$/.test(path) && /["']node:test["']/.test(text));
  if (!hasBuiltIn) return rows;
  // Without file names `node --test` takes the tests below the present folder.
  return dir === "" ? [...rows, { name: "test", runs: [["node", "--test"]] }] : rows;
};

/** The installed program that a script of plain words starts, for a machine without any manager of packages. */
function toInstalled(dir: string, script: string): readonly (readonly string[])[] {
  const [program = "", ...args] = script.trim().split(/\s+/);
  const isPlain = /^[\w@%+:,./\s-]+$/.test(script) && /^[\w-]+$/.test(program);
  return dir === "" && isPlain ? [[`node_modules/.bin/${program}`, ...args]] : [];
}

type Manager = readonly [name: string, place: string];

const NPM: Manager = ["npm", "--prefix"];
const LOCKS: readonly (readonly [lock: string, runner: Manager])[] = [
  ["pnpm-lock.yaml", ["pnpm", "--dir"]],
  ["yarn.lock", ["yarn", "--cwd"]],
  ["bun.lock", ["bun", "--cwd"]],
  ["bun.lockb", ["bun", "--cwd"]],
];

const fromDeno: Maker = ({ dir, texts, tests }) => {
  const text = texts["deno.json"] ?? texts["deno.jsonc"];
  const tasks = readNames(text, "tasks");
  const rows = SCRIPTS.filter((name) => name in tasks)
    .map((name) => ({ name, runs: [["deno", "task", ...option("--cwd", dir), name]] }));
  const hasTests = text !== undefined && !("test" in tasks) &&
    tests.some(({ path }) => /(?:^|[/_.])test\.[cm]?[jt]sx?$/.test(path));
  return hasTests ? [...rows, { name: "test", runs: [["deno", "test", ...at(dir)]] }] : rows;
};

const fromPython: Maker = ({ dir, texts, tests }) => {
  const own = tests.filter(({ path }) => path.endsWith(".py"));
  const isPytest = has(texts, "pytest.ini") || has(texts, "conftest.py") ||
    has(texts, "tests/conftest.py") ||
    /\[tool\.pytest|\bpytest\b/.test(texts["pyproject.toml"] ?? "") ||
    /\[(?:tool:)?pytest\]/.test(`${texts["setup.cfg"] ?? ""}${texts["tox.ini"] ?? ""}`) ||
    own.some(({ text }) => /^(?:import pytest|from pytest)\b/m.test(text));
  const pytest = ["pytest", "-q", ...at(dir)];
  // A manager of environments may have put the project's own one anywhere.
  const managed = [["uv.lock", "uv"], ["poetry.lock", "poetry"]] as const;
  const managers = managed.flatMap(([lock, name]) => has(texts, lock) ? [[name, "run"]] : []);
  const pythons = [...listEnvironments(dir, texts), "python3"];
  const runs = isPytest
    ? [
      ...managers.map((manager) => [...manager, ...pytest]),
      ...pythons.map((python) => [python, "-m", ...pytest]),
    ]
    : [];
  const unittests = own.filter(({ text }) => /\bunittest\b/.test(text));
  const unittest = unittests.length > 0 ? toUnittest(dir, texts, unittests) : [];
  const all = [...runs, ...unittest.length === 0 ? [] : pythons.map((own) => [own, ...unittest])];
  const name = isPytest ? "pytest" : "unittest";
  return all.length === 0 ? [] : [{ name, runs: all }];
};

/** The Python of each virtual environment of the package, from the project's top. */
function listEnvironments(dir: string, texts: TopFiles): readonly string[] {
  const inside = (name: string) =>
    has(texts, `${name}/Scripts/activate`) ? "Scripts/python.exe" : "bin/python";
  return [".venv", "venv"].filter((name) => has(texts, `${name}/pyvenv.cfg`))
    .map((name) => `${dir === "" ? "" : `${dir}/`}${name}/${inside(name)}`);
}

/**
 * The runner finds tests below one folder; where that is a package, it needs its top folder too. It looks for `test*.py`
 * unless it is told that the names end otherwise.
 */
function toUnittest(dir: string, texts: TopFiles, tests: readonly TestFile[]): readonly string[] {
  const folders = Map.groupBy(tests, ({ path }) => toFolder(path));
  const [largest, own] = [...folders].reduce((most, one) =>
    one[1].length > most[1].length ? one : most
  );
  const folder = toTop(largest, texts, [...folders.keys()]);
  const start = [dir, folder].filter((part) => part !== "").join("/");
  const isSuffix = own.every(({ path }) => /(?:^|\/)(?!test)[^/]*_test\.py$/.test(path));
  const isPackage = has(texts, `${folder}/__init__.py`);
  return [
    "-m",
    "unittest",
    "discover",
    ...option("-s", start),
    ...(isSuffix ? ["-p", "*_test.py"] : []),
    ...(isPackage ? ["-t", dir === "" ? "." : dir] : []),
  ];
}

/** The folder from which the runner reaches the tests beside the largest folder too: it goes into packages alone. */
function toTop(folder: string, texts: TopFiles, folders: readonly string[]): string {
  const parent = toFolder(folder);
  const isReached = parent !== "" && has(texts, `${folder}/__init__.py`) &&
    folders.some((one) => one === parent || one.startsWith(`${parent}/`) && one !== folder);
  return isReached ? toTop(parent, texts, folders) : folder;
}

const fromComposer: Maker = ({ dir, texts }) => {
  const scripts = readNames(texts["composer.json"], "scripts");
  const rows = SCRIPTS.filter((name) => name in scripts)
    .map((name) => ({ name, runs: [["composer", ...option("-d", dir), "run-script", name]] }));
  const hasRunner = has(texts, "phpunit.xml") || has(texts, "phpunit.xml.dist");
  if (rows.length > 0 || !hasRunner || dir !== "") return rows;
  return [{ name: "test", runs: [["vendor/bin/phpunit"]] }];
};

const fromMakefile: Maker = ({ dir, texts }) => {
  const text = texts["Makefile"] ?? "";
  const rows = ["check", "test"].filter((name) => new RegExp(`^${name}\\s*:(?!=)`, "m").test(text))
    .slice(-1).map((name) => ({ name, runs: [["make", ...option("-C", dir), name]] }));
  const isRake = /\btest\b|TestTask/.test(texts["Rakefile"] ?? "");
  if (rows.length > 0 || !isRake || dir !== "") return rows;
  const rake = ["rake", "test"];
  return [{ name: "test", runs: has(texts, "Gemfile") ? [["bundle", "exec", ...rake]] : [rake] }];
};

/** The option that names the folder of a package; empty at the top of the project. */
function option(name: string, dir: string, rest = ""): readonly string[] {
  return dir === "" ? [] : [name, `${dir}${rest}`];
}

function at(dir: string): readonly string[] {
  return dir === "" ? [] : [dir];
}

function has(files: TopFiles, name: string): boolean {
  return Object.hasOwn(files, name);
}

/** Members of an object inside a JSON file, with their values as texts. */
function readNames(text: string | undefined, member: string): Readonly<Record<string, string>> {
  const parsed = text === undefined ? null : parseJsonc(text);
  if (parsed?.kind !== "value") return {};
  const names = (parsed.value as Readonly<Record<string, unknown>> | null)?.[member];
  if (typeof names !== "object" || names === null) return {};
  return Object.fromEntries(Object.entries(names).map(([name, value]) => [name, String(value)]));
}
