/**
 * The verification runs of a session on disk: finished runs with their results, and marks of
 * running ones. A process holds an operating system's lock on a file of each of its runs, so that
 * the run of a killed process never looks alive; that lock keeps nobody from working.
 */
import { join } from "node:path";
import { toIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { lockWithin, withLock } from "../../base/processes/lock_file.ts";
import { openFile } from "../../base/files/open_file.ts";
import { checkOwnFile, makeOwnFolder } from "../../base/files/own_folder.ts";
import type { Seal } from "../../base/files/seal.ts";
import { readSealedJson, writeSealedJson } from "./sealed_json.ts";
import type { RunMark, VerificationRun } from "./verification.ts";

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
      runs: toKept(runs),
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
        throw toIoError(`open "${path}"`, cause);
      });
    if (await lockWithin(file, 0)) return { path, file };
    file.close();
    return null;
  }
}

/**
 * A mark of life that this process holds; it is freed only by {@link release} and by the end of the
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
export async function release({ path, file }: Hold): Promise<void> {
  await Deno.remove(path).catch(() => {});
  file.close();
}

/** The newest runs, and the newest baseline however old it is. */
function toKept(runs: readonly VerificationRun[]): readonly VerificationRun[] {
  const baseline = runs.findLast(({ kind }) => kind === "baseline");
  const others = runs.filter(({ kind }) => kind !== "baseline").slice(-MAX_RUNS);
  return baseline === undefined ? others : [baseline, ...others];
}
