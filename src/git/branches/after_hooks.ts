/**
 * Looks once more after hooks that run when a commit or a merge is made already: they may move branches and change
 * files, and nobody has reviewed that.
 */
import type { TreePath } from "../../base/paths.ts";
import { diffTrees } from "../trees/changes.ts";
import type { HookName, Hooks } from "./hooks.ts";
import { writeWorktreeTree } from "../index/private_index.ts";
import type { Repository } from "../repository.ts";
import { readHead, readTip } from "../repository.ts";

/** What hooks did after a commit or a merge. */
export interface HookDeeds {
  /** Tip of the branch that got the commit; null where a hook deleted the branch. */
  readonly tip: string | null;
  /** Branch that HEAD is on; null where it is detached. */
  readonly head: string | null;
  /** Files in which that tip is other than what was asked for, and so than what was reviewed and verified. */
  readonly changed: readonly TreePath[];
  /** Files that changed on the disk while the hooks ran, and are not in the tip as they are there. */
  readonly files: readonly TreePath[];
}

/** A commit that became the tip of a branch that HEAD is on. */
export interface TipMade {
  readonly branch: string;
  readonly commit: string;
  /** Tree of the commit; null where nobody looked at it. */
  readonly tree: string | null;
  /** The tree that was asked for: hooks may have changed it in the commit already. */
  readonly asked: string;
}

/** Collects the changes on the disk while hooks run; costs nothing where the project has none of them. */
export class HookWatch {
  readonly #repo: Repository;
  readonly #sessionId: string | null;
  readonly #hooks: Hooks;
  readonly #files = new Set<TreePath>();
  /** The files of the disk after the last hook; null where no hook ran. */
  #disk: string | null = null;

  /** @param sessionId session whose index the files are read by; null to look at branches alone. */
  constructor(repo: Repository, hooks: Hooks, sessionId: string | null) {
    this.#repo = repo;
    this.#hooks = hooks;
    this.#sessionId = sessionId;
  }

  /** Does what runs one of these hooks, and nothing else to files. */
  async during<T>(name: HookName, action: () => Promise<T>): Promise<T> {
    const before = this.#hooks.has(name) ? await this.#readFiles() : null;
    const result = await action();
    const after = before === null ? null : await this.#readFiles();
    if (before === null || after === null) return result;
    for (const path of await this.#listDiffering(before, after)) this.#files.add(path);
    this.#disk = after;
    return result;
  }

  /** What the hooks did to a commit and after it; null where all is as the program wanted it. */
  async look({ branch, commit, tree, asked }: TipMade): Promise<HookDeeds | null> {
    const [tip, found] = await Promise.all([readTip(this.#repo, branch), readHead(this.#repo)]);
    const head = found.kind === "branch" ? found.branch : null;
    const isAsked = tip === null || (tip === commit && tree === asked);
    const changed = isAsked ? [] : await this.#listDiffering(asked, tip);
    const files = await this.#listLeft(tip);
    const isQuiet = tip === commit && head === branch;
    return isQuiet && changed.length === 0 && files.length === 0
      ? null
      : { tip, head, changed, files };
  }

  /** What the hooks changed on the disk and did not commit themselves. */
  async #listLeft(tip: string | null): Promise<readonly TreePath[]> {
    if (this.#files.size === 0 || this.#disk === null) return [];
    const files = [...this.#files].sort();
    if (tip === null) return files;
    const differing = new Set(await this.#listDiffering(tip, this.#disk));
    return files.filter((path) => differing.has(path));
  }

  async #listDiffering(from: string, to: string): Promise<readonly TreePath[]> {
    const changes = await diffTrees(this.#repo, from, to, { withoutRenames: true });
    return changes.map(({ path }) => path);
  }

  async #readFiles(): Promise<string | null> {
    if (this.#sessionId === null) return null;
    return (await writeWorktreeTree(this.#repo, { sessionId: this.#sessionId })).tree;
  }
}
