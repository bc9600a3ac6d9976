/** The folder beside the index in which this machine keeps what is shared, and the lock of who changes it. */
import { join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { makeOwnFolder } from "../../base/files/own_folder.ts";
import { withLock } from "../../base/processes/lock_file.ts";
import { RemoteStore } from "../../git/remote/remote_store.ts";
import type { ShareState } from "./share_state.ts";
import { readShareState, writeShareState } from "./share_state.ts";

const LOCK_FILE = "share.lock";
const HINT = "Wait for the other `code-intel share` of this project, and run the command again.";

/** One such folder. */
export class ShareFolder {
  /** What was fetched. */
  readonly store: RemoteStore;
  readonly #folder: string;

  /** @param indexFolder absolute path of the folder of the index; nothing is made yet. */
  constructor(indexFolder: string) {
    this.#folder = join(indexFolder, "share");
    this.store = new RemoteStore(join(this.#folder, "store.git"));
  }

  /** What is known now. */
  readState(): ShareState {
    return readShareState(this.#folder);
  }

  /** Changes what is known; call it under the lock. */
  async change(change: Partial<ShareState>): Promise<void> {
    const old = this.readState();
    const isMoved = change.tip !== undefined && change.tip !== old.tip;
    await writeShareState(this.#folder, { ...old, ...(isMoved ? { unfit: {} } : {}), ...change });
  }

  /**
   * Runs `action` while no other process changes the folder.
   *
   * @throws {CodeIntelError} `busy`, `own_path_refused`, `io_failed`.
   */
  async withLock<T>(timeoutMs: number, action: () => Promise<T>): Promise<T> {
    await makeOwnFolder(this.#folder);
    return await withLock(join(this.#folder, LOCK_FILE), { timeoutMs, hint: HINT }, action);
  }
}

/** Whether another process has the lock. */
export function isBusy(failure: unknown): boolean {
  return failure instanceof CodeIntelError && failure.code === "busy";
}
