/**
 * Marks outside the project with the highest revision of each session that this home folder has
 * seen. If an older checkpoint is put back while no server runs, it is complete and sealed, and
 * only the mark shows it. The mark also has the failure counters, so that going back over a damaged
 * file lowers none of them.
 */
import { asRecord, parseJson } from "../base/text/json_record.ts";
import type { Counters, SessionState } from "../phase/state.ts";
import type { SealVerdict } from "../base/files/seal.ts";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { readControlFile } from "../base/files/control_file.ts";
import { buildTemporaryPath, removeLeftTemporaries } from "../base/files/atomic_write.ts";
import { checkOwnFile, listOwnFolder, makeOwnFolder } from "../base/files/own_folder.ts";

/** The counters by name; that of a task is named `task <id>`. */
export function countFailures(state: SessionState): Readonly<Record<string, number>> {
  const tasks = state.tasks.filter(({ failureCount }) => failureCount > 0)
    .map(({ id, failureCount }) => [`task ${id}`, failureCount]);
  return { ...state.counters, ...Object.fromEntries(tasks) };
}

/** The state with each counter raised to at least the given number. */
export function raiseFailureCounts(
  state: SessionState,
  counts: Readonly<Record<string, number>>,
): SessionState {
  const rows = Object.entries(state.counters)
    .map(([name, count]) => [name, Math.max(count, counts[name] ?? 0)]);
  return {
    ...state,
    counters: Object.fromEntries(rows) as unknown as Counters,
    tasks: state.tasks.map((task) => ({
      ...task,
      failureCount: Math.max(task.failureCount, counts[`task ${task.id}`] ?? 0),
    })),
  };
}

/** Whether the content of the file counts. */
export type SealJudgement =
  /** This home folder wrote it, and nobody changed it. */
  | "vouched"
  /** Nothing is wrong with it, but nobody can tell who wrote it: the user is told. */
  | "unchecked"
  /** This home folder wrote the file, but not with this content. */
  | "changed"
  /** This home folder wrote it, with a key that it no longer has. */
  | "key_lost";

/** Judges a seal by what this home folder remembers of the session. */
export function judgeSeal(
  verdict: SealVerdict,
  mark: Pick<RevisionMark, "isKnown" | "isSealed">,
): SealJudgement {
  if (verdict === "fits") return "vouched";
  if (verdict === "wrong") return "changed";
  if (!mark.isKnown) return "unchecked";
  if (mark.isSealed) return verdict === "absent" ? "changed" : "key_lost";
  // This home folder had no key when it wrote, so its file has no seal, and a sealed one is
  // somebody else's.
  return verdict === "absent" || verdict === "off" ? "unchecked" : "changed";
}

/**
 * The records that a session had when this home folder accepted it, unsealed or sealed with another
 * key.
 */
export interface AcceptedRecords {
  /** Size of the records file at that time. */
  readonly bytes: number;
  /** SHA-256 of these bytes, so that no line can be added among them. */
  readonly hash: string;
}

/** How far a session was when it was last saved. */
export interface RevisionMark {
  /** False where this home folder never saved the session. */
  readonly isKnown: boolean;
  /** False where this home folder had no key at the last save. */
  readonly isSealed: boolean;
  /** Null where all records were written by this home folder with its present key. */
  readonly came: AcceptedRecords | null;
  /** The revision; 0 where none is known. */
  readonly revision: number;
  /** The failure counters by name; that of a task is named `task <id>`. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The marks of one project's sessions, below `<stateDir>/revisions/`. Any of them may be missing; without a state folder all are. */
export class RevisionMarks {
  readonly #folder: string | null;
  readonly #project: string;

  constructor(stateDir: string | null, sessionsDir: string) {
    this.#folder = stateDir === null ? null : join(stateDir, "revisions");
    // The folder's path is part of the name. A copy of the project has sessions with the same ids
    // that go on differently.
    this.#project = createHash("sha256").update(sessionsDir).digest("hex").slice(0, 16);
  }

  /** The mark of a session; `UNKNOWN_MARK` where there is none. */
  read(id: string): RevisionMark {
    const path = this.#toPath(id);
    if (path === null) return UNKNOWN_MARK;
    const reading = readControlFile(path, "memory");
    return reading.kind === "text" ? parseMark(reading.text) : UNKNOWN_MARK;
  }

  /**
   * Writes a mark; returns whether that worked. Never throws, because without a mark only the
   * comparison is lost.
   */
  async note(id: string, mark: Omit<RevisionMark, "isKnown">): Promise<boolean> {
    const path = this.#toPath(id);
    if (this.#folder === null || path === null) return false;
    const temporary = buildTemporaryPath(path);
    try {
      const below = dirname(this.#folder);
      await makeOwnFolder(this.#folder, { below, mode: 0o700 });
      checkOwnFile(path, { below });
      await removeLeftTemporaries(this.#folder);
      await Deno.writeTextFile(temporary, `${JSON.stringify(mark)}\n`, { mode: 0o600 });
      await Deno.rename(temporary, path);
      return true;
    } catch {
      // A home folder that cannot be written to has no seal either, which the start reports.
      await Deno.remove(temporary).catch(() => {});
      return false;
    }
  }

  /** Ids of the sessions with a mark, which are those that have not ended. */
  async list(): Promise<readonly string[]> {
    const ids: string[] = [];
    if (this.#folder === null) return ids;
    const prefix = `${this.#project}-`;
    try {
      const below = dirname(this.#folder);
      for (const { name } of await listOwnFolder(this.#folder, { below })) {
        if (name.startsWith(prefix) && !name.endsWith(".tmp")) ids.push(name.slice(prefix.length));
      }
    } catch {
      // Without the folder there are no marks.
    }
    return ids.sort();
  }

  /** Removes the mark of a session that has ended. */
  async forget(id: string): Promise<void> {
    const path = this.#toPath(id);
    if (path !== null) await Deno.remove(path).catch(() => {});
  }

  #toPath(id: string): string | null {
    return this.#folder === null ? null : join(this.#folder, `${this.#project}-${id}`);
  }
}

/** The mark of a session that this home folder never saved. */
export const UNKNOWN_MARK: RevisionMark = {
  isKnown: false,
  isSealed: false,
  came: null,
  revision: 0,
  counts: {},
};

/**
 * The mark for a file that cannot be read: it exists, so this home folder saved the session with a
 * key.
 */
const TORN: RevisionMark = { ...UNKNOWN_MARK, isKnown: true, isSealed: true };

/** Reads a mark; earlier versions wrote only the number, later ones the counters after it. */
function parseMark(text: string): RevisionMark {
  const [, old, counts = "{}"] = /^(\d{1,15})(?: (\{.*\}))?\n?$/.exec(text) ?? [];
  if (old !== undefined) {
    return { ...TORN, revision: Number(old), counts: parseCounts(parseJson(counts)) };
  }
  const value = asRecord(parseJson(text));
  const { revision, isSealed, came } = value;
  return {
    ...TORN,
    revision: Number.isSafeInteger(revision) ? Number(revision) : 0,
    isSealed: isSealed !== false,
    came: parseAccepted(came),
    counts: parseCounts(value["counts"]),
  };
}

function parseAccepted(value: unknown): AcceptedRecords | null {
  const { bytes, hash } = asRecord(value);
  return typeof bytes === "number" && typeof hash === "string" ? { bytes, hash } : null;
}

function parseCounts(value: unknown): RevisionMark["counts"] {
  const rows = Object.entries(asRecord(value));
  return Object.fromEntries(
    rows.flatMap(([name, count]) => Number.isSafeInteger(count) ? [[name, Number(count)]] : []),
  );
}
