/** The tests that are nearest to a change, and the commands that run them alone. */
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import { isTestSide, parseTestName } from "../language/test_names.ts";
import { narrowRun } from "../runners/narrow_run.ts";
import type { Change, ChangePlace } from "./change.ts";

/** Finds test files nearest to changed files, both relative to the project. */
export type FindNearTests = (files: readonly string[]) => Promise<readonly string[]>;

/** Test files, relative to the project. */
export interface NearTests {
  /** Those that changed and are there. */
  readonly own: readonly string[];
  /** These first, then those nearest to the changed sources; at most 20. */
  readonly all: readonly string[];
}

const MOST_NEAR = 20;

/** Lists them for a change. */
export async function listNearTests(
  { change, paths, findNearTests }: Pick<ChangePlace, "paths"> & {
    readonly change: Pick<Change, "files">;
    readonly findNearTests: FindNearTests;
  },
): Promise<NearTests> {
  const there = change.files.filter(({ kind }) => kind !== "deleted").map(({ path }) => path);
  const own = there.filter((path) => parseTestName(path) !== null)
    .map((path) => paths.toProject(path));
  const sources = there.filter((path) => !isTestSide(path)).map((path) => paths.toProject(path));
  const near = await findNearTests(sources);
  return { own, all: [...new Set([...own, ...near])].slice(0, MOST_NEAR) };
}

/** A command for some test files alone, where its runner takes them. */
export interface NarrowCommand extends VerifyCommand {
  /** True where it takes no files, so that it runs all of its tests. */
  readonly isWhole: boolean;
}

/** The commands for these test files alone; those that take other files only are left out. */
export function narrowCommands(
  commands: readonly VerifyCommand[],
  tests: readonly string[],
): readonly NarrowCommand[] {
  return commands.flatMap((command) => {
    const run = narrowRun(command.run, tests);
    return run === null ? [] : [{ ...command, run, isWhole: run === command.run }];
  });
}
