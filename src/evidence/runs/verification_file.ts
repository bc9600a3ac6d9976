/**
 * The verification runs of a session on disk: finished ones with their results, and a mark of those
 * that run. A run holds the operating system's lock on a file of its own while it lasts, so that a
 * killed process never passes for a running one; this lock keeps nobody from anything.
 */
import { join } from "node:path";
import { toIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { withLock } from "../../base/lock_file.ts";
import { openFile } from "../../base/open_file.ts";
import { checkOwnFile, makeOwnFolder } from "../../base/own_folder.ts";
import type { Seal } from "../../base/seal.ts";
import { lockWithin } from "../../base/try_lock.ts";
import { readSealedJson, writeSealedJson } from "./sealed_json.ts";
import type { RunKind, VerificationRun } from "./verification.ts";

/** A run that some process has begun. */
export interface RunMark {
  readonly id: string;
  readonly kind: RunKind;
  readonly treeAtStart: string;
  readonly commandsHash: string;
  /** Process that runs it. */
  readonly pid: number;
  /** ISO time. */
  readonly startedAt: string;
  /** Name of the present command. */
  readonly command: string;
  /** Process of the present command, null before it runs. */
  readonly commandPid: number | null;
  /** What its commands are known to write. */
  readonly writes: readonly { readonly command: string; readonly globs: readonly string[] }[];
  /** True once some process wants it ended: whatever it still gives proves nothing. */
  readonly isCancelled: boolean;
}

/** All that is remembered of a session's runs. */
export interface StoredRuns {
  readonly running: readonly RunMark[];
  /** Oldest first. */
  readonly runs: readonly VerificationRun[];
}

/** Where the files lie and what seals them. */
export interface VerificationFileOptions {
  /** Absolute path of `.code-intel/sessions`. */
  readonly sessionsDir: string;
  readonly seal: Seal;
}

const FORMAT = 2;
/** Finished runs that are kept, and apart from them one baseline (guessed: outputs are large). */
const MAX_RUNS = 5;
const NOTHING: StoredRuns = { running: [], runs: [] };

/** The runs of one session. */
export class VerificationFile {
  readonly #options: VerificationFileOptions;
  readonly #sessionId: string;
  readonly #path: string;

  constructor(sessionId: string, options: VerificationFileOptions) {
    this.#options = options;
    this.#sessionId = sessionId;
    this.#path = join(options.sessionsDir, `${sessionId}.verify.json`);
  }

  /** What can be believed; a file with a wrong seal or of another session counts for nothing. */
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

  /** When the file was written last, in ms; null where there is none. */
  async readMtimeMs(): Promise<number | null> {
    return await Deno.stat(this.#path).then(({ mtime }) => mtime?.getTime() ?? 0, () => null);
  }

  /** Whether there is a file at all; an archived session has none any more. */
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

/** A mark of life that is held; only {@link release} and the end of the process let it go. */
export interface Hold {
  readonly path: string;
  readonly file: Deno.FsFile;
}

/** Lets a mark of life go and removes its file; only inside the lock of its {@link VerificationFile}. */
export async function release({ path, file }: Hold): Promise<void> {
  await Deno.remove(path).catch(() => {});
  file.close();
}

/** The last runs, and the last baseline however old it is. */
function toKept(runs: readonly VerificationRun[]): readonly VerificationRun[] {
  const baseline = runs.findLast(({ kind }) => kind === "baseline");
  const others = runs.filter(({ kind }) => kind !== "baseline").slice(-MAX_RUNS);
  return baseline === undefined ? others : [baseline, ...others];
}
