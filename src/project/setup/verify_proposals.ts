/**
 * Proposes commands that could verify a change of this project, from the files of its build tools.
 * Pure.
 */
import type { PackageFiles, SetupCandidate } from "../../runners/runner.ts";
import { CHECK_SCRIPTS, option, readMembers } from "../../runners/runner.ts";
import { RUNNERS } from "../../runners/runners.ts";

/** A row of `verify` in `config.json`. */
export interface VerifyProposal {
  readonly name: string;
  readonly run: readonly string[];
  /** Changes that it proves something about, as globs; absent means all. */
  readonly paths?: readonly string[];
}

/** A row with several ways to run it, the best one first; the first that can start is proposed. */
export interface VerifyCandidate extends Omit<VerifyProposal, "run"> {
  /** With each way the name that the row has then. */
  readonly runs: readonly { readonly name: string; readonly run: readonly string[] }[];
}

/** A folder with one of these files is a package. */
export const MANIFESTS: readonly string[] = [
  ...new Set(RUNNERS.flatMap(({ setup }) => setup?.manifests ?? [])),
];

/** Files whose text is read for commands. */
export const VERIFY_SOURCES: readonly string[] = [
  ...MANIFESTS,
  ...new Set(RUNNERS.flatMap(({ setup }) => setup?.sources ?? [])),
  "Makefile",
  "Rakefile",
  "Gemfile",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
];

/** Lists the commands that could be run; the server runs none of them before a person allows it. */
export function listVerifyCandidates(pack: PackageFiles): readonly VerifyCandidate[] {
  const found = [
    ...fromPackage(pack),
    ...fromDeno(pack),
    ...RUNNERS.flatMap(({ setup }) => setup?.propose(pack) ?? []),
    ...fromComposer(pack),
  ];
  const own = found.length > 0 ? found : fromMakefile(pack);
  const others = own.filter(({ insteadOf }) => own.some(({ name }) => name === insteadOf));
  return own.filter((one) => !others.includes(one)).map((one) => {
    const ways = [one, ...others.filter(({ insteadOf }) => insteadOf === one.name)];
    return buildCandidate(pack.dir, one.name, ways);
  });
}

function buildCandidate(
  dir: string,
  name: string,
  ways: readonly SetupCandidate[],
): VerifyCandidate {
  const toName = (own: string) => dir === "" ? own : `${own} (${dir})`;
  const runs = ways.flatMap((way) => way.runs.map((run) => ({ name: toName(way.name), run })));
  return { name: toName(name), runs, ...(dir === "" ? {} : { paths: [`${dir}/**`] }) };
}

/** Makes the names of rows unique, because a result is known by the name of its command. */
export function makeNamesUnique<Row extends VerifyProposal>(rows: readonly Row[]): readonly Row[] {
  return rows.map((row, index) => {
    const isTaken = rows.slice(0, index).some(({ name }) => name === row.name);
    return isTaken ? { ...row, name: `${row.name} (${row.run[0]})` } : row;
  });
}

type Maker = (pack: PackageFiles) => readonly SetupCandidate[];

const fromPackage: Maker = ({ dir, texts }) => {
  const scripts = readMembers(texts["package.json"], "scripts");
  const own = LOCKS.find(([lock]) => has(texts, lock))?.[1] ?? NPM;
  // Scripts of a package run with any of the managers, once its dependencies are installed.
  const managers = own === NPM ? [NPM] : [own, NPM];
  return CHECK_SCRIPTS.filter((name) => name in scripts).map((name) => ({
    name,
    runs: [
      ...managers.map(([runner, place]) => [runner, ...option(place, dir), "run", name]),
      ...listInstalled(dir, scripts[name] ?? ""),
    ],
  }));
};

/** The installed program that a script of plain words starts, for a machine without any manager of packages. */
function listInstalled(dir: string, script: string): readonly (readonly string[])[] {
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

const fromDeno: Maker = ({ dir, texts }) => {
  const tasks = readMembers(texts["deno.json"] ?? texts["deno.jsonc"], "tasks");
  return CHECK_SCRIPTS.filter((name) => name in tasks)
    .map((name) => ({ name, runs: [["deno", "task", ...option("--cwd", dir), name]] }));
};

const fromComposer: Maker = ({ dir, texts }) => {
  const scripts = readMembers(texts["composer.json"], "scripts");
  return CHECK_SCRIPTS.filter((name) => name in scripts)
    .map((name) => ({ name, runs: [["composer", ...option("-d", dir), "run-script", name]] }));
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

function has(files: PackageFiles["texts"], name: string): boolean {
  return Object.hasOwn(files, name);
}
