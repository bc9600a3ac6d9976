/**
 * Runs a verification command and reads what it says beside its output: the report of its test runner, and the lines
 * that ran.
 */
import type { CoveredResult, RunCover } from "../runs/run_additions.ts";
import type { RunCommandOptions } from "../runs/run_command.ts";
import { runCommand } from "../runs/run_command.ts";
import type { VerifyCommand } from "../runs/verify_commands.ts";
import { isAskedForReport } from "./asked_report.ts";
import type { RunFolderPlace } from "./run_folder.ts";
import { withRunFolder } from "./run_folder.ts";

/** How a command is run. */
export interface RunAskedOptions extends Omit<RunCommandOptions, "folder"> {
  readonly place: RunFolderPlace;
  /** Reads which lines ran; absent where nobody asks. */
  readonly coverage?: RunCover | undefined;
}

/** Runs a command without a shell. Every failure is a result; nothing is thrown. */
export async function runAsked(
  command: VerifyCommand,
  { place, coverage, ...options }: RunAskedOptions,
): Promise<CoveredResult> {
  const run = async (folder: string | null) => {
    const runWith = async (env: Readonly<Record<string, string>>) =>
      await runCommand(command, {
        ...options,
        ...(folder === null ? {} : { folder }),
        env: { ...env, ...options.env },
      });
    return await coverage?.cover({ command, checkout: place.checkout, folder }, runWith) ??
      await runWith({});
  };
  return coverage?.needsFolder(command) === true || isAskedForReport(command.run)
    ? await withRunFolder(place, run)
    : await run(null);
}
