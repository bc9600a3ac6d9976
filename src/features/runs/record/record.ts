/**
 * Records runs of commands: watches them, holds them against a plain run where they fail, and stores what was seen. No
 * failure of recording changes the result of a command.
 */
import { join, relative } from "node:path";
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
import { countRan } from "../../../runners/report.ts";
import { quotePath } from "../../../runners/runner.ts";
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
import { STOPPED } from "./channel.ts";
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
  /** Absolute folder in which the commands run; absent for the project, or its checkout. */
  readonly cwd?: string;
  /** Whether each command runs plainly too, so that the time of both is known. */
  readonly compares?: boolean;
  /** Tells how far a way is that runs the parts of a suite one by one. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** How the record of one command ended. */
export interface RecordOutcome {
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
  /** How the command failed, with tests that did; null where it passed. */
  readonly failure: string | null;
  /** Why nothing was stored, a sentence; null where something was. */
  readonly problem: string | null;
}

type Ending = Partial<RecordOutcome>;

/** What of a command is recorded, and where. */
interface Occasion {
  readonly plan: WatchPlan;
  readonly context: WatchContext;
  /** Null where there is no index. */
  readonly before: FilesBefore | null;
}

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

  /**
   * Watches commands from inside while something else runs them.
   *
   * @param others what is asked round each command too; its figures of watched ones are wrong, and must not be read.
   */
  toCover(others?: RunCover): RunCover {
    const find = ({ name }: VerifyCommand) =>
      this.#options.plans.find(({ command, way }) =>
        command.name === name && typeof way !== "string" && way.kind === "inside"
      );
    return {
      needsFolder: (command) =>
        find(command) !== undefined || others?.needsFolder(command) === true,
      cover: async (input, run) => {
        const plan = find(input.command);
        const runBoth: typeof run = async (env) =>
          await others?.cover(input, (more) => run({ ...more, ...env })) ?? await run(env);
        return plan === undefined || input.folder === null
          ? await runBoth({})
          : await this.#watch(plan, { ...input, folder: input.folder }, runBoth);
      },
    };
  }

  /** Runs a command of a way apart, part by part, in the project. */
  async recordApart(plan: WatchPlan, folder: string): Promise<void> {
    const { place, signal, onProgress = () => {} } = this.#options;
    const occasion = await this.#prepare(plan, { root: place.projectRoot, folder });
    const { cwd } = occasion.context;
    const run = (part: ApartCommand) => execute(part, { cwd, signal });
    const context = { ...occasion.context, execute: run, onProgress };
    const way = plan.way as ApartWay;
    const problem = await way.findHindrance(context);
    if (problem !== null) return this.#end(plan, { problem });
    const started = performance.now();
    const at = SYSTEM_CLOCK.now().toISOString();
    const recording = await way.record(context);
    const watchedMs = performance.now() - started;
    const failed = recording.tests.filter(({ outcome }) => outcome === "failed");
    const failure = failed.length === 0 ? null : `Tests failed: ${nameSome(failed)}.`;
    const stored = await this.#store(recording, { ...occasion, at });
    this.#end(plan, { watchedMs, failure, ...stored });
  }

  async #prepare(
    plan: WatchPlan,
    place: { readonly root: string; readonly folder: string },
  ): Promise<Occasion> {
    const root = await Deno.realPath(place.root);
    const before = await lookBefore(this.#options.place, root).catch(() => null);
    const folder = join(place.folder, "watched");
    await makeOwnFolder(folder, { below: place.folder, mode: 0o700 });
    const known = before?.known ?? new Map<string, string>();
    const cwd = this.#options.cwd ?? root;
    const context = {
      ...{ root, cwd, folder, run: plan.command.run, signal: this.#options.signal },
      isSource: (path: string) => known.has(path),
      listSources: () => known.keys(),
    };
    return { plan, context, before };
  }

  async #watch(
    plan: WatchPlan,
    { checkout, folder }: CoverInput & { readonly folder: string },
    run: Parameters<RunCover["cover"]>[1],
  ): Promise<CoveredResult> {
    const { place, compares = false } = this.#options;
    const project = checkout === null ? "" : await findProject(place);
    const root = join(checkout ?? place.projectRoot, project);
    const occasion = await this.#prepare(plan, { root, folder });
    const way = plan.way as InsideWay;
    const env = await way.prepare(occasion.context).catch((error: Error) => error);
    if (env instanceof Error) {
      this.#end(plan, { problem: `Watching cannot be prepared: ${env.message}.` });
      return await run({});
    }
    const watched = await run(env);
    const told = Object.keys(env).map((name) => `${name}=…`);
    const result = { ...watched, set: [...watched.set ?? [], ...told] };
    if (watched.cancelled || !watched.isStarted) return result;
    const plain = compares || !isPassed(watched) ? await run({}) : null;
    // Whoever ends this program ends its command too, perhaps a moment before.
    if (plain?.cancelled || this.#options.signal.aborted) return plain ?? result;
    const final = plain ?? result;
    // Only tests that came to a verdict are counted, and only where the runner counts tests.
    const counted = final.report?.unit === "tests" ? countRan(final.report) : null;
    const times = { watchedMs: watched.durationMs, plainMs: plain?.durationMs ?? null };
    const failure = isPassed(final) ? null : describeFailure(final);
    const ending = { counted, failure, ...times };
    if (plain !== null && !isSameOutcome([watched], [plain])) {
      this.#end(plan, { ...ending, problem: describeDifference(watched, plain) });
      return plain;
    }
    const at = watched.startedAt;
    const stored = await way.read(occasion.context)
      .then((found) => addNotes(found, listMissing(final)))
      .then((recording) => this.#store(recording, { ...occasion, at, counted }))
      .catch((error: Error): Ending => ({
        problem: `The record cannot be read or stored: ${error.message}.`,
      }));
    // A command that fails says why itself.
    const ended = stored.problem && failure !== null ? { notes: [] } : {};
    this.#end(plan, { ...ending, ...stored, ...ended });
    return final;
  }

  #end({ command: { name } }: WatchPlan, ending: Ending): void {
    const nothing = { recorded: 0, functions: 0, counted: null, watchedMs: 0, plainMs: null };
    const usual = { ...nothing, isWhole: false, notes: [], failure: null, problem: null };
    const outcome = { ...usual, ...ending };
    this.#outcomes.set(name, outcome);
    if (outcome.problem === null) return;
    this.#options.place.logger.note(`Record of ${name}: ${outcome.problem}`);
  }

  /** Stores a recording; what keeps it from being stored is a sentence. */
  async #store(
    recording: Recording,
    { context, before, at, counted: told }: Occasion & {
      /** ISO time of the start. */
      readonly at: string;
      /** Tests that the runner counted; absent where each part was run apart. */
      readonly counted?: number | null;
    },
  ): Promise<Ending> {
    const { place, commands } = this.#options;
    const { notes, isWhole, runner } = recording;
    const fail = (problem: string) => ({ notes, problem });
    if (before === null) return fail("The index is not built yet. Run code-intel index first.");
    const files = await readUnchanged(context.root, before);
    const resolved = await askIndex(place, (view) =>
      resolveRecording(recording, (path) => {
        const isKnown = files.has(path) && view.getFile(path)?.hash === files.get(path);
        return isKnown ? view.listSymbols(path) : null;
      }));
    if (resolved === null) return fail("The index is gone. Run code-intel index.");
    const { tests, functions } = resolved;
    if (tests.length === 0) return fail("No test was seen to run.");
    // Runners count tests. Who records larger parts to the end knows all of them.
    const isByTest = tests.every(({ unit }) => unit === "test" || unit === "group");
    const counted = isByTest && told !== undefined ? told : isWhole ? tests.length : null;
    const repo = await place.openRepo();
    const record = {
      ...{ batch: this.#batch, at, runner, command: describeCommand(context), counted, commands },
      project: await findProject(place),
      head: repo === null ? null : (await readHead(repo)).commit,
      ...{ isWhole, notes, files, ...resolved },
    };
    const run = await saveRun(place, record);
    const failed = recording.tests.filter(({ outcome }) => outcome === "failed");
    const names = new Set(failed.map(({ name }) => name));
    const refused = isWhole ? await checkSharedRuns(place, run, names) : [];
    const sizes = { recorded: tests.length, functions: functions.length };
    return { ...sizes, counted, isWhole, notes: [...notes, ...refused] };
  }
}

/** How a command failed: with the tests that did, and the last line of its output. */
function describeFailure({ exitCode, failure, outputTail, report }: CommandResult): string {
  const last = clipLine(outputTail.trim().split("\n").at(-1) ?? "", MOST_CHARS);
  const named = report?.failures.length ? ` (${nameSome(report.failures)})` : "";
  return `The command ${failure ?? `failed with exit code ${exitCode}`}${named}: ${last}.`;
}

function nameSome(failed: readonly { readonly name: string }[]): string {
  const names = failed.slice(0, MOST_NAMED).map(({ name }) => name).join(", ");
  return failed.length > MOST_NAMED ? `${names} and ${failed.length - MOST_NAMED} more` : names;
}

/** Words by which runners stop at a failure. */
const STOPS =
  /^(?:-x|-f|-b|--bail|--exitfirst|--fail-?fast|--maxfail|--stop-on)\b|skipAfterFailure/;
/** How Maven tells a module whose tests it left out. */
const LEFT_OUT = /^\[INFO\] \S.* \.{2,} SKIPPED\b/m;

/** What the output of a run tells to be missing; tracers know the rest. */
function listMissing({ run, report, outputTail }: CommandResult): readonly string[] {
  const stops = (report?.failed ?? 0) > 0 && run.some((word) => STOPS.test(word));
  const isCut = stops || report?.cut !== undefined || LEFT_OUT.test(outputTail);
  const broke = "Tests broke before they could run.";
  return [...isCut ? [STOPPED] : [], ...report?.errors ? [broke] : []];
}

function addNotes(found: Recording, more: readonly string[]): Recording {
  const notes = [...new Set([...found.notes, ...more])];
  return { ...found, notes, isWhole: found.isWhole && more.length === 0 };
}

/** The command as it can be run at the top of the project. */
function describeCommand({ root, cwd, run }: WatchContext): readonly string[] {
  const words = run.map(quotePath).join(" ");
  return cwd === root ? run : ["sh", "-c", `cd ${quotePath(relative(root, cwd))} && ${words}`];
}

const MOST_CHARS = 200;
const MOST_NAMED = 3;

function describeDifference(watched: CommandResult, plain: CommandResult): string {
  const names = (one: CommandResult) =>
    new Set((one.report?.failures ?? []).map(({ name }) => name));
  const named = [...names(watched).symmetricDifference(names(plain))].slice(0, MOST_NAMED);
  return [
    "The run gave another result when it was watched than without, so that nothing of it was kept",
    named.length === 0 ? "" : `: ${named.join(", ")}`,
    ". A test that fails now and then does that too: record again.",
  ].join("");
}

const MOST_OUTPUT_BYTES = 1_048_576;
const PART_MS = 600_000;

async function execute(
  { run: [program = "", ...args], cwd, env = {}, timeoutMs = PART_MS }: ApartCommand,
  { cwd: usual, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<ApartResult> {
  const started = performance.now();
  let output = "";
  const decoder = new TextDecoder();
  const onPart = (part: Uint8Array) => {
    output += decoder.decode(part, { stream: true });
    if (output.length > 2 * MOST_OUTPUT_BYTES) output = output.slice(-MOST_OUTPUT_BYTES);
  };
  const options = { cwd: cwd ?? usual, env: { CI: "true", ...env }, timeoutMs, signal, onPart };
  const ended = await streamProcess(program, args, options).catch(() => null);
  return {
    exitCode: ended?.kind === "exited" ? ended.code : null,
    output: stripColours(output.slice(-MOST_OUTPUT_BYTES)),
    ms: performance.now() - started,
  };
}
