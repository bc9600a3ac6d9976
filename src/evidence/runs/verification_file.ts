/**
 * The verification runs of a session on disk: finished runs with their results, and marks of running ones; how a run is
 * looked up, taken over and ended. A process holds an operating system's lock on a file of each of
 * its runs. So the run of a killed process never looks alive. That lock keeps nobody from working.
 */
import { createHash } from "node:crypto";
import { formatCanonicalJson } from "../../base/text/json_record.ts";
import type {
  RunMark,
  VerificationRequest,
  VerificationRun,
  VerificationState,
} from "./verification.ts";
import type { Clock } from "../../base/clock.ts";
import { runProcess, signalGroup } from "../../base/processes/process.ts";
import { join } from "node:path";
import { makeIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { lockWithin, withLock } from "../../base/processes/lock_file.ts";
import { openFile } from "../../base/files/open_file.ts";
import { checkOwnFile, makeOwnFolder } from "../../base/files/own_folder.ts";
import type { Seal } from "../../base/files/seal.ts";
import { readSealedJson, writeSealedJson } from "./sealed_json.ts";

/** The form of an id; its group is the session. */
export const RUN_ID = /^(session_[0-9a-z_]+)\.(?:baseline|verify)\.[0-9a-f]{16}$/;

/** The id for one session, purpose, stage entry, tree and set of commands. */
export function hashRunId(
  request: Pick<
    VerificationRequest,
    "sessionId" | "kind" | "tree" | "commandsHash" | "commands" | "visit"
  >,
): string {
  const { sessionId, kind, tree, commandsHash, commands, visit = 0 } = request;
  const parts = { tree, commandsHash, visit, names: commands.map(({ name }) => name) };
  const hash = createHash("sha256").update(formatCanonicalJson(parts)).digest("hex");
  return `${sessionId}.${kind}.${hash.slice(0, 16)}`;
}

/** The environment variable by which a command that outlived its server is recognised. */
export const RUN_VARIABLE = "CODE_INTEL_VERIFICATION";
const SHOW_TIMEOUT_MS = 2_000;

/** Which runs to end. */
export interface EndRunsOptions {
  readonly isWanted: (mark: RunMark) => boolean;
  /** Tells the runs of this process, which are left alone. */
  readonly isOwn: (id: string) => boolean;
}

/**
 * Marks the wanted runs of living processes as cancelled, and removes those of dead ones; call it
 * only under the file's lock. Returns how many have still to end.
 */
export async function requestEnd(
  file: VerificationFile,
  { isWanted, isOwn }: EndRunsOptions,
): Promise<number> {
  const { running, runs } = await file.read();
  const kept: RunMark[] = [];
  let asked = 0;
  for (const mark of running) {
    const hold = isOwn(mark.id) ? null : await file.tryHold(mark.id);
    if (hold !== null) {
      await releaseHold(hold);
      await endOrphan(mark);
      continue;
    }
    if (isWanted(mark)) asked++;
    kept.push(isWanted(mark) ? { ...mark, isCancelled: true } : mark);
  }
  const isSame = kept.length === running.length &&
    kept.every((mark, at) => mark.isCancelled === running[at]?.isCancelled);
  if (!isSame) await file.write({ running: kept, runs });
  return asked;
}

/**
 * Ends the command that a killed server left running, because two commands at once would disturb
 * each other. The process id may belong to another program by now. So only a process with the
 * variable of this run in its environment is ended.
 */
export async function endOrphan({ id, commandPid }: RunMark): Promise<void> {
  if (commandPid === null) return;
  const variables = await listVariables(commandPid);
  if (variables.includes(`${RUN_VARIABLE}=${id}`)) signalGroup(commandPid, "SIGKILL");
}

/**
 * The environment variables of a process as `NAME=value`, with other words of its command line
 * where `ps` prints them. Small Linux systems have no `ps`, and the runtime may read files of
 * `/proc` only through a program.
 */
async function listVariables(pid: number): Promise<readonly string[]> {
  const isLinux = Deno.build.os === "linux";
  const [program, args] = isLinux
    ? ["cat", [`/proc/${pid}/environ`]] as const
    : ["ps", ["eww", "-o", "command=", "-p", `${pid}`]] as const;
  const shown = await runProcess(program, args, { timeoutMs: SHOW_TIMEOUT_MS }).catch(() => null);
  if (shown === null || shown.code !== 0) return [];
  return new TextDecoder().decode(shown.stdout).split(isLinux ? "\0" : /\s+/);
}

type Running = Extract<VerificationState, { readonly kind: "running" }>;

/**
 * The state of a run by its mark; the last line of output is known only to the process that runs
 * it.
 */
export function buildRunning(
  { id, startedAt, command, pid }: Pick<RunMark, "id" | "startedAt" | "command" | "pid">,
  clock: Clock,
): Running {
  const elapsedMs = Math.max(0, clock.now().getTime() - Date.parse(startedAt));
  return { kind: "running", id, elapsedMs, command, lastLine: "", pid };
}

/**
 * The state of a run that some process holds but whose mark was removed by hand; it is waited for
 * all the same.
 */
export function buildUnmarked(id: string): Running {
  return { kind: "running", id, elapsedMs: 0, command: "", lastLine: "", pid: 0 };
}

/** The marks of all other runs. */
export function withoutRun(marks: readonly RunMark[], id: string): readonly RunMark[] {
  return marks.filter((mark) => mark.id !== id);
}

/** The state of a run, and its mark of life where this process has just taken it. */
export interface HeldRun {
  readonly state: VerificationState;
  readonly hold: Hold | null;
}

/** What other processes left of a run, or are running. */
export async function findRunOnDisk(
  id: string,
  file: VerificationFile,
  clock: Clock,
): Promise<VerificationState> {
  const done = await findDone(id, file);
  if (done !== null) return done;
  const { state, hold } = await findAndHold(id, file, clock);
  if (hold !== null) await releaseHold(hold);
  return state;
}

/**
 * Looks up a run for a caller that wants to start it: takes the mark of life where nobody has it,
 * also for a run that is void. Some runtimes may report a mark as taken although it has just become
 * free; then the run is answered as running.
 */
export async function findAndHold(
  id: string,
  file: VerificationFile,
  clock: Clock,
): Promise<HeldRun> {
  const done = await findDone(id, file);
  if (done !== null && !isVoidRun(done)) return { state: done, hold: null };
  const { running } = await file.read();
  const hold = await file.tryHold(id);
  const mark = running.find((candidate) => candidate.id === id);
  if (hold === null) {
    return { state: mark === undefined ? buildUnmarked(id) : buildRunning(mark, clock), hold };
  }
  if (mark !== undefined) await endOrphan(mark);
  return { state: { kind: "lost", id }, hold };
}

/** A finished run on disk, a void one too; null where there is none. */
async function findDone(id: string, file: VerificationFile): Promise<VerificationState | null> {
  const { runs } = await file.read();
  const run = runs.findLast((candidate) => candidate.id === id && !candidate.wasCancelled);
  return run === undefined ? null : { kind: "done", run };
}

/** True for a run whose result proves nothing. */
export function isVoidRun(state: VerificationState): boolean {
  return state.kind === "done" && state.run.voided !== null;
}

/** Waits for an end, at most for a while; without an end for that while. */
export async function raceTimer(end: Promise<void> | undefined, waitMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  await Promise.race(end === undefined ? [pause] : [end, pause]);
  clearTimeout(timer);
}

/** Everything that is stored about a session's runs. */
export interface StoredRuns {
  readonly running: readonly RunMark[];
  /** Finished runs, oldest first. */
  readonly runs: readonly VerificationRun[];
}

/** Where the files are and what seals them. */
export interface VerificationFileOptions {
  /** Absolute path of `.code-intel/sessions`. */
  readonly sessionsDir: string;
  readonly seal: Seal;
}

const FORMAT = 2;
/** Most finished runs that are kept, beside one baseline (guessed: outputs are large). */
const MAX_RUNS = 5;
const NOTHING: StoredRuns = { running: [], runs: [] };

/** The file with the runs of one session. */
export class VerificationFile {
  readonly #options: VerificationFileOptions;
  readonly #sessionId: string;
  readonly #path: string;

  constructor(sessionId: string, options: VerificationFileOptions) {
    this.#options = options;
    this.#sessionId = sessionId;
    this.#path = join(options.sessionsDir, `${sessionId}.verify.json`);
  }

  /** The stored runs; a file with a wrong seal or of another session counts as empty. */
  async read(): Promise<StoredRuns> {
    const found = await readSealedJson(this.#path, this.#options.seal);
    if (found.kind !== "whole") return NOTHING;
    const { format, sessionId, running, runs } = found.value;
    if (format !== FORMAT || sessionId !== this.#sessionId) return NOTHING;
    return { running, runs } as StoredRuns;
  }

  /** Runs `action` while no other process changes the file. */
  async withLock<T>(action: () => Promise<T>): Promise<T> {
    const { sessionsDir } = this.#options;
    await makeOwnFolder(sessionsDir);
    const path = join(sessionsDir, `${this.#sessionId}.verify.lock`);
    return await withLock(path, { timeoutMs: LIMITS.lockWaitMs.value }, action);
  }

  /** Replaces the file; only inside {@link withLock}. */
  async write({ running, runs }: StoredRuns): Promise<void> {
    const value = {
      format: FORMAT,
      sessionId: this.#sessionId,
      running,
      runs: keepNewest(runs),
    };
    await writeSealedJson(this.#path, value, { seal: this.#options.seal });
  }

  /** When the file was last written, in ms; null where there is none. */
  async readMtimeMs(): Promise<number | null> {
    return await Deno.stat(this.#path).then(({ mtime }) => mtime?.getTime() ?? 0, () => null);
  }

  /** Whether the file exists; that of an archived session does not. */
  async exists(): Promise<boolean> {
    return await Deno.stat(this.#path).then(() => true, () => false);
  }

  /** Takes the mark of life of a run; null while a living process has it. */
  async tryHold(id: string): Promise<Hold | null> {
    const path = join(this.#options.sessionsDir, `${id}.alive`);
    checkOwnFile(path);
    const file = await openFile(path, { read: true, write: true, create: true })
      .catch((cause) => {
        throw makeIoError(`open "${path}"`, cause);
      });
    if (await lockWithin(file, 0)) return { path, file };
    file.close();
    return null;
  }
}

/**
 * A mark of life that this process holds; it is freed only by {@link releaseHold} and by the end of the
 * process.
 */
export interface Hold {
  readonly path: string;
  readonly file: Deno.FsFile;
}

/**
 * Frees a mark of life and removes its file; call it only inside the lock of its {@link
 * VerificationFile}.
 */
export async function releaseHold({ path, file }: Hold): Promise<void> {
  await Deno.remove(path).catch(() => {});
  file.close();
}

/** The newest runs, and the newest baseline however old it is. */
function keepNewest(runs: readonly VerificationRun[]): readonly VerificationRun[] {
  const baseline = runs.findLast(({ kind }) => kind === "baseline");
  const others = runs.filter(({ kind }) => kind !== "baseline").slice(-MAX_RUNS);
  return baseline === undefined ? others : [baseline, ...others];
}
