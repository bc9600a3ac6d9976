/**
 * The highest revision of each session that this home has seen, kept outside the project: an older
 * checkpoint that is put back while no server runs is whole and sealed, and only this tells it apart.
 * Its counters are kept too, so that a step back over a damaged file lowers none.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";

/** How far a session was when it was last saved. */
export interface RevisionMark {
  /** 0 where nothing is known. */
  readonly revision: number;
  /** Its counters of failures, by name; a task by `task <id>`. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What is remembered of the sessions of one project. All of it may be missing. */
export interface RevisionMarks {
  read(id: string): Promise<RevisionMark>;
  /** Never fails: without a mark only the comparison is lost. */
  note(id: string, mark: RevisionMark): Promise<void>;
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

  async read(id: string): Promise<RevisionMark> {
    const path = this.#toPath(id);
    if (path === null) return UNKNOWN;
    const text = await Deno.readTextFile(path).catch(() => "");
    // Earlier versions wrote the number alone.
    const [, revision = "0", counts = "{}"] = /^(\d{1,15})(?: (\{.*\}))?\n?$/.exec(text) ?? [];
    return { revision: Number(revision), counts: parseCounts(counts) };
  }

  async note(id: string, { revision, counts }: RevisionMark): Promise<void> {
    const path = this.#toPath(id);
    if (this.#folder === null || path === null) return;
    try {
      await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const text = `${revision} ${JSON.stringify(counts)}\n`;
      await Deno.writeTextFile(path, text, { mode: 0o600 });
    } catch {
      // A home that cannot be written has no seal either; the start says so.
    }
  }

  async list(): Promise<readonly string[]> {
    const ids: string[] = [];
    if (this.#folder === null) return ids;
    const prefix = `${this.#project}-`;
    try {
      for await (const { name } of Deno.readDir(this.#folder)) {
        if (name.startsWith(prefix)) ids.push(name.slice(prefix.length));
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

const UNKNOWN: RevisionMark = { revision: 0, counts: {} };

function parseCounts(text: string): RevisionMark["counts"] {
  try {
    const rows = Object.entries(JSON.parse(text) as object);
    return Object.fromEntries(rows.filter(([, count]) => Number.isSafeInteger(count)));
  } catch {
    return {};
  }
}
