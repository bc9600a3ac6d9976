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
import { loadSeen } from "../../services/seen_tests.ts";
import type { Services } from "../../services/services_api.ts";
import type { WatchPlan } from "./record/plan_watch.ts";
import { planWatches } from "./record/plan_watch.ts";
import type { RecordOutcome } from "./record/record.ts";
import { RunRecorder } from "./record/record.ts";
import { listRuns } from "./store/open_runs.ts";
import { formatMegabytes } from "./store/run_folder.ts";

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
      const code = await printReply("runs", reply, invocation, formatRecord);
      // In place of the tests' own step it has to end as they do.
      return "has_failed" in reply && reply["has_failed"] === true ? 1 : code;
    }, { isServing: true }),
};

async function record(services: Services, invocation: Invocation): Promise<Reply> {
  const { parts: place, verification: { stateDir }, index } = services;
  const { positionals: typed, options, signal, terminal } = invocation;
  const found = await services.verification.loadCommands();
  const configured = await planWatches(place.projectRoot, found.commands);
  const own = findTyped(typed, found);
  const cwd = await Deno.realPath(invocation.projectDir);
  const isAtTop = cwd === await Deno.realPath(place.projectRoot);
  const plans = own === null ? configured : await planWatches(place.projectRoot, [own]);
  const isTyped = own !== null;
  if (!isTyped && found.faults.length > 0) return buildRefusal(found.faults);
  if (!isTyped && !found.isTrusted) return buildRefusal([makeUntrustedProblem(found)]);
  const watched = plans.filter(({ way }) => typeof way !== "string");
  const refused = refuseUnwatched(plans, isTyped);
  if (refused !== null) return refused;
  if (stateDir === null) return refuse("no_state_folder", NO_FOLDER, { hint: SET_FOLDER });
  await terminal.err("Bringing the index up to date");
  await index.sync({ signal });
  const isWhole = isTyped && options["whole"] === true;
  const isPart = isTyped && !isWhole &&
    !(isAtTop && configured.some(({ command: { run } }) => isSameRun(run, own.run)));
  const recorder = new RunRecorder({
    ...{ place, plans, signal },
    // A typed command runs where it was typed.
    ...(isTyped ? { cwd } : {}),
    // A typed command that is whole stands alone.
    commands: isPart ? 0 : isWhole ? 1 : configured.length,
    compares: options["compare"] === true,
    onProgress: (done, of) => void terminal.progress(`${done} of ${of}`),
  });
  const where = { checkout: null, worktree: place.projectRoot, stateDir };
  const unstarted = new Map<string, string>();
  for (const plan of watched) {
    const { command, way } = plan;
    if (signal.aborted) break;
    await terminal.err(`${command.name}: ${command.run.join(" ")}`);
    if (typeof way !== "string" && way.kind === "apart") {
      await withRunFolder(
        where,
        async (folder) => await (folder && recorder.recordApart(plan, folder)),
      );
      await terminal.progress("");
      continue;
    }
    const from = isTyped ? cwd : place.projectRoot;
    const run = { place: where, cwd: from, signal, clock: SYSTEM_CLOCK };
    const ended = await runWithReport(command, { ...run, coverage: recorder.toCover() });
    const why = `It ${ended.failure}. Install it, or name it by its path.`;
    if (!ended.isStarted) unstarted.set(command.name, why);
  }
  const usual = signal.aborted
    ? "It was ended before it was done: run it again."
    : `${NO_FOLDER}. ${SET_FOLDER}`;
  return buildReply(plans, recorder.outcomes, (name) => unstarted.get(name) ?? usual);
}

/** Refuses where no command runs tests, or none that can be watched; null where one can. */
function refuseUnwatched(plans: readonly WatchPlan[], isTyped: boolean): Reply | null {
  if (plans.length === 0) {
    const what = isTyped ? "The command runs no tests" : "config.json names no command with tests";
    const hint = "Name the project's command: code-intel runs record -- npm test";
    return refuse("nothing_to_record", what, { hint });
  }
  if (plans.every(({ way }) => typeof way === "string")) {
    const hint = "docs/runs.md names the runners that can be watched.";
    return buildRefusal(
      plans.map(({ command, way }) =>
        makeProblem("not_watched", `${command.name}: ${way}`, { hint })
      ),
    );
  }
  return null;
}

const NO_FOLDER = "There is no folder of the user in which a record can be prepared";
const SET_FOLDER = "Set HOME, or CODE_INTEL_STATE_DIR to a folder that may be written to.";

function isSameRun(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at]);
}

/** The typed command, which whoever sees it running ends; the one of the configuration where it is the same. */
function findTyped(typed: readonly string[], { commands }: ProjectCommands): VerifyCommand | null {
  if (typed.length === 0) return null;
  return commands.find(({ run }) => isSameRun(run, typed)) ??
    { name: "test", run: typed, paths: null, writes: [], timeoutMs: DAY_MS };
}

function buildReply(
  plans: readonly WatchPlan[],
  outcomes: ReadonlyMap<string, RecordOutcome>,
  explain: (name: string) => string,
) {
  const rows = plans.map(({ command: { name }, runner, way }) => {
    const found = outcomes.get(name);
    if (found === undefined) {
      return { name, runner, recorded: 0, problem: typeof way === "string" ? way : explain(name) };
    }
    const { recorded, counted, functions, isWhole, watchedMs, plainMs, problem, notes, failure } =
      found;
    return {
      ...{ name, runner, recorded, counted, functions, is_whole: isWhole },
      watched_ms: Math.round(watchedMs),
      ...(plainMs === null ? {} : {
        plain_ms: Math.round(plainMs),
        overhead: Math.round(100 * watchedMs / Math.max(1, plainMs)) / 100,
      }),
      ...(notes.length === 0 ? {} : { notes }),
      ...(failure === null ? {} : { failure }),
      ...(problem === null ? {} : { problem }),
    };
  });
  const total = rows.reduce((sum, row) => sum + row.recorded, 0);
  const failed = outcomes.values().some(({ failure }) => failure !== null);
  return { ok: true, total, ...(failed ? { has_failed: true } : {}), commands: rows } as const;
}

function formatRecord(reply: OkReply): readonly string[] {
  const { commands } = reply as ReturnType<typeof buildReply>;
  return commands.flatMap((row) => {
    const { name, runner, recorded, problem } = row;
    if (problem !== undefined || !("counted" in row)) {
      const { failure = "", notes = [] } = "notes" in row || "failure" in row ? row : {};
      const why = [failure, problem, ...notes].filter(Boolean).join(" ");
      return [`${name}: nothing recorded. ${why}`];
    }
    const { counted, functions, is_whole: isWhole, watched_ms: ms, overhead, notes = [] } = row;
    const of = counted !== null && counted > recorded ? ` of ${counted}` : "";
    const tests = formatCount(`${recorded}${of}`, "test");
    const cost = overhead === undefined ? "" : `, ${overhead.toFixed(2)} times as long as without`;
    const what = `recorded ${tests} and ${formatCount(functions, "function")}`;
    return [
      `${name}: ${what} (${runner}) in ${(ms / 1000).toFixed(1)} s${cost}`,
      ...(isWhole ? [] : ["  It is no whole record:"]),
      ...notes.map((note) => `  ${note}`),
      ...(row.failure === undefined ? [] : [`  ${row.failure}`]),
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

async function readStatus(services: Services) {
  const { parts, verification } = services;
  const [runs, { commands }] = await Promise.all([
    listRuns(parts),
    verification.loadCommands(),
  ]);
  // What was shared may be older than the index of this machine.
  if (runs.length > 0) await services.index.sync();
  const extent = (runs.length === 0 ? null : await loadSeen(services))?.extent;
  const plans = await planWatches(parts.projectRoot, commands);
  return {
    ok: true,
    extent: extent === undefined ? null : formatExtent(extent),
    recorded_at: extent?.recordedAt ?? null,
    changed: extent?.changed.length ?? 0,
    size_bytes: runs.reduce((sum, { bytes }) => sum + bytes, 0),
    runs: runs.map(({ at, runner, command, tests, counted, commands, isWhole, notes, shared }) => ({
      ...{ at, runner, command: command.map(quotePath).join(" "), recorded: tests.length },
      // A run of a part is no whole record, though all of it is there.
      ...{ counted, is_whole: isWhole && commands > 0 },
      ...(shared === undefined ? {} : { by: "shared", maker: shared.maker }),
      ...(notes.length === 0 ? {} : { notes }),
    })),
    commands: plans.map(({ command: { name }, runner, way }) => ({
      ...{ name, runner, is_watched: typeof way !== "string" },
      ...(typeof way === "string" ? { why: way } : {}),
    })),
  } as const;
}

function formatStatus(reply: OkReply): readonly string[] {
  const { extent, runs, commands, size_bytes: bytes } = reply as Awaited<
    ReturnType<typeof readStatus>
  >;
  return [
    extent === null
      ? "Nothing is recorded yet: `code-intel runs record` runs the tests and watches them."
      : `${extent}; ${formatCount(runs.length, "run")} in ${formatMegabytes(bytes)}`,
    ...runs.map(({ at, runner, command, recorded, is_whole: isWhole, maker }) =>
      `  ${formatTime(at)} ${command} (${runner}): ${recorded} recorded${
        isWhole ? "" : ", not whole"
      }${maker === undefined ? "" : `, shared by ${maker}`}`
    ),
    ...commands.flatMap(({ name, why }) => why === undefined ? [] : [`${name}: ${why}`]),
  ];
}
