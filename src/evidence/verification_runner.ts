/**
 * Runs the verification commands of a session in the background, one after another: one run for one
 * session, tree and set of commands, whichever process is asked. No lock of a session is held.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { toCanonicalJson } from "../base/canonical_json.ts";
import { invariant } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { runProcess, signalGroup } from "../base/process.ts";
import type { Seal } from "../base/seal.ts";
import { runCommand } from "./run_command.ts";
import type {
  VerificationRequest,
  VerificationResultRow,
  VerificationRun,
  VerificationRunner,
  VerificationState,
} from "./verification.ts";
import type { Hold, RunMark } from "./verification_file.ts";
import { release, VerificationFile } from "./verification_file.ts";

/** What the runner works with. */
export interface VerificationRunnerOptions {
  /** Folder in which the commands run, absolute. */
  readonly projectRoot: string;
  /** Absolute path of the project's `.code-intel` folder. */
  readonly codeIntelDir: string;
  readonly seal: Seal;
  readonly logger: Logger;
}

/** Makes a runner; nothing is started before the first call. */
export function createVerificationRunner(options: VerificationRunnerOptions): VerificationRunner {
  return new BackgroundRunner(options);
}

/** A run of this process. */
interface OwnRun {
  readonly request: VerificationRequest;
  readonly mark: RunMark;
  readonly hold: Hold;
  readonly file: VerificationFile;
  readonly controller: AbortController;
  command: string;
  lastLine: string;
}

/** Between two looks at a run of another process. */
const LOOK_MS = 200;
/** By this variable a command that outlived its server is known. */
const RUN_VARIABLE = "CODE_INTEL_VERIFICATION";
const PS_TIMEOUT_MS = 2_000;
const RUN_ID = /^(session_[0-9a-z_]+)\.(?:baseline|verify)\.[0-9a-f]{16}$/;

class BackgroundRunner implements VerificationRunner {
  readonly #options: VerificationRunnerOptions;
  readonly #running = new Map<string, { readonly own: OwnRun; readonly end: Promise<void> }>();
  /** Finished runs of this process; they count where files cannot be sealed as well. */
  readonly #done = new Map<string, VerificationRun>();

  constructor(options: VerificationRunnerOptions) {
    this.#options = options;
  }

  async start(request: VerificationRequest): Promise<VerificationState> {
    invariant(request.commands.length > 0, "a run has at least one command");
    const id = toRunId(request);
    const known = this.#look(id);
    if (known !== null) return known;
    const file = this.#openFile(request.sessionId);
    return await file.withLock(async () => {
      const state = await this.#lookOnDisk(id, file);
      if (state.kind !== "lost") return state;
      const hold = await file.tryHold(id);
      invariant(hold !== null, "a run without a mark of life can be begun under the lock");
      return await this.#begin({ id, request, file, hold });
    });
  }

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
          : await this.#lookUnderLock(id, this.#openFile(sessionId)));
      const leftMs = endsAt - performance.now();
      if (state.kind !== "running" || leftMs <= 0) return state;
      await raceTimer(undefined, Math.min(leftMs, LOOK_MS));
    }
  }

  async cancel(id: string): Promise<boolean> {
    const found = this.#running.get(id);
    if (found === undefined) return false;
    found.own.controller.abort();
    await found.end;
    return true;
  }

  async read(sessionId: string): Promise<readonly VerificationRun[]> {
    const { runs } = await this.#openFile(sessionId).read();
    const ids = new Set(runs.map(({ id }) => id));
    const unwritten = [...this.#done.values()]
      .filter((run) => run.sessionId === sessionId && !ids.has(run.id));
    return [...runs, ...unwritten].sort((a, b) => a.startedAt < b.startedAt ? -1 : 1);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((id) => this.cancel(id)));
  }

  #openFile(sessionId: string): VerificationFile {
    const sessionsDir = join(this.#options.codeIntelDir, "sessions");
    return new VerificationFile(sessionId, { sessionsDir, seal: this.#options.seal });
  }

  /** What this process knows of a run. */
  #look(id: string): VerificationState | null {
    const found = this.#running.get(id);
    if (found !== undefined) {
      const { command, lastLine, mark } = found.own;
      return { ...toRunning({ ...mark, command }), lastLine };
    }
    const done = this.#done.get(id);
    return done === undefined ? null : { kind: "done", run: done };
  }

  async #lookUnderLock(id: string, file: VerificationFile): Promise<VerificationState> {
    return await file.withLock(() => this.#lookOnDisk(id, file));
  }

  /** What other processes left of a run, or have running; only under the file's lock. */
  async #lookOnDisk(id: string, file: VerificationFile): Promise<VerificationState> {
    const { runs, running } = await file.read();
    const run = runs.findLast((candidate) => candidate.id === id && !candidate.wasCancelled);
    if (run !== undefined) return { kind: "done", run };
    const hold = await file.tryHold(id);
    const mark = running.find((candidate) => candidate.id === id);
    if (hold === null) return mark === undefined ? toUnmarked(id) : toRunning(mark);
    await release(hold);
    if (mark !== undefined) await endOrphan(mark);
    return { kind: "lost", id };
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
      startedAt: new Date().toISOString(),
      command,
      commandPid: null,
    };
    try {
      const { running, runs } = await file.read();
      await file.write({ runs, running: [...withoutId(running, id), mark] });
    } catch (failure) {
      await release(hold);
      throw failure;
    }
    const controller = new AbortController();
    const own: OwnRun = { request, mark, hold, file, controller, command, lastLine: "" };
    const end = this.#run(own).catch((failure) => {
      this.#options.logger.note(`A verification run ended with an error: ${failure}`);
    });
    this.#running.set(id, { own, end });
    return { ...toRunning(mark), lastLine: "" };
  }

  async #run(own: OwnRun): Promise<void> {
    const { request, mark, controller } = own;
    try {
      const results = await this.#runCommands(own);
      const run: VerificationRun = {
        id: mark.id,
        kind: mark.kind,
        sessionId: request.sessionId,
        treeAtStart: mark.treeAtStart,
        commandsHash: mark.commandsHash,
        startedAt: mark.startedAt,
        finishedAt: new Date().toISOString(),
        wasCancelled: controller.signal.aborted,
        results,
      };
      if (!run.wasCancelled) this.#done.set(run.id, run);
      await this.#save(own, run);
      await request.onFinished?.(run);
    } finally {
      this.#running.delete(mark.id);
    }
  }

  async #runCommands(own: OwnRun): Promise<readonly VerificationResultRow[]> {
    const { request, mark, controller } = own;
    const { commands, onProgress, tree } = request;
    const started = performance.now();
    const results: VerificationResultRow[] = [];
    let marking = Promise.resolve();
    for (const [index, command] of commands.entries()) {
      if (controller.signal.aborted) break;
      own.command = command.name;
      own.lastLine = "";
      const result = await runCommand(command, {
        cwd: this.#options.projectRoot,
        signal: controller.signal,
        env: { [RUN_VARIABLE]: mark.id },
        onStarted: (commandPid) => {
          marking = marking.then(() => this.#mark(own, { command: command.name, commandPid }));
        },
        onProgress: ({ lastLine }) => {
          own.lastLine = lastLine;
          const elapsedMs = Math.round(performance.now() - started);
          const position = { position: index + 1, total: commands.length };
          onProgress?.({ command: command.name, ...position, elapsedMs, lastLine });
        },
      });
      results.push({ ...result, treeAtStart: tree });
    }
    await marking;
    return results;
  }

  /** Tells other processes which command runs now, and by which process it is known. */
  async #mark(own: OwnRun, now: Pick<RunMark, "command" | "commandPid">): Promise<void> {
    try {
      await own.file.withLock(async () => {
        if (!await own.file.exists()) return;
        const { running, runs } = await own.file.read();
        const others = withoutId(running, own.mark.id);
        await own.file.write({ runs, running: [...others, { ...own.mark, ...now }] });
      });
    } catch (failure) {
      this.#options.logger.note(`The state of a verification run cannot be saved: ${failure}`);
    }
  }

  /** Writes the results; what cannot be written still counts in this process. */
  async #save(own: OwnRun, run: VerificationRun): Promise<void> {
    const { file, hold } = own;
    try {
      await file.withLock(async () => {
        if (await file.exists()) {
          const { running, runs } = await file.read();
          const others = runs.filter(({ id }) => id !== run.id);
          await file.write({ running: withoutId(running, run.id), runs: [...others, run] });
        }
        await release(hold);
      });
    } catch (failure) {
      this.#options.logger.note(`The results of a verification run cannot be saved: ${failure}`);
      await release(hold);
    }
  }
}

/** One id for one session, purpose, tree and set of commands. */
export function toRunId(
  request: Pick<VerificationRequest, "sessionId" | "kind" | "tree" | "commandsHash" | "commands">,
): string {
  const { sessionId, kind, tree, commandsHash, commands } = request;
  const parts = { tree, commandsHash, names: commands.map(({ name }) => name) };
  const hash = createHash("sha256").update(toCanonicalJson(parts)).digest("hex");
  return `${sessionId}.${kind}.${hash.slice(0, 16)}`;
}

type Running = Extract<VerificationState, { readonly kind: "running" }>;

function toRunning({ id, startedAt, command, pid }: RunMark): Running {
  const elapsedMs = Math.max(0, Date.now() - Date.parse(startedAt));
  return { kind: "running", id, elapsedMs, command, lastLine: "", pid };
}

/** Somebody has the run, and its mark was changed by hand: it is waited for all the same. */
function toUnmarked(id: string): Running {
  return { kind: "running", id, elapsedMs: 0, command: "", lastLine: "", pid: 0 };
}

function withoutId(marks: readonly RunMark[], id: string): readonly RunMark[] {
  return marks.filter((mark) => mark.id !== id);
}

/**
 * A killed server leaves its command running; two at once would disturb each other. Its process id can
 * belong to another program by now: only the variable of this run in its environment proves it, and
 * where `ps` cannot show that, nothing is ended.
 */
async function endOrphan({ id, commandPid }: RunMark): Promise<void> {
  if (commandPid === null) return;
  const args = ["eww", "-o", "command=", "-p", `${commandPid}`];
  const shown = await runProcess("ps", args, { timeoutMs: PS_TIMEOUT_MS }).catch(() => null);
  if (shown === null || shown.code !== 0) return;
  const words = new TextDecoder().decode(shown.stdout).split(/\s+/);
  if (words.includes(`${RUN_VARIABLE}=${id}`)) signalGroup(commandPid, "SIGKILL");
}

async function raceTimer(end: Promise<void> | undefined, waitMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  await Promise.race(end === undefined ? [pause] : [end, pause]);
  clearTimeout(timer);
}
