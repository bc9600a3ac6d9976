/**
 * Keeps the indexes of other repositories up to date: behind the answers of a server, one repository after the other, or
 * while a command waits for it.
 */
import type { CodeIndex, SyncReport } from "../index/mod.ts";
import { LIMITS } from "../base/settings/limits.ts";

/** What a keeper works with. */
export interface KeeperOptions {
  /** Makes the index of the repository at a root; it is closed after its work. */
  readonly openIndex: (root: string) => CodeIndex;
  /** Told what went wrong. */
  readonly onNotice: (notice: string) => void;
}

/** Brings indexes up to date. */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #end = new AbortController();
  readonly #doneAtMs = new Map<string, number>();
  readonly #waiting: string[] = [];
  #running: Promise<void> | null = null;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Wants the index of a repository up to date soon, unless that was done a moment ago. */
  want(root: string): void {
    const doneAtMs = this.#doneAtMs.get(root) ?? -Infinity;
    const isRecent = performance.now() - doneAtMs < LIMITS.workspaceRefreshMs.value;
    if (isRecent || this.#waiting.includes(root) || this.#end.signal.aborted) return;
    this.#waiting.push(root);
    this.#running ??= this.#run().finally(() => this.#running = null);
  }

  /** Whether the index of a repository is wanted or under way. */
  isBusy(root: string): boolean {
    return this.#waiting.includes(root);
  }

  /**
   * Brings the index of a repository up to date now.
   *
   * @throws {CodeIntelError} as `CodeIndex.sync`.
   */
  async bring(root: string, signal: AbortSignal): Promise<SyncReport> {
    const index = this.#options.openIndex(root);
    try {
      return await index.sync({ signal });
    } finally {
      await index.close();
      this.#doneAtMs.set(root, performance.now());
    }
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let root = this.#waiting[0]; root !== undefined; root = this.#waiting[0]) {
      if (this.#end.signal.aborted) return;
      try {
        await this.bring(root, this.#end.signal);
      } catch (failure) {
        const message = failure instanceof Error ? failure.message : String(failure);
        this.#options.onNotice(`the index of ${root} could not be brought up to date: ${message}`);
      }
      this.#waiting.shift();
    }
  }
}
