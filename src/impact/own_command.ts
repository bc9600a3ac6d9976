/**
 * The project's own way to run tests, from its verification commands: what a person set up is known to
 * work, a command made from the language and the build files is a guess.
 */
import { isTestCommand, toNarrowRun, toOwnFiles } from "../language/test_runners.ts";
import { parseGlob } from "../base/text/glob.ts";
import type { TestTools } from "./test_command.ts";
import { quote, toTestCommand } from "./test_command.ts";

/** A verification command of the configuration. */
export interface OwnCommand {
  readonly name: string;
  /** Program and arguments. */
  readonly run: readonly string[];
  /** Globs of the changes that it applies to; null for all. */
  readonly paths: readonly string[] | null;
}

/** What runs the affected tests, and the names of the configured commands that it is made of. */
export interface TestRun {
  readonly command: string;
  readonly from: readonly string[];
}

/**
 * The command that runs the tests: the project's own where it has one for these files, with the files
 * where it takes them; what none of its own runs is guessed.
 *
 * @param tests in the order in which they are to be run.
 * @param own verification commands, in their order.
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { toTestRun } from "./own_command.ts";
 * const own = [{ name: "unit", run: ["uv", "run", "pytest", "-q"], paths: null }];
 * const tools = { texts: {}, hasFile: () => false };
 * deepEqual(toTestRun(["tests/test_a.py"], { own, targets: ["a.py"], tools }), {
 *   command: "uv run pytest -q tests/test_a.py",
 *   from: ["unit"],
 * });
 * ```
 */
export function toTestRun(
  tests: readonly string[],
  { own, targets, tools }: {
    readonly own: readonly OwnCommand[];
    /** Files that change: a command may apply to these and not to their tests. */
    readonly targets: readonly string[];
    readonly tools: TestTools;
  },
): TestRun | null {
  if (tests.length === 0) return null;
  let left = tests;
  const commands: string[] = [];
  const from: string[] = [];
  for (const { name, run, paths } of own) {
    if (!isTestCommand({ name, run }) || !appliesTo(paths, [...targets, ...tests])) continue;
    const files = toOwnFiles(run, tests);
    if (files !== null && files.length === 0) continue;
    commands.push((toNarrowRun(run, files ?? []) ?? run).map(quote).join(" "));
    from.push(name);
    left = files === null ? [] : left.filter((path) => !files.includes(path));
  }
  const guess = toTestCommand(left, tools);
  if (guess !== null) commands.push(guess);
  return commands.length === 0 ? null : { command: commands.join(" && "), from };
}

function appliesTo(globs: readonly string[] | null, files: readonly string[]): boolean {
  if (globs === null) return true;
  return globs.some((glob) => {
    const parsed = parseGlob(glob);
    return parsed.kind === "glob" && files.some(parsed.test);
  });
}
