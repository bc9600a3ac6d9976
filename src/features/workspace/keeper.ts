/**
 * Keeps the indexes of other repositories up to date, one after the other. It works behind the
 * answers of a server. Before the answer of a command it works for a short time, or until all is
 * done where the command waits for that.
 */
import { CodeIntelError } from "../../base/errors.ts";
import type { CodeIndex, SyncReport } from "../../index/index_api.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { waitAtMost } from "../../base/clock.ts";

/** What a keeper works with. */
export interface KeeperOptions {
  /** Makes the index of the repository at a root; it is closed after its work. */
  readonly openIndex: (root: string) => CodeIndex;
  /** Why a folder may not be indexed as a member any more; null where it may. */
  readonly findLoss: (root: string) => string | null;
  /** Called with what went wrong. */
  readonly onNotice: (notice: string) => void;
}

/** Why an answer may lack what a repository has now. */
export type Behind =
  /** So many files changed, more than are read within an answer. */
  | { readonly kind: "pending"; readonly files: number }
  /** There was no time to look. */
  | { readonly kind: "unseen" }
  | { readonly kind: "failed"; readonly reason: string };

/** Repositories that are looked at at once: git answers for one while another one is read. */
const AT_ONCE = 4;
/** So long the end of a keeper waits for looks that took too long (guessed: a batch of files is written within it). */
const CLOSE_WAIT_MS = 1_000;
const UNSEEN: Behind = { kind: "unseen" };

/** Brings indexes up to date. */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #end = new AbortController();
  readonly #doneAtMs = new Map<string, number>();
  readonly #waiting: string[] = [];
  /** What the last look before an answer found; null where the index had everything. */
  readonly #looked = new Map<string, { readonly atMs: number; readonly behind: Behind | null }>();
  /** The indexes of looks that are under way. */
  readonly #looking = new Set<CodeIndex>();
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
   * @throws {CodeIntelError} as `CodeIndex.sync`; `io_failed` where the folder may not be indexed any more.
   */
  async bring(root: string, signal: AbortSignal): Promise<SyncReport> {
    // A folder may have become another one while it waited for its turn.
    const loss = this.#options.findLoss(root);
    if (loss !== null) {
      throw new CodeIntelError("io_failed", `Cannot index the member at ${root}: ${loss}`, {
        hint: "`code-intel workspace remove` takes it out.",
      });
    }
    const index = this.#options.openIndex(root);
    try {
      return await index.sync({ signal });
    } finally {
      await index.close();
      this.#doneAtMs.set(root, performance.now());
      this.#looked.delete(root);
    }
  }

  /**
   * Looks at repositories before an answer, and reads their changed files where these are few. The answer does not wait for
   * what takes longer; it is reported as not seen. Each call begins with another repository, as chance has it, so that the last
   * ones of a long list have their turn too.
   *
   * @param roots those that have an index.
   * @returns those whose indexes do not have everything.
   */
  async freshen(roots: readonly string[]): Promise<ReadonlyMap<string, Behind>> {
    const endsAt = performance.now() + LIMITS.indexWaitMs.value;
    const left = turn(roots.filter((root) => !this.#isRecent(root)));
    for (const root of left) this.#looked.set(root, { atMs: performance.now(), behind: UNSEEN });
    const work = async () => {
      for (let root = left.shift(); root !== undefined; root = left.shift()) {
        const behind = await this.#look(root, endsAt);
        this.#looked.set(root, { atMs: performance.now(), behind });
      }
    };
    const looking = Promise.all(Array.from({ length: AT_ONCE }, work));
    await waitAtMost(looking, LIMITS.indexWaitMs.value);
    const found = roots.map((root) => [root, this.#looked.get(root)?.behind ?? null] as const);
    return new Map(found.flatMap(([root, behind]) => behind === null ? [] : [[root, behind]]));
  }

  #isRecent(root: string): boolean {
    const looked = this.#looked.get(root);
    return looked !== undefined && looked.behind?.kind !== "unseen" &&
      performance.now() - looked.atMs < LIMITS.workspaceRefreshMs.value;
  }

  async #look(root: string, endsAt: number): Promise<Behind | null> {
    if (performance.now() >= endsAt || this.#end.signal.aborted) return UNSEEN;
    const index = this.#options.openIndex(root);
    this.#looking.add(index);
    try {
      const budgetMs = Math.max(0, endsAt - performance.now());
      const { pendingTotal } = await index.ensureFresh({ isBrief: true, budgetMs });
      return pendingTotal === 0 ? null : { kind: "pending", files: pendingTotal };
    } catch (failure) {
      if (!(failure instanceof CodeIntelError)) throw failure;
      return { kind: "failed", reason: failure.message };
    } finally {
      this.#looking.delete(index);
      await index.close();
    }
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#end.abort();
    const closing = Promise.all([...this.#looking].map((index) => index.close()));
    await waitAtMost(closing, CLOSE_WAIT_MS);
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

/** The same list from some place of it on. */
function turn<T>(list: readonly T[]): T[] {
  const at = Math.floor(Math.random() * list.length);
  return [...list.slice(at), ...list.slice(0, at)];
}
