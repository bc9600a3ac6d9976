/** Where coverage files usually lie, and for which commands Node is asked to write its own. Pure. */
import { posix } from "node:path";
import { isTestCommand, RUNNERS } from "../../runners/runners.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";

/** Where tools write by default, from the folder of the project or of one of its packages. */
const USUAL: readonly string[] = [
  ...new Set(RUNNERS.flatMap(({ coverage }) => coverage?.files ?? [])),
];
/** Folders of which each file counts, or each file one folder down. */
const USUAL_FOLDERS = RUNNERS.flatMap(({ coverage }) => coverage?.folders ?? []);
/** Endings of coverage files, as words of a command name them. */
const ENDING = /\.(?:info|lcov|out|xml|cov|txt|profile|coverprofile)$/;
const MOST_FOLDERS = 40;

/** Places relative to the worktree. */
export interface CoveragePlaces {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/**
 * Where a command may have written coverage of some files.
 *
 * @param project the project's folder relative to the worktree; empty for its top level.
 * @param files relative to the worktree.
 * @param declared files or folders that the project's settings name, relative to the project.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toCoveragePlaces } from "./coverage_places.ts";
 * const { files } = toCoveragePlaces({
 *   project: "",
 *   files: ["packages/a/src/x.ts"],
 *   declared: ["out/all.info"],
 *   run: ["go", "test", "-coverprofile=tmp/c.txt", "./..."],
 * });
 * for (const path of ["packages/a/coverage/lcov.info", "out/all.info", "tmp/c.txt"]) {
 *   equal(files.includes(path), true);
 * }
 * ```
 */
export function toCoveragePlaces({ project, files, declared, run }: {
  readonly project: string;
  readonly files: readonly string[];
  readonly declared: readonly string[];
  readonly run: readonly string[];
}): CoveragePlaces {
  const folders = new Set([project]);
  for (const file of files) {
    for (let at = posix.dirname(file); folders.size < MOST_FOLDERS; at = posix.dirname(at)) {
      folders.add(at === "." ? "" : at);
      if (at === ".") break;
    }
  }
  const words = run.flatMap((word) => word.split(/[=:,]/)).filter((word) => ENDING.test(word));
  const named = [...declared, ...words].map((path) => posix.join(project, path));
  const spread = (paths: readonly string[]) =>
    [...folders].flatMap((folder) => paths.map((path) => posix.join(folder, path)));
  const isInside = (path: string) => !path.startsWith("../") && !path.startsWith("/");
  return {
    files: [...new Set([...named, ...spread(USUAL)])].filter(isInside),
    folders: [...new Set([...named, ...spread(USUAL_FOLDERS)])].filter(isInside),
  };
}

/** The programs of runners in which Node runs a text of this kind. */
function listPrograms(node: "same text" | "other text"): string {
  return RUNNERS.flatMap(({ coverage, programs }) => coverage?.node === node ? programs : [])
    .join("|");
}

/** Programs that are Node, or start it. */
const NODE = new RegExp(
  `^(?:node|npm|npx|pnpm|pnpx|yarn|tsx|ts-node|c8|nyc|${
    listPrograms("same text")
  })(?:\\.(?:cmd|exe|ps1))?$`,
);
/** Runners that run another text than that of the files, or no Node at all: what V8 counts there says nothing of lines. */
const OTHER_TEXT = new RegExp(
  `\\b(?:react-scripts|cypress|karma|${listPrograms("other text")})\\b`,
);

/**
 * Whether Node is asked to write what V8 counts while a command runs.
 *
 * @param behind texts of the scripts that the command may run.
 */
export function asksNode(
  { name, run }: Pick<VerifyCommand, "name" | "run">,
  behind: readonly string[],
): boolean {
  const program = (run[0] ?? "").replaceAll("\\", "/").split("/").at(-1) ?? "";
  return NODE.test(program) && isTestCommand({ name, run }) &&
    ![...run, ...behind].some((text) => OTHER_TEXT.test(text));
}
