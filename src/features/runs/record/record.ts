/**
 * Records runs of commands: watches them, holds them against a plain run where they fail, and stores what was seen. No
 * failure of recording changes the result of a command.
 */
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../../base/clock.ts";
import { makeOwnFolder } from "../../../base/files/own_folder.ts";
import { clipLine } from "../../../base/text/clip.ts";
import { streamProcess } from "../../../base/processes/process.ts";
import { isPassed } from "../../../evidence/runs/judge_run.ts";
import type {
  CommandResult,
  CoveredResult,
  CoverInput,
  RunCover,
} from "../../../evidence/runs/run_command.ts";
import { isSameOutcome } from "../../../evidence/runs/run_in_checkouts.ts";
import type { VerifyCommand } from "../../../evidence/runs/verify_commands.ts";
import { readHead } from "../../../git/repository.ts";
import { stripColours } from "../../../runners/read_report.ts";
import type { TestReport } from "../../../runners/report.ts";
import { countRan } from "../../../runners/report.ts";
import type { RunPlace } from "../store/run_folder.ts";
import { findProject, saveRun } from "../store/run_folder.ts";
import { checkSharedRuns } from "../store/shared_runs.ts";
import type { WatchPlan } from "./plan_watch.ts";
import type {
  ApartCommand,
  ApartResult,
  ApartWay,
  InsideWay,
  Recording,
  WatchContext,
} from "./recording.ts";
import { resolveRecording } from "./resolve_functions.ts";
import type { FilesBefore } from "./run_contents.ts";
import { askIndex, lookBefore, readUnchanged } from "./run_contents.ts";

/** What recording works with. */
export interface RecorderOptions {
  readonly place: RunPlace;
  readonly plans: readonly WatchPlan[];
  /** Commands with tests that make a whole record together; 0 where the plans are a part of them. */
  readonly commands: number;
  readonly signal: AbortSignal;
  /** Whether each command runs plainly too, so that the time of both is known. */
  readonly compares?: boolean;
  /** Tells how far a way is that runs the parts of a suite one by one. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** How the record of one command ended. */
export interface RecordOutcome {
  readonly command: VerifyCommand;
  readonly runner: string;
  /** Tests, or parts of the suite, that were stored; 0 where nothing was. */
  readonly recorded: number;
  readonly functions: number;
  /** Tests that the runner counted; null where it counted none. */
  readonly counted: number | null;
  readonly watchedMs: number;
  /** Time of the plain run; null where none was made. */
  readonly plainMs: number | null;
  readonly isWhole: boolean;
  readonly notes: readonly string[];
  /** Why nothing was stored, a sentence; null where something was. */
  readonly problem: string | null;
  /** The result that counts: that of the plain run where one was made. Absent for runs apart. */
  readonly result?: CommandResult;
}

type Ending = Omit<RecordOutcome, "command" | "runner">;

const NOTHING = { recorded: 0, functions: 0, isWhole: false, notes: [] } as const;

/** Records the runs of one occasion. */
export class RunRecorder {
  readonly #options: RecorderOptions;
  readonly #batch = crypto.randomUUID();
  readonly #outcomes = new Map<string, RecordOutcome>();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** How each command ended that was recorded, by its name. */
  get outcomes(): ReadonlyMap<string, RecordOutcome> {
    return this.#outcomes;
  }

  /** Watches commands from inside while something else runs them; commands without such a way run as they are. */
  toCover(): RunCover {
    const isInside = ({ way }: WatchPlan) => typeof way !== "string" && way.kind === "inside";
    const find = ({ name }: VerifyCommand) =>
      this.#options.plans.find((plan) => plan.command.name === name && isInside(plan));
    return {
      needsFolder: (command) => find(command) !== undefined,
      cover: async (input, run) => {
        const plan = find(input.command);
        return plan === undefined || input.folder === null
          ? await run({})
          : await this.#watch(plan, { ...input, folder: input.folder }, run);
      },
    };
  }

  /** Runs a command of a way apart, part by part, in the project. */
  async recordApart({ command, runner, way }: WatchPlan, folder: string): Promise<RecordOutcome> {
    const { place, signal, onProgress = () => {} } = this.#options;
    const root = await Deno.realPath(place.projectRoot);
    const before = await lookBefore(place, root);
    const context = {
      ...await this.#prepare({ command, root, folder, before }),
      execute: (part: ApartCommand) => execute(part, { root, signal }),
      onProgress,
    };
    const apart = way as ApartWay;
    const started = performance.now();
    const hindrance = await apart.findHindrance(context);
    if (hindrance !== null) {
      const ending = { ...NOTHING, counted: null, watchedMs: 0, plainMs: null, problem: hindrance };
      return this.#end({ command, runner, ...ending });
    }
    const at = SYSTEM_CLOCK.now().toISOString();
    const recording = await apart.record(context);
    const watchedMs = performance.now() - started;
    const stored = await this.#store(recording, { command, root, before, at });
    return this.#end({ command, runner, watchedMs, plainMs: null, ...stored });
  }

  async #prepare(
    { command, root, folder, before }: {
      readonly command: VerifyCommand;
      readonly root: string;
      readonly folder: string;
      readonly before: FilesBefore | null;
    },
  ): Promise<WatchContext> {
    const own = join(folder, "watched");
    await makeOwnFolder(own, { below: folder, mode: 0o700 });
    const known = before?.known ?? new Map<string, string>();
    return {
      ...{ root, folder: own, run: command.run, signal: this.#options.signal },
      isSource: (path) => known.has(path),
      listSources: () => known.keys(),
    };
  }

  async #watch(
    { command, runner, way }: WatchPlan,
    { checkout, folder }: CoverInput & { readonly folder: string },
    run: Parameters<RunCover["cover"]>[1],
  ): Promise<CoveredResult> {
    const { place, compares = false } = this.#options;
    const project = checkout === null ? "" : await findProject(place);
    const root = await Deno.realPath(join(checkout ?? place.projectRoot, project));
    const inside = way as InsideWay;
    const before = await lookBefore(place, root).catch(() => null);
    const context = await this.#prepare({ command, root, folder, before });
    const env = await inside.prepare(context).catch((error: Error) => error);
    if (env instanceof Error) {
      const ending = { ...NOTHING, counted: null, watchedMs: 0, plainMs: null };
      const problem = `Watching cannot be prepared: ${env.message}.`;
      this.#end({ command, runner, ...ending, problem });
      return await run({});
    }
    const watched = await run(env);
    const told = Object.keys(env).map((name) => `${name}=…`);
    const result = { ...watched, set: [...watched.set ?? [], ...told] };
    if (watched.cancelled || !watched.isStarted) return result;
    const plain = compares || !isPassed(watched) ? await run({}) : null;
    const ending = {
      counted: countTests((plain ?? watched).report),
      watchedMs: watched.durationMs,
      plainMs: plain?.durationMs ?? null,
      result: plain ?? result,
    };
    if (plain !== null && !isSameOutcome([watched], [plain])) {
      const problem = describeDifference(watched, plain);
      this.#end({ command, runner, ...NOTHING, ...ending, problem });
      return plain;
    }
    const at = watched.startedAt;
    const input = { command, root, before, at, counted: ending.counted };
    const stored = await inside.read(context).then((recording) => this.#store(recording, input))
      .catch((error: Error) => ({
        ...NOTHING,
        problem: `The record cannot be read or stored: ${error.message}.`,
      }));
    const { problem } = stored;
    const isOfCommand = problem !== null && !isPassed(ending.result);
    this.#end({
      ...{ command, runner, ...ending, ...stored },
      problem: isOfCommand ? `${describeFailure(ending.result)} ${problem}` : problem,
    });
    return plain ?? result;
  }

  #end(outcome: RecordOutcome): RecordOutcome {
    this.#outcomes.set(outcome.command.name, outcome);
    const { command: { name }, problem } = outcome;
    if (problem !== null) this.#options.place.logger.note(`Record of ${name}: ${problem}`);
    return outcome;
  }

  /** Stores a recording; what keeps it from being stored is a sentence. */
  async #store(
    recording: Recording,
    { command, root, before, at, counted: told }: {
      readonly command: VerifyCommand;
      readonly root: string;
      readonly before: FilesBefore | null;
      readonly at: string;
      /** Tests that the runner counted; absent where each part was run apart. */
      readonly counted?: number | null;
    },
  ): Promise<Pick<Ending, "recorded" | "functions" | "counted" | "isWhole" | "notes" | "problem">> {
    const { place, commands } = this.#options;
    const { notes } = recording;
    const fail = (problem: string) => ({ ...NOTHING, counted: told ?? null, notes, problem });
    if (before === null) return fail("The index is not built yet. Run code-intel index first.");
    const contents = await readUnchanged(root, before);
    const resolved = await askIndex(place, (view) =>
      resolveRecording(recording, (path) => {
        const isKnown = contents.has(path) && view.getFile(path)?.hash === contents.get(path);
        return isKnown ? view.listSymbols(path) : null;
      }));
    if (resolved === null) return fail("The index is gone. Run code-intel index.");
    const { tests, functions } = resolved;
    if (tests.length === 0) return fail(["No test was seen to run.", ...notes].join(" "));
    const { isWhole } = recording;
    // Runners count tests. Who records larger parts to the end knows all of them.
    const isByTest = tests.every(({ unit }) => unit === "test");
    const counted = isByTest && told !== undefined ? told : isWhole ? tests.length : null;
    const repo = await place.openRepo();
    const record = {
      project: await findProject(place),
      batch: this.#batch,
      at,
      head: repo === null ? null : (await readHead(repo)).commit,
      runner: recording.runner,
      command: command.run,
      counted,
      commands,
      isWhole,
      notes,
      files: contents,
      ...resolved,
    };
    await saveRun(place, record);
    const failed = recording.tests.filter(({ outcome }) => outcome === "failed");
    const names = new Set(failed.map(({ name }) => name));
    const refused = isWhole ? await checkSharedRuns(place, record, names) : [];
    const sizes = { recorded: tests.length, functions: functions.length };
    return { ...sizes, counted, isWhole, notes: [...notes, ...refused], problem: null };
  }
}

/** Tests that came to a verdict; null where the runner counts something else. */
function countTests(report: TestReport | null | undefined): number | null {
  return report?.unit === "tests" ? countRan(report) : null;
}

/** How a command failed, with the last line of its output. */
function describeFailure({ exitCode, failure, outputTail }: CommandResult): string {
  const last = clipLine(outputTail.trim().split("\n").at(-1) ?? "", MOST_CHARS);
  return `The command ${failure ?? `failed with exit code ${exitCode}`}: ${last}.`;
}

const MOST_CHARS = 200;
const MOST_NAMED = 3;

function describeDifference(watched: CommandResult, plain: CommandResult): string {
  const names = (one: CommandResult) =>
    new Set((one.report?.failures ?? []).map(({ name }) => name));
  const [seen, usual] = [names(watched), names(plain)];
  const fresh = [...seen].filter((name) => !usual.has(name));
  const lost = [...usual].filter((name) => !seen.has(name));
  const named = [...fresh, ...lost].slice(0, MOST_NAMED).join(", ");
  return "The run gave another result when it was watched than without, so that nothing of it was kept" +
    `${
      named === "" ? "" : `: ${named}`
    }. A test that fails now and then does that too: record again.`;
}

const MOST_OUTPUT_BYTES = 1_048_576;
const PART_MS = 600_000;

async function execute(
  { run, cwd, env = {}, timeoutMs = PART_MS }: ApartCommand,
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
): Promise<ApartResult> {
  const started = performance.now();
  const [program = "", ...args] = run;
  let output = "";
  const decoder = new TextDecoder();
  const onPart = (part: Uint8Array) => {
    output += decoder.decode(part, { stream: true });
    if (output.length > 2 * MOST_OUTPUT_BYTES) output = output.slice(-MOST_OUTPUT_BYTES);
  };
  const options = { cwd: cwd ?? root, env: { CI: "true", ...env }, timeoutMs, signal, onPart };
  const ended = await streamProcess(program, args, options).catch(() => null);
  return {
    exitCode: ended?.kind === "exited" ? ended.code : null,
    output: stripColours(output.slice(-MOST_OUTPUT_BYTES)),
    ms: performance.now() - started,
  };
}
