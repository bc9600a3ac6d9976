/** Which commands could verify a change of this project: read off the files that its tools use. Pure. */
import { parseJsonc } from "../base/jsonc.ts";

/** A row of `verify` in `config.json`. */
export interface VerifyProposal {
  readonly name: string;
  readonly run: readonly string[];
}

/** Files at the top of a project by name; what is absent is not there. */
export type TopFiles = Readonly<Record<string, string>>;

/** Files whose text is looked into. */
export const VERIFY_SOURCES = [
  "package.json",
  "deno.json",
  "deno.jsonc",
  "pyproject.toml",
  "pytest.ini",
  "tox.ini",
  "setup.cfg",
  "Cargo.toml",
  "go.mod",
  "pom.xml",
  "mvnw",
  "build.gradle",
  "build.gradle.kts",
  "gradlew",
  "composer.json",
  "Makefile",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "uv.lock",
  "conftest.py",
  "tests/conftest.py",
] as const;

/** Tasks and scripts that verify something, in the order in which they are run. */
const SCRIPTS = ["typecheck", "type-check", "check", "lint", "test"] as const;
/** What `npm init` writes fails on purpose. */
const NO_TESTS = /no test specified/;

/** Proposes commands; nothing is run, and a person has to allow them before the server does. */
export function proposeVerify(files: TopFiles): readonly VerifyProposal[] {
  const found = [
    ...fromPackage(files),
    ...fromDeno(files),
    ...fromPython(files),
    ...fromRows(files),
    ...fromComposer(files),
  ];
  const rows = found.length > 0 ? found : fromMakefile(files);
  return rows.map((row, index) => {
    // A result is told apart by the name of its command.
    const isTaken = rows.slice(0, index).some(({ name }) => name === row.name);
    return isTaken ? { ...row, name: `${row.name} (${row.run[0]})` } : row;
  });
}

/** Ecosystems with one usual command: the file that shows them, and the command. */
const ROWS: readonly {
  readonly file: string;
  readonly wrapper?: string;
  readonly run: readonly string[];
}[] = [
  { file: "Cargo.toml", run: ["cargo", "test"] },
  { file: "go.mod", run: ["go", "test", "./..."] },
  { file: "pom.xml", wrapper: "mvnw", run: ["mvn", "-q", "test"] },
  { file: "build.gradle", wrapper: "gradlew", run: ["gradle", "test"] },
  { file: "build.gradle.kts", wrapper: "gradlew", run: ["gradle", "test"] },
];

function fromRows(files: TopFiles): readonly VerifyProposal[] {
  return ROWS.filter(({ file }) => has(files, file)).map(({ wrapper, run }) => {
    const [program = "", ...args] = run;
    const own = wrapper !== undefined && has(files, wrapper) ? `./${wrapper}` : program;
    return { name: "test", run: [own, ...args] };
  });
}

function fromPackage(files: TopFiles): readonly VerifyProposal[] {
  const scripts = readNames(files["package.json"], "scripts");
  const runner = LOCKS.find(([lock]) => has(files, lock))?.[1] ?? "npm";
  return SCRIPTS.filter((name) => name in scripts && !NO_TESTS.test(scripts[name] ?? ""))
    .map((name) => ({ name, run: [runner, "run", name] }));
}

const LOCKS: readonly (readonly [lock: string, runner: string])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];

function fromDeno(files: TopFiles): readonly VerifyProposal[] {
  const tasks = readNames(files["deno.json"] ?? files["deno.jsonc"], "tasks");
  return SCRIPTS.filter((name) => name in tasks)
    .map((name) => ({ name, run: ["deno", "task", name] }));
}

function fromPython(files: TopFiles): readonly VerifyProposal[] {
  const isPytest = has(files, "pytest.ini") || has(files, "conftest.py") ||
    has(files, "tests/conftest.py") ||
    /\[tool\.pytest|\bpytest\b/.test(files["pyproject.toml"] ?? "") ||
    /\[(?:tool:)?pytest\]/.test(`${files["setup.cfg"] ?? ""}${files["tox.ini"] ?? ""}`);
  if (!isPytest) return [];
  const run = has(files, "uv.lock") ? ["uv", "run", "pytest"] : ["python3", "-m", "pytest"];
  return [{ name: "pytest", run: [...run, "-q"] }];
}

function fromComposer(files: TopFiles): readonly VerifyProposal[] {
  const scripts = readNames(files["composer.json"], "scripts");
  return SCRIPTS.filter((name) => name in scripts)
    .map((name) => ({ name, run: ["composer", "run-script", name] }));
}

function fromMakefile(files: TopFiles): readonly VerifyProposal[] {
  const text = files["Makefile"] ?? "";
  return ["check", "test"].filter((name) => new RegExp(`^${name}\\s*:(?!=)`, "m").test(text))
    .slice(-1).map((name) => ({ name, run: ["make", name] }));
}

function has(files: TopFiles, name: string): boolean {
  return Object.hasOwn(files, name);
}

/** Names of an object inside a JSON file, with their texts where they have one. */
function readNames(text: string | undefined, member: string): Readonly<Record<string, string>> {
  const parsed = text === undefined ? null : parseJsonc(text);
  if (parsed?.kind !== "value") return {};
  const names = (parsed.value as Readonly<Record<string, unknown>> | null)?.[member];
  if (typeof names !== "object" || names === null) return {};
  return Object.fromEntries(Object.entries(names).map(([name, value]) => [name, String(value)]));
}
