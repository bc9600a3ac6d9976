/**
 * The file in which a repository's past is kept for all its worktrees: one line of JSON a commit, only appended to. A
 * line that a killed process left unfinished spoils itself alone, and its commit is read again.
 */
import { parseJson } from "../base/text/json_record.ts";
import { join } from "node:path";
import { CodeIntelError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { withLock } from "../base/processes/lock_file.ts";
import { appendOwnFile, makeOwnFolder, writeOwnFile } from "../base/files/own_folder.ts";
import { decodeUtf8, readRegularFile } from "../base/files/regular_file.ts";
import type { LogCommit, LogFile } from "../git/log/read_log.ts";

/** Name of the file in the folder of the index. */
export const HISTORY_FILE = "history.jsonl";
/** Name of the lock of who reads the past of the repository. */
export const HISTORY_LOCK = "history.lock";

/** What the file holds. */
export interface StoredHistory {
  /** Commits by their ids, of every branch that was ever read. */
  readonly commits: ReadonlyMap<string, LogCommit>;
  /** Commits behind which everything was read, up to the bound; the last one last. */
  readonly tips: readonly string[];
  /** What the clone had when these were read (`PastReach.stamp`): with more there, more lies behind them. */
  readonly reach: string;
}

/** A file that holds nothing. */
export const NOTHING_STORED: StoredHistory = { commits: new Map(), tips: [], reach: "" };

/** The number in the first line. A file of another form is made again: it holds nothing that git has not. */
const FORM = 2;
const FIRST_LINE = JSON.stringify({ history: FORM });
/** More are never left out of a listing again: a repository has few heads at a time. */
const MAX_TIPS = 50;
const LOCK_TIMEOUT_MS = 60_000;

/** One file of a past. */
export class HistoryFile {
  #folder: string;
  /** Takes the place of the folder where that cannot be written to. */
  #fallback: string | null;
  #stored: StoredHistory = NOTHING_STORED;
  /** Size and time of the file as it was last read or written here. */
  #stamp = "";

  /**
   * @param folder Absolute path of the folder of the index; it need not exist.
   * @param fallback The same for a repository that cannot be written to; null without one.
   */
  constructor(folder: string, fallback: string | null = null) {
    this.#folder = folder;
    this.#fallback = fallback;
  }

  /** What is kept, read again only where another process wrote. A file that cannot be used holds nothing. */
  async load(): Promise<StoredHistory> {
    const stamp = await this.#toStamp();
    if (stamp === "" && this.#fallback !== null && await exists(this.#fallback)) {
      this.#fallBack(this.#fallback);
      return await this.load();
    }
    if (stamp === this.#stamp) return this.#stored;
    const reading = readRegularFile(this.#path, {
      within: this.#folder,
      maxBytes: LIMITS.wholeFileBytes.value,
    });
    this.#stored = reading.kind === "read"
      ? parseStored(decodeUtf8(reading.bytes))
      : NOTHING_STORED;
    this.#stamp = stamp;
    return this.#stored;
  }

  /**
   * Adds commits, and where `tip` is given says that all behind it is read now, as far as `reach` lets it; what was
   * read with another reach is looked through again.
   *
   * @throws {CodeIntelError} `own_path_refused`, `disk_full`, `io_failed`.
   */
  async add(commits: readonly LogCommit[], tip?: string, reach = ""): Promise<StoredHistory> {
    const stored = await this.load();
    const isNew = (await this.#toStamp()) === "" || stored === NOTHING_STORED;
    const all = new Map(stored.commits);
    for (const commit of commits) all.set(commit.id, commit);
    const known = tip === undefined ? stored : addTip(stored, tip, reach);
    const lines = [
      ...commits.map(formatCommit),
      ...tip === undefined ? [] : [formatTipLine(tip, reach)],
    ];
    const text = `${lines.join("\n")}\n`;
    if (isNew) await writeOwnFile(this.#path, `${FIRST_LINE}\n${text}`);
    // The break before it ends what a killed process began.
    else appendOwnFile(this.#path, new TextEncoder().encode(`\n${text}`));
    return await this.#keep({ ...known, commits: all });
  }

  /**
   * Writes the file again with these commits alone.
   *
   * @throws {CodeIntelError} `own_path_refused`, `disk_full`, `io_failed`.
   */
  async replace({ commits, tips, reach }: StoredHistory): Promise<StoredHistory> {
    const lines = [
      FIRST_LINE,
      ...[...commits.values()].map(formatCommit),
      ...tips.map((tip) => formatTipLine(tip, reach)),
    ];
    await writeOwnFile(this.#path, `${lines.join("\n")}\n`);
    return await this.#keep({ commits, tips, reach });
  }

  /**
   * Runs `action` while no other process reads the past of this repository.
   *
   * @throws {CodeIntelError} `busy`, `own_path_refused`, `io_failed`.
   */
  async withLock<T>(action: () => Promise<T>): Promise<T> {
    const options = { timeoutMs: LOCK_TIMEOUT_MS };
    try {
      await makeOwnFolder(this.#folder);
      return await withLock(join(this.#folder, HISTORY_LOCK), options, action);
    } catch (failure) {
      const isUnwritable = failure instanceof CodeIntelError && UNWRITABLE.includes(failure.code);
      if (this.#fallback === null || !isUnwritable) throw failure;
      this.#fallBack(this.#fallback);
      return await this.withLock(action);
    }
  }

  #fallBack(folder: string): void {
    this.#folder = folder;
    this.#fallback = null;
    this.#stored = NOTHING_STORED;
    this.#stamp = "";
  }

  async #keep(stored: StoredHistory): Promise<StoredHistory> {
    this.#stored = stored;
    this.#stamp = await this.#toStamp();
    return stored;
  }

  async #toStamp(): Promise<string> {
    const info = await Deno.lstat(this.#path).catch(() => null);
    return info === null ? "" : `${info.size} ${info.mtime?.getTime()} ${info.ino}`;
  }

  get #path(): string {
    return join(this.#folder, HISTORY_FILE);
  }
}

/** Errors of a folder in which nothing can be kept. */
const UNWRITABLE: readonly string[] = ["io_failed", "own_path_refused"];

async function exists(folder: string): Promise<boolean> {
  return await Deno.lstat(join(folder, HISTORY_FILE)).then(() => true, () => false);
}

/** The tips with a new one; the oldest are forgotten, which only costs a longer listing. */
function addTip(known: Tips, tip: string, reach: string): Tips {
  const tips = known.reach === reach ? known.tips.filter((one) => one !== tip) : [];
  return { tips: [...tips, tip].slice(-MAX_TIPS), reach };
}

type Tips = Pick<StoredHistory, "tips" | "reach">;

function formatTipLine(tip: string, reach: string): string {
  return JSON.stringify({ tip, ...(reach === "" ? {} : { reach }) });
}

function parseStored(text: string): StoredHistory {
  const [first, ...lines] = text.split("\n");
  if (first !== FIRST_LINE) return NOTHING_STORED;
  const commits = new Map<string, LogCommit>();
  let known: Tips = NOTHING_STORED;
  for (const line of lines) {
    const value = line === "" ? null : parseJson(line);
    if (Array.isArray(value)) {
      const commit = parseCommit(value);
      if (commit !== null) commits.set(commit.id, commit);
    } else if (value !== null && typeof value === "object" && "tip" in value) {
      const reach = "reach" in value ? String(value.reach) : "";
      if (typeof value.tip === "string") known = addTip(known, value.tip, reach);
    }
  }
  return { commits, tips: known.tips, reach: known.reach };
}

/** A line: id, parents, seconds, message, number of files, then a path, or two for a move, or a path and 0 for a removal; then 1 where moves are open. */
function formatCommit(commit: LogCommit): string {
  const { id, parents, atSeconds, message, changed, files, hasOpenMoves } = commit;
  const rows = files.map(({ path, from, isRemoved }) =>
    isRemoved === true ? [path, 0] : from === undefined ? path : [path, from]
  );
  const open = hasOpenMoves === true ? [1] : [];
  return JSON.stringify([id, parents, atSeconds, message, changed, rows, ...open]);
}

function parseCommit(line: readonly unknown[]): LogCommit | null {
  const [id, parents, atSeconds, message, changed, rows, open] = line;
  if (typeof id !== "string" || typeof message !== "string") return null;
  if (typeof atSeconds !== "number" || typeof changed !== "number") return null;
  if (!Array.isArray(parents) || !Array.isArray(rows)) return null;
  const files = rows.flatMap((row) => parseFile(row) ?? []);
  const commit = { id, parents: parents.map(String), atSeconds, message, changed, files };
  return open === 1 ? { ...commit, hasOpenMoves: true } : commit;
}

function parseFile(row: unknown): LogFile | null {
  if (typeof row === "string") return { path: row };
  if (!Array.isArray(row) || typeof row[0] !== "string") return null;
  return typeof row[1] === "string"
    ? { path: row[0], from: row[1] }
    : { path: row[0], isRemoved: true };
}
