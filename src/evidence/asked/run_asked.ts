/**
 * Runs a verification command and reads what it says beside its output: the report of its test runner, and the lines
 * that ran.
 */
import type { CoverageRequest, CoveredResult } from "../../features/coverage/cover_run.ts";
import { coverRun } from "../../features/coverage/cover_run.ts";
import type { RunCommandOptions } from "../runs/run_command.ts";
import { runCommand } from "../runs/run_command.ts";
import type { VerifyCommand } from "../runs/verify_commands.ts";
import { isAskedForReport } from "./asked_report.ts";
import type { RunFolderPlace } from "./run_folder.ts";
import { withRunFolder } from "./run_folder.ts";

/** How a command is run. */
export interface RunAskedOptions extends Omit<RunCommandOptions, "folder"> {
  readonly place: RunFolderPlace;
  /** What is asked of its coverage; absent for nothing. */
  readonly coverage?: CoverageRequest | undefined;
}

/** Runs a command without a shell. Every failure is a result; nothing is thrown. */
export async function runAsked(
  command: VerifyCommand,
  { place, coverage, ...options }: RunAskedOptions,
): Promise<CoveredResult> {
  const asksNode = coverage?.asksNode.includes(command.name) === true;
  const run = async (folder: string | null) => {
    const input = { command, checkout: place.checkout, folder, request: coverage };
    return await coverRun(input, async (env) =>
      await runCommand(command, {
        ...options,
        ...(folder === null ? {} : { folder }),
        env: { ...env, ...options.env },
      }));
  };
  return asksNode || isAskedForReport(command.run)
    ? await withRunFolder(place, run)
    : await run(null);
}
