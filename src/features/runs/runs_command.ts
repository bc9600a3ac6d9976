/** The commands `runs record` and `runs status`: watch the tests of a project once, and say what is known of them. */
import { DAY_MS, SYSTEM_CLOCK } from "../../base/clock.ts";
import { formatCount, formatTime } from "../../base/text/plain_text.ts";
import { makeProblem } from "../../base/problem.ts";
import type { OkReply, Reply } from "../../base/reply.ts";
import { buildRefusal, refuse } from "../../base/reply.ts";
import { printReply, withServices } from "../../cli/answer.ts";
import type { Command, Invocation } from "../../cli/command.ts";
import { makeUntrustedProblem } from "../../evidence/runs/project_verification.ts";
import type { ProjectCommands } from "../../evidence/runs/project_verification.ts";
import { runWithReport } from "../../evidence/runs/run_command.ts";
import { withRunFolder } from "../../evidence/runs/runner_reports.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";
import { formatExtent } from "../../index/seen_runs.ts";
import { quotePath } from "../../runners/runner.ts";
import type { Services } from "../../services/services_api.ts";
import type { WatchPlan } from "./record/plan_watch.ts";
import { planWatches } from "./record/plan_watch.ts";
import type { RecordOutcome } from "./record/record.ts";
import { RunRecorder } from "./record/record.ts";
import { listRuns } from "./store/open_runs.ts";

/** Watches the test commands of the configuration, or the one that the user typed. */
export const RUNS_RECORD: Command = {
  usage: "[-- COMMAND...]",
  positionals: [0, 500],
  example: "code-intel runs record",
  options: [
    {
      name: "compare",
      kind: "flag",
      summary: "Run each command without the tracer too, and show what watching costs",
    },
    {
      name: "whole",
      kind: "flag",
      summary: "The typed command runs all tests of the project",
    },
  ],
  run: (invocation) =>
    withServices(invocation, async (services) => {
      const reply = await record(services, invocation);
      return await printReply("runs", reply, invocation, formatRecord);
    }, { isServing: true }),
};

async function record(services: Services, invocation: Invocation): Promise<Reply> {
  const { parts: place, verification: { stateDir }, index } = services;
  const { positionals: typed, options, signal, terminal } = invocation;
  const found = await services.verification.loadCommands();
  const configured = await planWatches(place.projectRoot, found.commands);
  const own = findTyped(typed, found);
  const plans = own === null ? configured : await planWatches(place.projectRoot, [own]);
  const refusal = judge(plans, { found, isTyped: own !== null });
  if (refusal !== null) return refusal;
  await terminal.err("Bringing the index up to date");
  await index.sync({ signal });
  const isPart = own !== null && options["whole"] !== true &&
    !configured.some(({ command }) => isSameRun(command.run, own.run));
  const recorder = new RunRecorder({
    place,
    plans,
    commands: isPart ? 0 : own === null || options["whole"] !== true ? configured.length : 1,
    signal,
    compares: options["compare"] === true,
    onProgress: (done, of) => void terminal.err(`${done} of ${of}`),
  });
  for (const plan of plans) {
    if (signal.aborted) break;
    if (typeof plan.way === "string") continue;
    await terminal.err(`${plan.command.name}: ${plan.command.run.join(" ")}`);
    await run(recorder, plan, { projectRoot: place.projectRoot, stateDir, signal });
  }
  return buildReply(plans, recorder.outcomes);
}

async function run(
  recorder: RunRecorder,
  plan: WatchPlan,
  { projectRoot: cwd, stateDir, signal }: {
    readonly projectRoot: string;
    readonly stateDir: string | null;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const place = { checkout: null, worktree: cwd, stateDir };
  if (typeof plan.way !== "string" && plan.way.kind === "apart") {
    await withRunFolder(place, async (folder) => {
      if (folder !== null) await recorder.recordApart(plan, folder);
    });
    return;
  }
  const coverage = recorder.toCover();
  await runWithReport(plan.command, { place, cwd, signal, clock: SYSTEM_CLOCK, coverage });
}

function isSameRun(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at]);
}

/** Who typed a command sees it running and ends it. */
const TYPED_MS = DAY_MS;

/** The typed command; the one of the configuration where it is the same. */
function findTyped(
  typed: readonly string[],
  { commands }: ProjectCommands,
): VerifyCommand | null {
  if (typed.length === 0) return null;
  return commands.find(({ run }) => isSameRun(run, typed)) ??
    { name: "test", run: typed, paths: null, writes: [], timeoutMs: TYPED_MS };
}

/** Why nothing is run. The commands of the configuration need a person's word; a typed one is the word. */
function judge(
  plans: readonly WatchPlan[],
  { found, isTyped }: { readonly found: ProjectCommands; readonly isTyped: boolean },
): Reply | null {
  if (!isTyped && found.faults.length > 0) return buildRefusal(found.faults);
  if (!isTyped && !found.isTrusted) return buildRefusal([makeUntrustedProblem(found)]);
  if (plans.length === 0) {
    const what = isTyped ? "The command runs no tests" : "config.json names no command with tests";
    return refuse("nothing_to_record", what, {
      hint: "Name the project's command: code-intel runs record -- npm test",
    });
  }
  const hindrances = plans.flatMap(({ command, way }) =>
    typeof way === "string"
      ? [makeProblem("not_watched", `${command.name}: ${way}`, { hint: SUPPORTED })]
      : []
  );
  return hindrances.length === plans.length ? buildRefusal(hindrances) : null;
}

const SUPPORTED = "docs/runs.md names the runners that can be watched.";

function buildReply(
  plans: readonly WatchPlan[],
  outcomes: ReadonlyMap<string, RecordOutcome>,
): OkReply {
  const rows = plans.map(({ command: { name }, runner, way }) => {
    const found = outcomes.get(name);
    if (found === undefined) {
      const problem = typeof way === "string" ? way : NOT_RUN;
      return { name, runner, recorded: 0, problem };
    }
    const { watchedMs, plainMs, problem, notes } = found;
    return {
      ...{ name, runner, recorded: found.recorded, counted: found.counted },
      ...{ functions: found.functions, is_whole: found.isWhole },
      watched_ms: Math.round(watchedMs),
      ...(plainMs === null ? {} : {
        plain_ms: Math.round(plainMs),
        overhead: Math.round(100 * watchedMs / Math.max(1, plainMs)) / 100,
      }),
      ...(notes.length === 0 ? {} : { notes }),
      ...(problem === null ? {} : { problem }),
    };
  });
  return { ok: true, total: rows.reduce((sum, row) => sum + row.recorded, 0), commands: rows };
}

const NOT_RUN =
  "It was ended, or could not be started, or there is no home folder in which its record is kept.";

/** A row of the reply. */
type Row = ReturnType<typeof buildReply>["commands"];

function formatRecord(reply: OkReply): readonly string[] {
  const { commands } = reply as { readonly commands?: Row };
  return (commands as readonly Record<string, unknown>[]).flatMap((row) => {
    const { name, runner, recorded, counted, functions, problem, notes = [] } = row;
    if (problem !== undefined) return [`${name}: nothing recorded. ${problem}`];
    const of = typeof counted === "number" && counted > Number(recorded) ? ` of ${counted}` : "";
    const tests = `${recorded}${of} ${recorded === 1 && of === "" ? "test" : "tests"}`;
    const seconds = (Number(row["watched_ms"]) / 1000).toFixed(1);
    const cost = row["overhead"] === undefined
      ? ""
      : `, ${Number(row["overhead"]).toFixed(2)} times as long as without`;
    return [
      `${name}: recorded ${tests} and ${
        formatCount(Number(functions), "function")
      } (${runner}) in ${seconds} s${cost}`,
      ...(notes as readonly string[]).map((note) => `  ${note}`),
    ];
  });
}

/** Says what is recorded, and which commands cannot be watched. */
export const RUNS_STATUS: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel runs status",
  options: [],
  run: (invocation) =>
    withServices(invocation, async (services) => {
      const reply = await readStatus(services);
      return await printReply("runs", reply, invocation, formatStatus);
    }),
};

async function readStatus({ parts, openRuns, verification, index }: Services): Promise<OkReply> {
  const [runs, { commands }] = await Promise.all([
    listRuns(parts),
    verification.loadCommands(),
  ]);
  if (runs.length > 0) await index.ensureFresh();
  const state = runs.length === 0 ? null : await (await openRuns()).load();
  const plans = await planWatches(parts.projectRoot, commands);
  return {
    ok: true,
    extent: state === null ? null : formatExtent(state.extent),
    recorded_at: state?.extent.recordedAt ?? null,
    changed: state?.extent.changed.length ?? 0,
    size_bytes: runs.reduce((sum, { bytes }) => sum + bytes, 0),
    runs: runs.map(({ at, runner, command, tests, counted, isWhole, notes, shared }) => ({
      ...{ at, runner, command: command.map(quotePath).join(" "), recorded: tests.length },
      ...{ counted, is_whole: isWhole },
      ...(shared === undefined ? {} : { by: "shared", maker: shared.maker }),
      ...(notes.length === 0 ? {} : { notes }),
    })),
    commands: plans.map(({ command: { name }, runner, way }) => ({
      name,
      runner,
      is_watched: typeof way !== "string",
      ...(typeof way === "string" ? { why: way } : {}),
    })),
  };
}

function formatStatus(reply: OkReply): readonly string[] {
  const { extent, runs, commands } = reply as {
    readonly extent?: string | null;
    readonly runs?: readonly Record<string, unknown>[];
    readonly commands?: readonly Record<string, unknown>[];
  };
  const megabytes = (Number(reply["size_bytes"]) / 1024 / 1024).toFixed(1);
  return [
    extent === null
      ? "Nothing is recorded yet: `code-intel runs record` runs the tests and watches them."
      : `${extent}; ${formatCount(runs?.length ?? 0, "run")} in ${megabytes} MB`,
    ...(runs ?? []).map(({ at, runner, command, recorded, is_whole: isWhole, maker }) =>
      `  ${formatTime(String(at))} ${command} (${runner}): ${recorded} recorded${
        isWhole === true ? "" : ", not whole"
      }${maker === undefined ? "" : `, shared by ${maker}`}`
    ),
    ...(commands ?? []).flatMap(({ name, why }) => why === undefined ? [] : [`${name}: ${why}`]),
  ];
}
