/**
 * The highest revision of each session that this home has seen, kept outside the project: an older
 * checkpoint that is put back while no server runs is whole and sealed, and only this tells it apart.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";

/** What is remembered of the sessions of one project. All of it may be missing. */
export interface RevisionMarks {
  /** The last revision that was saved; 0 where nothing is known. */
  read(id: string): Promise<number>;
  /** Never fails: without a mark only the comparison is lost. */
  note(id: string, revision: number): Promise<void>;
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

  async read(id: string): Promise<number> {
    const path = this.#toPath(id);
    if (path === null) return 0;
    const text = await Deno.readTextFile(path).catch(() => "");
    return /^\d{1,15}\n?$/.test(text) ? Number(text) : 0;
  }

  async note(id: string, revision: number): Promise<void> {
    const path = this.#toPath(id);
    if (this.#folder === null || path === null) return;
    try {
      await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await Deno.writeTextFile(path, `${revision}\n`, { mode: 0o600 });
    } catch {
      // A home that cannot be written has no seal either; the start says so.
    }
  }

  async forget(id: string): Promise<void> {
    const path = this.#toPath(id);
    if (path !== null) await Deno.remove(path).catch(() => {});
  }

  #toPath(id: string): string | null {
    return this.#folder === null ? null : join(this.#folder, `${this.#project}-${id}`);
  }
}
