/**
 * Chooses the verification commands of a new set-up: those that the build files name and this
 * machine can start.
 */
import { join } from "node:path";
import { toFolder } from "../../base/repo_path.ts";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import type { StartPlace } from "./start_fault.ts";
import { findStartFault } from "./start_fault.ts";
import type { PackageFiles } from "../../runners/runner.ts";
import type { VerifyCandidate, VerifyProposal } from "./verify_proposals.ts";
import {
  listVerifyCandidates,
  MANIFESTS,
  toUniqueNames,
  VERIFY_SOURCES,
} from "./verify_proposals.ts";

/** The chosen commands, and those left out because they cannot start here. */
export interface VerifyChoice {
  readonly verify: readonly VerifyProposal[];
  readonly left: readonly LeftCommand[];
}

/** A command that would verify something, but for a fault of this machine. */
export interface LeftCommand {
  readonly run: readonly string[];
  readonly fault: string;
}

/** What the choice is made from. */
export interface ChoiceInput extends StartPlace {
  /** Files of the project, relative to it. */
  readonly files: readonly string[];
  /** The folder in which the person started, relative to the project; empty at its top. */
  readonly startDir: string;
}

/** In a project with more packages a person has to name the commands (number guessed). */
const MOST_PACKAGES = 8;
const MOST_TESTS = 8;
const TEST_FILE =
  /(?:^|\/)(?:test_[^/]*\.py|[^/]*_test\.py|[^/]*[._]test\.[cm]?[jt]sx?|test\.[cm]?[jt]sx?|tests?\/[^/]*\.[cm]?[jt]s)$/;

/**
 * Looks at the project's top and at the package in which the person started. Where neither names a
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
  }).map(toFolder);
  return [...new Set(dirs)].sort();
}

async function chooseFrom(dirs: readonly string[], input: ChoiceInput): Promise<VerifyChoice> {
  const verify: VerifyProposal[] = [];
  const left: LeftCommand[] = [];
  for (const dir of dirs) {
    for (const candidate of listVerifyCandidates(readPackage(dir, input))) {
      const chosen = await chooseRun(candidate, input);
      const { runs: _, ...row } = candidate;
      if (chosen.way === null) left.push(...chosen.left);
      else verify.push({ ...row, ...chosen.way });
    }
  }
  return { verify: toUniqueNames(verify), left };
}

async function chooseRun(
  { runs }: VerifyCandidate,
  place: StartPlace,
): Promise<{
  readonly way: VerifyCandidate["runs"][number] | null;
  readonly left: readonly LeftCommand[];
}> {
  const left: LeftCommand[] = [];
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
  const inits = [...new Set(paths.map((path) => `${toFolder(path)}/__init__.py`))];
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
  const folders = Map.groupBy(paths, toFolder);
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
