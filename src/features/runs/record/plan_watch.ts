/** Says for each command of a project whether its run can be watched, and by which way. */
import { readScriptTexts } from "../../../evidence/runs/trusted_commands.ts";
import type { VerifyCommand } from "../../../evidence/runs/verify_commands.ts";
import { findRunner, programOf } from "../../../runners/narrow_run.ts";
import type { Runner } from "../../../runners/runner.ts";
import { isStartedBy, isTestCommand, RUNNERS } from "../../../runners/runners.ts";
import { UNITTEST } from "../../../runners/rows/unittest.ts";
import { WAYS } from "../ways/ways.ts";
import type { Way } from "./recording.ts";

/** A command that runs tests, with how it is watched. */
export interface WatchPlan {
  readonly command: VerifyCommand;
  /** Name of the runner; the words of the command where none is known. */
  readonly runner: string;
  /** The way, or why there is none, as a sentence with what to do. */
  readonly way: Way | string;
}

/** Plans for those of the commands that run tests. */
export async function planWatches(
  projectRoot: string,
  commands: readonly VerifyCommand[],
): Promise<readonly WatchPlan[]> {
  const plans = await Promise.all(commands.map((command) => planWatch(projectRoot, command)));
  return plans.filter((plan) => plan !== null);
}

/** Programs whose words name files and packages, whatever these are called: `rm -rf pytest`. */
const OTHERS =
  /^(?:rm|rmdir|mv|cp|ln|ls|cat|echo|printf|grep|rg|find|mkdir|touch|chmod|tar|which|pipx?|pip3|git|head|tail)$/;

/** The plan for a command; null for one that runs no tests. */
export async function planWatch(
  projectRoot: string,
  command: VerifyCommand,
): Promise<WatchPlan | null> {
  const { run } = command;
  const behind = await readScriptTexts(projectRoot, [command]);
  const texts = [...run, ...behind.flatMap(({ text }) => text ?? [])];
  const isOther = OTHERS.test(programOf(run[0] ?? ""));
  if (isOther || !isTestCommand({ name: command.name, run: texts })) return null;
  const runner = findWatched(run, texts);
  const { watch, name = run.join(" ") } = runner ?? {};
  const load = watch === undefined ? undefined : WAYS[watch.tracer];
  if (load !== undefined) return { command, runner: name, way: await load() };
  const way = runner === undefined
    ? "No known test runner is named by the command or by the script that it runs. Name the runner's own command: code-intel runs record -- COMMAND."
    : `Runs of ${name} cannot be watched.`;
  return { command, runner: name, way };
}

/** The runner that is started: by the words of the command, then by the texts behind it, then by the language alone. */
function findWatched(run: readonly string[], texts: readonly string[]): Runner | undefined {
  const started = RUNNERS.filter((row) => isStartedBy(texts, row));
  return findRunner(run)?.runner ??
    started.find(({ watch }) => watch !== undefined) ?? started[0] ??
    (run.some((word) => /^(?:python|pypy)[\d.]*$/.test(programOf(word))) ? UNITTEST : undefined);
}
