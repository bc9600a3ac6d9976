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
  /** Files that changed on the disk while the hooks ran. */
  readonly files: readonly TreePath[];
}

/** Collects the changes on the disk while hooks run; costs nothing where the project has none of them. */
export class HookWatch {
  readonly #repo: Repository;
  readonly #sessionId: string | null;
  readonly #hooks: Hooks;
  readonly #files = new Set<TreePath>();

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
    const changes = await diffTrees(this.#repo, before, after, { withoutRenames: true });
    for (const { path } of changes) this.#files.add(path);
    return result;
  }

  /**
   * What the hooks did after a commit became the tip of a branch that HEAD is on; null where all is as the program left
   * it.
   */
  async look(branch: string, commit: string): Promise<HookDeeds | null> {
    const [tip, found] = await Promise.all([readTip(this.#repo, branch), readHead(this.#repo)]);
    const files = [...this.#files].sort();
    const head = found.kind === "branch" ? found.branch : null;
    return tip === commit && head === branch && files.length === 0 ? null : { tip, head, files };
  }

  async #readFiles(): Promise<string | null> {
    if (this.#sessionId === null) return null;
    return (await writeWorktreeTree(this.#repo, { sessionId: this.#sessionId })).tree;
  }
}
