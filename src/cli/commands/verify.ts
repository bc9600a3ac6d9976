/** The command `verify`: runs the project's verification commands now, without a session. */
import { SYSTEM_CLOCK } from "../../base/clock.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { buildRefusal } from "../../base/reply.ts";
import type { ProjectVerification } from "../../evidence/runs/project_verification.ts";
import type { CommandResult } from "../../evidence/runs/run_command.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";
import { runWithReport } from "../../evidence/runs/run_command.ts";
import { isPassed, judgeRun } from "../../evidence/runs/judge_run.ts";
import { makeUntrustedProblem } from "../../evidence/runs/project_verification.ts";
import { renderForUser } from "../user_words.ts";
import { openServices, printReply } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";

const MAX_NAMES = 50;
/** Most last lines of output that a person sees: of a failure more than of a success. */
const SHOWN_LINES = { failed: 60, passed: 5 } as const;

/** Runs the commands one after another; only when they are trusted. */
export const VERIFY: Command = {
  usage: "[NAME...]",
  positionals: [0, MAX_NAMES],
  example: "code-intel verify",
  options: [],
  async run(invocation) {
    const { positionals, isJson, terminal } = invocation;
    const { verification, parts: { projectRoot } } = await openServices(invocation);
    const found = await verification.loadCommands();
    const chosen = choose(found, positionals);
    const refusals = "problems" in chosen
      ? chosen.problems
      : found.isTrusted
      ? []
      : [makeUntrustedProblem(found)];
    if (refusals.length > 0 || "problems" in chosen) {
      return await printReply("verify", buildRefusal(refusals), invocation);
    }
    for (const { message } of found.problems) await terminal.err(await renderForUser(message));
    const results = await runAll(chosen.commands, { projectRoot, verification, invocation });
    const verdict = judgeRun({ baseline: null, run: results });
    if (isJson) await terminal.data(`${JSON.stringify(buildReply(verdict, results))}\n`);
    else await terminal.out(terminal.paint(verdict.verdict, "heading"));
    return verdict.verdict === "passed" ? 0 : 1;
  },
};

type Chosen =
  | { readonly commands: readonly VerifyCommand[] }
  | { readonly problems: readonly Problem[] };

function choose(
  { commands: all, faults }: {
    readonly commands: readonly VerifyCommand[];
    /** What in the configuration keeps a command from being read. */
    readonly faults: readonly Problem[];
  },
  names: readonly string[],
): Chosen {
  if (faults.length > 0) return { problems: faults };
  if (all.length === 0) {
    const problem = makeProblem("nothing_to_verify", "config.json names no verification commands", {
      path: ".code-intel/config.json",
      hint: 'Add for example "verify": [{"name": "test", "run": ["npm", "test"]}].',
    });
    return { problems: [problem] };
  }
  const unknown = names.filter((name) => !all.some((command) => command.name === name));
  if (unknown.length > 0) {
    const problem = makeProblem("unknown_command", `There is no command ${unknown.join(", ")}`, {
      hint: `config.json names ${all.map(({ name }) => name).join(", ")}.`,
    });
    return { problems: [problem] };
  }
  return { commands: names.length === 0 ? all : all.filter(({ name }) => names.includes(name)) };
}

async function runAll(
  commands: readonly VerifyCommand[],
  { projectRoot: cwd, verification: { stateDir }, invocation }: {
    readonly projectRoot: string;
    readonly verification: Pick<ProjectVerification, "stateDir">;
    readonly invocation: Invocation;
  },
): Promise<readonly CommandResult[]> {
  const { terminal, signal, isJson } = invocation;
  const results: CommandResult[] = [];
  for (const command of commands) {
    if (signal.aborted) break;
    await terminal.err(`${command.name}: ${command.run.join(" ")}`);
    const place = { checkout: null, worktree: cwd, stateDir };
    const result = await runWithReport(command, { place, cwd, signal, clock: SYSTEM_CLOCK });
    results.push(result);
    if (!isJson) await terminal.out(...formatResult(result));
  }
  return results;
}

/** One command's result for people: how it ended, and the end of its output. */
function formatResult(result: CommandResult): readonly string[] {
  const { name, exitCode, durationMs, failure, outputTail } = result;
  const isGood = isPassed(result);
  const lines = outputTail.trimEnd().split("\n").filter((line) => line !== "");
  const shown = lines.slice(-(isGood ? SHOWN_LINES.passed : SHOWN_LINES.failed));
  const seconds = (durationMs / 1000).toFixed(1);
  const how = isGood ? "passed" : failure ?? `failed with exit code ${exitCode}`;
  return [...shown.map((line) => `  ${line}`), `${name}: ${how} (${seconds} s)`];
}

function buildReply(
  { verdict, failed }: ReturnType<typeof judgeRun>,
  results: readonly CommandResult[],
): Reply {
  return {
    ok: true,
    verdict,
    failed,
    results: results.map((result) => ({
      name: result.name,
      run: result.run,
      exit_code: result.exitCode,
      duration_ms: result.durationMs,
      timed_out: result.timedOut,
      cancelled: result.cancelled,
      failure: result.failure,
      output_bytes: result.outputBytes,
      output_hash: result.outputHash,
      output_tail: result.outputTail,
    })),
  };
}
