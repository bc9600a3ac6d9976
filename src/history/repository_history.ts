/**
 * The past of a project's repository: read behind the answers, a batch at a time, kept for all worktrees, and followed
 * as HEAD moves. An answer takes what is known and never waits for git.
 */
import { waitAtMost } from "../base/clock.ts";
import { CodeIntelError, isGitUnusable } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { CloneDepth, LogCommit } from "../git/log/read_log.ts";
import { listCommitIds, readCloneDepth, readLog } from "../git/log/read_log.ts";
import type { Repository } from "../git/repository.ts";
import { readHead } from "../git/repository.ts";
import type { StoredHistory } from "./history_file.ts";
import { HistoryFile } from "./history_file.ts";
import type { ToTerms } from "./near_messages.ts";
import { MessageIndex } from "./near_messages.ts";
import type { CommitHistory } from "./past.ts";
import { buildHistory } from "./past.ts";

/** A past that can be asked. */
export interface KnownHistory {
  readonly past: CommitHistory;
  readonly messages: MessageIndex;
  /** True in a shallow clone, which has only the last part of its past. */
  readonly isShallow: boolean;
  /** True in a partial clone, which may lack what git needs to tell what a commit changed. */
  readonly isPartial?: boolean;
}

/** How a reading of the past ended. */
export type HistoryReport =
  | { readonly kind: "known"; readonly known: KnownHistory; readonly read: number }
  | { readonly kind: "none"; readonly reason: string };

/** The past of one project. */
export interface RepositoryHistory {
  /**
   * What is known now, null where nothing is; what is missing is read behind the answer.
   */
  peek(): Promise<KnownHistory | null>;
  /**
   * Like {@link RepositoryHistory.peek}, but waits this long for commits that are new since the past was kept. A past
   * that nobody has read yet is neither waited for nor read.
   */
  peekKept(waitMs: number): Promise<KnownHistory | null>;
  /** Brings the past up to date and waits for it. */
  refresh(options?: { readonly signal?: AbortSignal }): Promise<HistoryReport>;
  /** Ends a reading that runs. */
  close(): Promise<void>;
}

/** What the past of a project is read with. */
export interface HistoryOptions {
  /** The repository; null where there is none, or no git. */
  readonly openRepo: () => Promise<Repository | null>;
  /** The folder that all worktrees of a repository share. */
  readonly toFolder: (repo: Repository) => string;
  /** Takes its place where nothing can be written to it; null or absent without one. */
  readonly fallbackFolder?: string | null;
  readonly toTerms: ToTerms;
  /** True in a process that ends with its first answer: it uses what is kept and reads nothing. */
  readonly isBrief?: boolean;
  /** Called where the past cannot be read or kept. */
  readonly onNotice?: (notice: string) => void;
  /** Most commits; default {@link LIMITS}. */
  readonly maxCommits?: number;
}

/** Makes the past of a project. Nothing is opened before the first question. */
export function createHistory(options: HistoryOptions): RepositoryHistory {
  return new ProjectHistory(options);
}

/** Commits of one start of git: few enough that a batch takes a fraction of a second. */
const BATCH = 400;
const AFTER_ANSWER_MS = 300;
/** Messages that are read before other work gets its turn. */
const MESSAGES_A_TURN = 500;

class ProjectHistory implements RepositoryHistory {
  readonly #options: HistoryOptions;
  readonly #closing = new AbortController();
  #file: HistoryFile | undefined;
  #known:
    | { readonly head: string; readonly reach: string; readonly known: KnownHistory }
    | undefined;
  #running: Promise<HistoryReport> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #hasFailed = false;

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  async peek(): Promise<KnownHistory | null> {
    if (this.#options.isBrief === true) return await this.#loadKept();
    if (this.#known === undefined) this.#readSoon();
    else void this.#readBehind();
    return this.#known?.known ?? null;
  }

  /** The first answer of a process would wait for the processor that the reading takes. */
  #readSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.#readBehind();
    }, AFTER_ANSWER_MS);
  }

  async peekKept(waitMs: number): Promise<KnownHistory | null> {
    if (this.#options.isBrief === true) return await this.#loadKept();
    if (this.#known === undefined && !await this.#isKept()) return null;
    await waitAtMost(this.#readBehind(), waitMs);
    return this.#known?.known ?? null;
  }

  /** Never fails. A past that could not be read once is not tried again with each answer. */
  async #readBehind(): Promise<void> {
    if (!this.#hasFailed && !this.#closing.signal.aborted) await this.refresh().catch(() => {});
  }

  async #isKept(): Promise<boolean> {
    const repo = await this.#options.openRepo().catch(() => null);
    return repo !== null && (await this.#toFile(repo).load()).tips.length > 0;
  }

  async refresh({ signal }: { readonly signal?: AbortSignal } = {}): Promise<HistoryReport> {
    const signals = [this.#closing.signal, ...signal === undefined ? [] : [signal]];
    this.#running ??= this.#refresh(AbortSignal.any(signals)).catch((failure) => {
      if (!this.#closing.signal.aborted) this.#note(failure);
      throw failure;
    }).finally(() => this.#running = undefined);
    return await this.#running;
  }

  async close(): Promise<void> {
    clearTimeout(this.#soon);
    this.#closing.abort();
    await this.#running?.catch(() => {});
  }

  #note(failure: unknown): void {
    this.#hasFailed = true;
    const message = failure instanceof Error ? failure.message : String(failure);
    this.#options.onNotice?.(`the history could not be read: ${message}`);
  }

  /** What earlier processes kept, as far as it belongs to the present commit. */
  async #loadKept(): Promise<KnownHistory | null> {
    try {
      const repo = await this.#options.openRepo();
      const head = repo === null ? null : (await readHead(repo)).commit;
      if (repo === null || head === null) return null;
      const known = await this.#build(repo, head, await this.#toFile(repo).load());
      return known.past.commits.length === 0 ? null : known;
    } catch (failure) {
      if (failure instanceof CodeIntelError) return null;
      throw failure;
    }
  }

  async #refresh(signal: AbortSignal): Promise<HistoryReport> {
    const repo = await this.#options.openRepo().catch((failure) => {
      if (isGitUnusable(failure)) return null;
      throw failure;
    });
    if (repo === null) return { kind: "none", reason: "there is no git repository" };
    const { commit: head } = await readHead(repo);
    if (head === null) return { kind: "none", reason: "the branch has no commit yet" };
    const reach = readCloneDepth(repo);
    if (this.#known?.head === head && this.#known.reach === reach.stamp) {
      return { kind: "known", known: this.#known.known, read: 0 };
    }
    const { stored, read } = await this.#readMissing(repo, head, reach, signal);
    const known = await this.#build(repo, head, stored);
    const { commits, isCut } = known.past;
    if (commits.length === 0 && isCut && !known.isShallow) {
      return { kind: "none", reason: formatUnreadable(reach) };
    }
    this.#known = { head, reach: reach.stamp, known };
    return { kind: "known", known, read };
  }

  async #readMissing(
    repo: Repository,
    head: string,
    reach: CloneDepth,
    signal: AbortSignal,
  ): Promise<{ readonly stored: StoredHistory; readonly read: number }> {
    const file = this.#toFile(repo);
    const stored = await file.load();
    if (stored.reach === reach.stamp && stored.tips.includes(head)) return { stored, read: 0 };
    return await file.withLock(async () => {
      const { stored, read } = await readBehind(repo, {
        file,
        head,
        reach,
        maxCommits: this.#max,
        signal,
      });
      const isFull = stored.commits.size > FULL_SHARE * this.#max;
      return {
        stored: isFull ? await prune(file, stored, { head, max: this.#max }) : stored,
        read,
      };
    });
  }

  async #build(repo: Repository, head: string, { commits }: StoredHistory): Promise<KnownHistory> {
    const past = buildHistory({ head, commits, maxCommits: this.#max, under: repo.openedFor });
    const messages = new MessageIndex(past, this.#options.toTerms);
    // A process that ends with its first answer may have no question to messages: the question reads them then.
    if (this.#options.isBrief !== true) {
      while (messages.addNext(MESSAGES_A_TURN)) await takeTurns();
    }
    const { shallow, isPartial } = readCloneDepth(repo);
    return { past, messages, isShallow: shallow.size > 0, isPartial };
  }

  #toFile(repo: Repository): HistoryFile {
    const { toFolder, fallbackFolder = null } = this.#options;
    return this.#file ??= new HistoryFile(toFolder(repo), fallbackFolder);
  }

  get #max(): number {
    return this.#options.maxCommits ?? LIMITS.historyCommits.value;
  }
}

/** Starts of git by which one reading tells the open moves of a clone that lacks contents; the newest come first. */
const MOVE_STARTS = 12;
/** Commits of left branches are kept until there are so many times more than a past may have. */
const FULL_SHARE = 2;

interface ReadTask {
  readonly file: HistoryFile;
  readonly head: string;
  readonly reach: CloneDepth;
  readonly maxCommits: number;
  readonly signal: AbortSignal;
}

/** Reads what lies behind `head` and is not kept yet, and keeps each batch as it comes. */
async function readBehind(
  repo: Repository,
  { file, head, reach, maxCommits, signal }: ReadTask,
): Promise<{ readonly stored: StoredHistory; readonly read: number }> {
  const { shallow, stamp } = reach;
  let stored = await file.load();
  // With more there than before, the moves that were open may be known now, and commits may lie behind the old cut.
  const isSame = stored.reach === stamp;
  const tips = isSame ? stored.tips : [];
  const isMissing = (id: string) => {
    const commit = stored.commits.get(id);
    return commit === undefined ? !shallow.has(id) : !isSame && commit.hasOpenMoves === true;
  };
  let read = 0;
  const starts = { left: MOVE_STARTS };
  const readAll = async (known: readonly string[]) => {
    const listed = await listCommitIds(repo, { head, known, maxCommits, signal });
    // What a shallow clone shows of its last commits is wrong, and becomes right when it is deepened.
    const missing = listed.filter(isMissing);
    for (let at = 0; at < missing.length; at += BATCH) {
      const ids = missing.slice(at, at + BATCH);
      const commits = await readLog(repo, ids, { ...BOUNDS, signal, starts });
      const isStillOpen = ({ id, hasOpenMoves }: LogCommit) =>
        hasOpenMoves === true && stored.commits.has(id);
      const fresh = commits.filter((commit) => !isStillOpen(commit));
      stored = await file.add(fresh);
      read += fresh.length;
      // Merges can be read without their folders: where most of the others cannot, those before them cannot either.
      if (commits.length < ids.length / 2) return;
      await takeTurns();
    }
  };
  await readAll(tips);
  // A commit far behind all that were read, or a clone that was deepened: what is kept ends too early.
  if (tips.length > 0 && isShort(stored, { head, maxCommits, shallow })) await readAll([]);
  return { stored: await file.add([], head, stamp), read };
}

/** The command that makes a partial clone a full one. */
export const FETCH_ALL = "`git fetch --refetch --no-filter`";

/** Characters of a path, on an average over the files of one commit. */
const PATH_CHARS = 160;

const BOUNDS = {
  maxFiles: LIMITS.historyFiles.value,
  maxPathChars: LIMITS.historyFiles.value * PATH_CHARS,
  maxMessageChars: LIMITS.historyMessageChars.value,
};

/** Whether fewer than half of the commits are known behind `head`, although there are more. */
function isShort(
  { commits }: StoredHistory,
  { head, maxCommits, shallow }: {
    readonly head: string;
    readonly maxCommits: number;
    readonly shallow: ReadonlySet<string>;
  },
): boolean {
  const seen = new Set([head]);
  let hasUnknown = false;
  for (const id of seen) {
    const parents = commits.get(id)?.parents ?? [];
    if (!commits.has(id) && !shallow.has(id)) hasUnknown = true;
    for (const parent of parents) seen.add(parent);
    if (seen.size > maxCommits / 2) return false;
  }
  return hasUnknown;
}

/** Why git can tell nothing of the past of a clone, with the next step. */
function formatUnreadable({ isPartial }: CloneDepth): string {
  return isPartial
    ? `git cannot tell what its commits changed, since this partial clone lacks their folders: ${FETCH_ALL} brings them`
    : "git cannot tell what its last commit changed: `git fsck` says what is damaged";
}

/** Keeps only what lies behind `head`; other worktrees read theirs again. */
async function prune(
  file: HistoryFile,
  { commits, reach }: StoredHistory,
  { head, max }: { readonly head: string; readonly max: number },
): Promise<StoredHistory> {
  const kept = new Map<string, LogCommit>();
  const open = [head];
  for (let at = 0; at < open.length && kept.size < max; at++) {
    const commit = commits.get(open[at] ?? "");
    if (commit === undefined || kept.has(commit.id)) continue;
    kept.set(commit.id, commit);
    open.push(...commit.parents);
  }
  return await file.replace({ commits: kept, tips: [head], reach });
}

/** Lets what waits run first. */
async function takeTurns(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}
