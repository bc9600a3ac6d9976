/**
 * Runs commands once that a person has just allowed, so that it shows at once whether they work on this machine and how
 * long they take.
 */
import { SYSTEM_CLOCK } from "../base/clock.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { toDurationText } from "../base/text/plain_text.ts";
import type { CommandResult } from "../evidence/runs/run_command.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import { runCommand } from "../evidence/runs/run_command.ts";
import type { Invocation } from "./command.ts";

const SHOWN_LINES = 8;
const TRIAL_S = LIMITS.trialRunMs.value / 1_000;

/** Asks whether the commands are to be tried, runs them in the project, and says what became of each; nothing where not. */
export async function tryCommands(
  commands: readonly VerifyCommand[],
  cwd: string,
  { terminal, signal }: Pick<Invocation, "terminal" | "signal">,
): Promise<readonly string[]> {
  const question = `Try them now, up to ${toDurationText(TRIAL_S)} each?`;
  if (!await terminal.confirm(question)) return [];
  const told: string[] = [];
  for (const command of commands) {
    if (signal.aborted) break;
    const timeoutMs = Math.min(command.timeoutMs, LIMITS.trialRunMs.value);
    const result = await runCommand({ ...command, timeoutMs }, {
      cwd,
      signal,
      clock: SYSTEM_CLOCK,
      onProgress: ({ lastLine }) => void terminal.progress(`${command.name}: ${lastLine}`),
    });
    await terminal.progress("");
    await terminal.err(...listLastLines(result));
    told.push(toOutcome(result));
  }
  return told;
}

function listLastLines({ name, outputTail }: CommandResult): readonly string[] {
  const lines = outputTail.trimEnd().split("\n").filter((line) => line.trim() !== "");
  const last = lines.slice(-SHOWN_LINES).map((line) => `  ${line}`);
  return [lines.length > SHOWN_LINES ? `${name}, the last lines:` : `${name}:`, ...last];
}

/** What became of a command, in a line: `test: exit code 0 after 3.2 s`. */
export function toOutcome(result: CommandResult): string {
  const { name, exitCode, durationMs, timedOut, failure } = result;
  const took = toDurationText(durationMs / 1_000);
  if (timedOut) {
    return `${name}: still running after ${took}, so it was ended; with a change it may take its whole time`;
  }
  if (exitCode === null) return `${name}: ${failure ?? "ended"} after ${took}`;
  const cure = exitCode === 0
    ? ""
    : "; what fails here without a change is told apart from what a change breaks";
  return `${name}: exit code ${exitCode} after ${took}${cure}`;
}
