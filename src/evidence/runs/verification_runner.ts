/**
 * Runs the verification commands of a session in the background, one after another. There is one run for each session,
 * tree and set of commands, whichever process is asked. No session lock is held meanwhile.
 */
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { invariant } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { Seal } from "../../base/files/seal.ts";
import type { Hold } from "./verification_file.ts";
import {
  buildRunning,
  findAndHold,
  findRunOnDisk,
  hashRunId,
  isVoidRun,
  raceTimer,
  releaseHold,
  requestEnd,
  RUN_ID,
  VerificationFile,
  withoutRun,
} from "./verification_file.ts";
import type { RunProgress } from "./run_in_checkouts.ts";
import { Runs } from "./run_in_checkouts.ts";
import type {
  RunKind,
  RunMark,
  VerificationRequest,
  VerificationRun,
  VerificationState,
} from "./verification.ts";

/** What the runner needs. */
export interface RunnerOptions {
  /** Folder in which the commands run, absolute. */
  readonly projectRoot: string;
  /** Absolute path of the project's `.code-intel` folder. */
  readonly codeIntelDir: string;
  /** The user's state folder; null without a home folder. */
  readonly stateDir: string | null;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A run of this process. */
interface OwnRun {
  readonly request: VerificationRequest;
  readonly mark: RunMark;
  readonly hold: Hold;
  readonly file: VerificationFile;
  readonly controller: AbortController;
  readonly now: RunProgress;
  seenMtimeMs: number;
}

/** Pause between two looks at a run of another process. */
const LOOK_MS = 200;
/** Longest wait for runs of other processes to end (guessed; their commands are killed at once). */
const END_WAIT_MS = 5_000;

/** Runs verification commands in the background and remembers their results; nothing is started before the first call. */
export class VerificationRunner {
  readonly #options: RunnerOptions;
  readonly #running = new Map<string, { readonly own: OwnRun; readonly end: Promise<void> }>();
  /** Finished runs of this process; they count even where files cannot be sealed. */
  readonly #done = new Map<string, VerificationRun>();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /**
   * Starts a run, or returns the running or finished one of the same session, kind, tree, stage entry and
   * commands, whichever process has it. A cancelled or void run is started again. All other runs of
   * the session are ended first, in every process, because two at once would disturb each other.
   */
  async start(request: VerificationRequest): Promise<VerificationState> {
    invariant(request.commands.length > 0, "a run has at least one command");
    const id = hashRunId(request);
    const known = this.#look(id);
    if (known !== null && !isVoidRun(known)) return known;
    this.#done.delete(id);
    await this.#endRuns(request.sessionId, (mark) => mark.id !== id, END_WAIT_MS);
    const file = this.#openFile(request.sessionId);
    return await file.withLock(async () => {
      const { state, hold } = await findAndHold(id, file, this.#options.clock);
      // Without the mark of life nothing is started: another process may have it, or it is not free yet.
      return hold === null ? state : await this.#begin({ id, request, file, hold });
    });
  }

  /** Waits until the run is done, at most `waitMs`. */
  async wait(id: string, waitMs: number): Promise<VerificationState> {
    const endsAt = performance.now() + waitMs;
    const own = this.#running.get(id);
    if (own !== undefined) {
      await raceTimer(own.end, waitMs);
      return this.#look(id) ?? { kind: "lost", id };
    }
    const sessionId = RUN_ID.exec(id)?.[1];
    for (;;) {
      const state = this.#look(id) ??
        (sessionId === undefined
          ? { kind: "lost" as const, id }
          : await this.#lookOnDisk(id, this.#openFile(sessionId)));
      const leftMs = endsAt - performance.now();
      if (state.kind !== "running" || leftMs <= 0) return state;
      await raceTimer(undefined, Math.min(leftMs, LOOK_MS));
    }
  }

  /**
   * Ends a run of this process and waits until its programs are gone; false when there is no such
   * run.
   */
  async cancel(id: string): Promise<boolean> {
    const found = this.#running.get(id);
    if (found === undefined) return false;
    found.own.controller.abort();
    await found.end;
    return true;
  }

  /**
   * Ends the runs of a session, of one kind or of all, in every process: runs of this process at
   * once, those of others as soon as they see the mark. Later results of an ended run count as
   * cancelled. A baseline that has finished stays.
   */
  async cancelSession(sessionId: string, kind?: RunKind): Promise<void> {
    await this.#endRuns(sessionId, (mark) => kind === undefined || mark.kind === kind);
  }

  /** Ends the commands that killed processes left running. */
  async sweep(sessionId: string): Promise<void> {
    await this.#endRuns(sessionId, () => false);
  }

  /**
   * The running runs of a session, of any process; commands that killed processes left are ended.
   */
  async readRunning(sessionId: string): Promise<readonly RunMark[]> {
    // A mark outlives its process: only the lock of its mark of life shows that the run goes on.
    await this.sweep(sessionId);
    return (await this.#openFile(sessionId).read()).running;
  }

  /** The finished runs of a session that can be trusted, oldest first. */
  async read(sessionId: string): Promise<readonly VerificationRun[]> {
    const { runs } = await this.#openFile(sessionId).read();
    const ids = new Set(runs.map(({ id }) => id));
    const unwritten = [...this.#done.values()]
      .filter((run) => run.sessionId === sessionId && !ids.has(run.id));
    return [...runs, ...unwritten].sort((a, b) => a.startedAt < b.startedAt ? -1 : 1);
  }

  /** Cancels all runs of this process. */
  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((id) => this.cancel(id)));
  }

  /**
   * Ends the wanted runs of a session, and every command whose process is gone. Runs of other processes are marked in
   * the file; they are waited for as long as `waitMs` says.
   */
  async #endRuns(
    sessionId: string,
    isWanted: (mark: RunMark) => boolean,
    waitMs = 0,
  ): Promise<void> {
    const own = [...this.#running.values()].map((found) => found.own.mark)
      .filter((mark) => mark.id.startsWith(`${sessionId}.`) && isWanted(mark));
    await Promise.all(own.map(({ id }) => this.cancel(id)));
    const file = this.#openFile(sessionId);
    if ((await file.read()).running.length === 0) return;
    const endsAt = performance.now() + waitMs;
    const ask = () => requestEnd(file, { isWanted, isOwn: (id) => this.#running.has(id) });
    while (await file.withLock(ask) > 0 && performance.now() < endsAt) {
      await raceTimer(undefined, LOOK_MS);
    }
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }

  #openFile(sessionId: string): VerificationFile {
    const sessionsDir = join(this.#options.codeIntelDir, "sessions");
    return new VerificationFile(sessionId, { sessionsDir, seal: this.#options.seal });
  }

  /** What this process knows about a run. */
  #look(id: string): VerificationState | null {
    const found = this.#running.get(id);
    if (found !== undefined) {
      const { mark, now: { command, purpose, lastLine } } = found.own;
      const words = purpose === null ? command : `${command}, ${purpose}`;
      return { ...buildRunning({ ...mark, command: words }, this.#options.clock), lastLine };
    }
    const done = this.#done.get(id);
    return done === undefined ? null : { kind: "done", run: done };
  }

  async #lookOnDisk(id: string, file: VerificationFile): Promise<VerificationState> {
    return await file.withLock(() => findRunOnDisk(id, file, this.#options.clock));
  }

  async #begin(parts: {
    readonly id: string;
    readonly request: VerificationRequest;
    readonly file: VerificationFile;
    readonly hold: Hold;
  }): Promise<VerificationState> {
    const { id, request, file, hold } = parts;
    const command = request.commands[0]?.name ?? "";
    const mark: RunMark = {
      id,
      kind: request.kind,
      treeAtStart: request.tree,
      commandsHash: request.commandsHash,
      pid: Deno.pid,
      startedAt: this.#now(),
      command,
      commandPid: null,
      writes: request.commands.map(({ name, writes }) => ({ command: name, globs: writes })),
      isCancelled: false,
    };
    try {
      const { running, runs } = await file.read();
      await file.write({ runs, running: [...withoutRun(running, id), mark] });
    } catch (failure) {
      await releaseHold(hold);
      throw failure;
    }
    const controller = new AbortController();
    const own: OwnRun = {
      request,
      mark,
      hold,
      file,
      controller,
      now: { command, purpose: null, lastLine: "" },
      seenMtimeMs: 0,
    };
    const end = this.#run(own).catch((failure) => {
      this.#options.logger.note(`A verification run ended with an error: ${failure}`);
    });
    this.#running.set(id, { own, end });
    return { ...buildRunning(mark, this.#options.clock), lastLine: "" };
  }

  async #run(own: OwnRun): Promise<void> {
    const { request, mark } = own;
    const poll = setInterval(() => void this.#obey(own), LOOK_MS);
    try {
      const runs = await Runs.open({
        ...this.#options,
        ...request,
        runId: mark.id,
        signal: own.controller.signal,
        now: own.now,
        repeatsRed: mark.kind === "verify",
        onStarted: (command, commandPid) => this.#mark(own, { command, commandPid }),
      });
      const placed = await (request.check?.(runs) ?? runs.run(request));
      const end = await runs.end(placed.results.map(({ name }) => name));
      const run = await this.#save(own, {
        id: mark.id,
        kind: mark.kind,
        sessionId: request.sessionId,
        visit: request.visit ?? 0,
        treeAtStart: mark.treeAtStart,
        treeAtEnd: end.tree,
        wrote: end.wrote,
        voided: end.voided,
        commandsHash: mark.commandsHash,
        startedAt: mark.startedAt,
        finishedAt: this.#now(),
        wasCancelled: false,
        ...placed,
      });
      if (!run.wasCancelled) this.#done.set(run.id, run);
      await request.onFinished?.(run);
    } finally {
      clearInterval(poll);
      this.#running.delete(mark.id);
    }
  }

  /** Ends the run when another process has asked for that. */
  async #obey(own: OwnRun): Promise<void> {
    const { file, mark, controller } = own;
    const mtimeMs = await file.readMtimeMs();
    if (mtimeMs === null || mtimeMs === own.seenMtimeMs) return;
    own.seenMtimeMs = mtimeMs;
    const { running } = await file.read();
    if (running.some(({ id, isCancelled }) => id === mark.id && isCancelled)) controller.abort();
  }

  /** Tells other processes which command runs now, and its process id. */
  async #mark(own: OwnRun, now: Pick<RunMark, "command" | "commandPid">): Promise<void> {
    try {
      await own.file.withLock(async () => {
        if (!await own.file.exists()) return;
        const { running, runs } = await own.file.read();
        const others = withoutRun(running, own.mark.id);
        const isCancelled = running.some((one) => one.id === own.mark.id && one.isCancelled);
        const mark = { ...own.mark, ...now, isCancelled };
        await own.file.write({ runs, running: [...others, mark] });
      });
    } catch (failure) {
      this.#options.logger.note(`The state of a verification run cannot be saved: ${failure}`);
    }
  }

  /**
   * Writes the results, as cancelled where somebody asked for that. Results that cannot be written
   * still count in this process.
   */
  async #save(own: OwnRun, ended: VerificationRun): Promise<VerificationRun> {
    const { file, hold, mark, controller } = own;
    let run = { ...ended, wasCancelled: controller.signal.aborted };
    try {
      await file.withLock(async () => {
        if (await file.exists()) {
          const { running, runs } = await file.read();
          const isAsked = running.some(({ id, isCancelled }) => id === mark.id && isCancelled);
          run = { ...run, wasCancelled: run.wasCancelled || isAsked };
          const others = runs.filter(({ id }) => id !== run.id);
          await file.write({ running: withoutRun(running, run.id), runs: [...others, run] });
        }
        await releaseHold(hold);
      });
    } catch (failure) {
      this.#options.logger.note(`The results of a verification run cannot be saved: ${failure}`);
      await releaseHold(hold);
    }
    return run;
  }
}
