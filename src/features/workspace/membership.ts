/**
 * Which repositories a project asks beside itself: a list in the user's state folder, one for each project, so that nothing
 * is written into any repository.
 */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import { makeOwnFolder, writeOwnFile } from "../../base/files/own_folder.ts";
import { withLock } from "../../base/processes/lock_file.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { asRecord, parseJson } from "../../base/text/json_record.ts";

/** A repository of the list. */
export interface ListedMember {
  /** Unique in the list. */
  readonly name: string;
  /** Absolute path without links. */
  readonly root: string;
}

const FORM = 1;

/** The list of one project. */
export class Membership {
  readonly #projectRoot: string;
  readonly #stateDir: string | null;

  /**
   * @param projectRoot absolute path of the project.
   * @param stateDir the user's folder of the program; null without a home, where no list can be kept.
   */
  constructor(projectRoot: string, stateDir: string | null) {
    this.#projectRoot = projectRoot;
    this.#stateDir = stateDir;
  }

  /** The members in the order in which they were added; null where the project has no workspace. */
  read(): readonly ListedMember[] | null {
    if (this.#stateDir === null) return null;
    const file = this.#toFile(this.#stateDir);
    const text = readControlTextIfUsable(file, "memory", { within: this.#stateDir });
    if (text === undefined) return null;
    const { form, project, members } = asRecord(parseJson(text));
    if (form !== FORM || project !== this.#projectRoot || !Array.isArray(members)) return null;
    return members.map(asRecord).flatMap(({ name, root }) =>
      typeof name === "string" && typeof root === "string" ? [{ name, root }] : []
    );
  }

  /** How questions ask repositories inside of the project too; null where they do, as those of a workspace. */
  toNestedHint(): string | null {
    if (this.read() !== null) return null;
    return "`code-intel workspace add` makes questions ask them too; ";
  }

  /**
   * Adds repositories, each once; without any, the workspace is that of the repositories inside the project.
   *
   * @throws {CodeIntelError} `io_failed` without a home folder or with too many, `busy`.
   */
  async add(roots: readonly string[]): Promise<readonly ListedMember[]> {
    return await this.#change((members) => {
      const all = [...members];
      for (const root of roots) {
        if (all.some((one) => one.root === root)) continue;
        all.push({ root, name: chooseName(root, all.map(({ name }) => name)) });
      }
      const most = LIMITS.workspaceMembers.value;
      if (all.length <= most) return all;
      throw new CodeIntelError(
        "io_failed",
        `Cannot add ${roots.length} repositories: a workspace has at most ${most} members`,
        { hint: "Take others out with `code-intel workspace remove`." },
      );
    });
  }

  /** Takes out the members with these names or roots; where none is left the project has no workspace any more. */
  async remove(names: readonly string[]): Promise<readonly ListedMember[]> {
    const isMeant = ({ name, root }: ListedMember) => names.includes(name) || names.includes(root);
    return await this.#change((members) => members.filter((one) => !isMeant(one)), { isEnd: true });
  }

  async #change(
    change: (members: readonly ListedMember[]) => readonly ListedMember[],
    { isEnd = false }: { readonly isEnd?: boolean } = {},
  ): Promise<readonly ListedMember[]> {
    const below = this.#stateDir;
    if (below === null) {
      throw new CodeIntelError("io_failed", "Cannot keep a workspace: no home folder", {
        hint: "Set HOME, or CODE_INTEL_STATE_DIR to a folder that can be written.",
      });
    }
    const file = this.#toFile(below);
    await makeOwnFolder(dirname(file), { below });
    const lock = { timeoutMs: LIMITS.lockWaitMs.value, below };
    return await withLock(`${file}.lock`, lock, async () => {
      const members = change(this.read() ?? []);
      const kept = isEnd && members.length === 0 ? null : members;
      const state = { form: FORM, project: this.#projectRoot, members: kept };
      const text = JSON.stringify(state, null, 2);
      await writeOwnFile(file, `${text}\n`, { below });
      return members;
    });
  }

  #toFile(stateDir: string): string {
    const name = createHash("sha256").update(this.#projectRoot).digest("hex").slice(0, 16);
    return join(stateDir, "workspaces", name, "members.json");
  }
}

/** The name of a repository's folder, with as much of its path before it as tells it from the others. */
export function chooseName(root: string, taken: readonly string[]): string {
  // The root of a drive has no name of its own.
  let name = basename(root) || "root";
  for (let above = dirname(root); taken.includes(name); above = dirname(above)) {
    const next = basename(above);
    if (next === "") return `${name}-${taken.length}`;
    name = `${next}/${name}`;
  }
  return name;
}
