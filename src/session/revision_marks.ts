/**
 * The highest revision of each session that this home has seen, kept outside the project: an older
 * checkpoint that is put back while no server runs is whole and sealed, and only this tells it apart.
 * Its counters are kept too, so that a step back over a damaged file lowers none.
 */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { readControlFile } from "../base/control_file.ts";
import { checkOwnFile, listOwnFolder, makeOwnFolder } from "../base/own_folder.ts";

/** Records that a session had before this home kept it, or under another key: they are as they came. */
export interface CameRecords {
  /** Size of the file then. */
  readonly bytes: number;
  /** SHA-256 of these bytes, so that nobody writes a line among them. */
  readonly hash: string;
}

/** How far a session was when it was last saved. */
export interface RevisionMark {
  /** False where this home never saved the session. */
  readonly isKnown: boolean;
  /** False where this home had no key when it saved the session last. */
  readonly isSealed: boolean;
  /** Null where all records are of this home and its present key. */
  readonly came: CameRecords | null;
  /** 0 where nothing is known. */
  readonly revision: number;
  /** Its counters of failures, by name; a task by `task <id>`. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What is remembered of the sessions of one project. All of it may be missing. */
export interface RevisionMarks {
  read(id: string): Promise<RevisionMark>;
  /** Never fails: without a mark only the comparison is lost. Gives whether it could be written. */
  note(id: string, mark: Omit<RevisionMark, "isKnown">): Promise<boolean>;
  /** The sessions that are marked: those that are not over. */
  list(): Promise<readonly string[]>;
  /** For a session that is over. */
  forget(id: string): Promise<void>;
}

/** Marks below `<stateDir>/revisions/`; none without a state folder. */
export function createRevisionMarks(stateDir: string | null, sessionsDir: string): RevisionMarks {
  return new FileMarks(stateDir, sessionsDir);
}

class FileMarks implements RevisionMarks {
  readonly #folder: string | null;
  readonly #project: string;

  constructor(stateDir: string | null, sessionsDir: string) {
    this.#folder = stateDir === null ? null : join(stateDir, "revisions");
    // A copy of the project has sessions of the same names, and goes its own way.
    this.#project = createHash("sha256").update(sessionsDir).digest("hex").slice(0, 16);
  }

  read(id: string): Promise<RevisionMark> {
    return Promise.resolve(this.#read(id));
  }

  #read(id: string): RevisionMark {
    const path = this.#toPath(id);
    if (path === null) return UNKNOWN_MARK;
    const reading = readControlFile(path, "memory");
    return reading.kind === "text" ? parseMark(reading.text) : UNKNOWN_MARK;
  }

  async note(id: string, mark: Omit<RevisionMark, "isKnown">): Promise<boolean> {
    const path = this.#toPath(id);
    if (this.#folder === null || path === null) return false;
    const temporary = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
    try {
      const below = dirname(this.#folder);
      await makeOwnFolder(this.#folder, { below, mode: 0o700 });
      checkOwnFile(path, { below });
      await Deno.writeTextFile(temporary, `${JSON.stringify(mark)}\n`, { mode: 0o600 });
      await Deno.rename(temporary, path);
      return true;
    } catch {
      // A home that cannot be written has no seal either; the start says so.
      await Deno.remove(temporary).catch(() => {});
      return false;
    }
  }

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
      // No folder, no marks.
    }
    return ids.sort();
  }

  async forget(id: string): Promise<void> {
    const path = this.#toPath(id);
    if (path !== null) await Deno.remove(path).catch(() => {});
  }

  #toPath(id: string): string | null {
    return this.#folder === null ? null : join(this.#folder, `${this.#project}-${id}`);
  }
}

/** What is known of a session that this home never saved. */
export const UNKNOWN_MARK: RevisionMark = {
  isKnown: false,
  isSealed: false,
  came: null,
  revision: 0,
  counts: {},
};

/** A mark that cannot be read says at least that there is one: who wrote it had a key. */
const TORN: RevisionMark = { ...UNKNOWN_MARK, isKnown: true, isSealed: true };

/** Reads a mark; earlier versions wrote the number, later with the counts behind it. */
function parseMark(text: string): RevisionMark {
  const [, old, counts = "{}"] = /^(\d{1,15})(?: (\{.*\}))?\n?$/.exec(text) ?? [];
  if (old !== undefined) {
    return { ...TORN, revision: Number(old), counts: toCounts(tryParse(counts)) };
  }
  const value = tryParse(text);
  const { revision, isSealed, came } = value;
  return {
    ...TORN,
    revision: Number.isSafeInteger(revision) ? Number(revision) : 0,
    isSealed: isSealed !== false,
    came: toCame(came),
    counts: toCounts(value["counts"]),
  };
}

function tryParse(text: string): Readonly<Record<string, unknown>> {
  try {
    return toObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function toCame(value: unknown): CameRecords | null {
  const { bytes, hash } = toObject(value);
  return typeof bytes === "number" && typeof hash === "string" ? { bytes, hash } : null;
}

function toCounts(value: unknown): RevisionMark["counts"] {
  const rows = Object.entries(toObject(value));
  return Object.fromEntries(
    rows.flatMap(([name, count]) => Number.isSafeInteger(count) ? [[name, Number(count)]] : []),
  );
}
