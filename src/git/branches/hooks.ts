/** Finds and runs the hooks of a repository, and says what they did to the branch after a commit or merge. */
import type { TreePath } from "../../base/paths.ts";
import { diffTrees } from "../trees/changes.ts";
import { writeWorktreeTree } from "../index/private_index.ts";
import type { Repository } from "../repository.ts";
import { hasConfiguredHooks, readHead, readTip } from "../repository.ts";
import { join, resolve } from "node:path";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { readPathSetting, readSettings } from "../settings.ts";

/** What hooks did after a commit or a merge. */
export interface HookChanges {
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
export interface NewTip {
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
  async look({ branch, commit, tree, asked }: NewTip): Promise<HookChanges | null> {
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

/** Hooks that this program runs. */
export type HookName =
  | "pre-commit"
  | "pre-merge-commit"
  | "prepare-commit-msg"
  | "commit-msg"
  | "post-commit"
  | "post-merge"
  /** Run by git itself where a branch moves. */
  | "reference-transaction";

/** The hooks that exist in a repository and may be run. */
export class Hooks {
  readonly #repo: Repository;
  readonly #present: ReadonlySet<string>;

  private constructor(repo: Repository, present: ReadonlySet<string>) {
    this.#repo = repo;
    this.#present = present;
  }

  /**
   * Finds out once which hooks exist (in `core.hooksPath` if set), so that missing ones cost
   * nothing.
   */
  static async load(repo: Repository): Promise<Hooks> {
    const named = await readPathSetting(repo, "core.hooksPath");
    const folder = named === null ? join(repo.commonDir, "hooks") : resolve(repo.worktree, named);
    // Without the folder there are no hooks.
    const files = await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
    const present = [...files.map(({ name }) => name), ...await readConfiguredEvents(repo)];
    return new Hooks(repo, new Set(present));
  }

  /** Whether any of these exists. */
  has(...names: readonly HookName[]): boolean {
    return names.some((name) => this.#present.has(name));
  }

  /** Runs a hook if it exists; a hook that fails becomes a refusal. A variable tells it that a session commits. */
  async run(name: HookName, options: HookOptions): Promise<Problem | null> {
    if (!this.has(name)) return null;
    const args = options.args === undefined ? [] : ["--", ...options.args];
    try {
      const result = await this.#repo.git.run(["hook", "run", "--ignore-missing", name, ...args], {
        hooks: "all",
        env: { CODE_INTEL_COMMIT: "1" },
        timeoutMs: LIMITS.gitHookTimeoutMs.value,
        ...(options.indexFile === undefined ? {} : { indexFile: options.indexFile }),
      });
      if (result.code === 0) return null;
      const output = `${decodeTail(result.stdout)}${result.stderr}`;
      return makeHookProblem(name, output, result.code);
    } catch (cause) {
      if (!(cause instanceof CodeIntelError) || cause.code !== "timed_out") throw cause;
      return makeHookProblem(name, "the hook did not end in time");
    }
  }
}

/**
 * Events for which git 2.54 and newer run a command from the configuration; older versions run
 * none.
 */
async function readConfiguredEvents(repo: Repository): Promise<readonly string[]> {
  if (!hasConfiguredHooks()) return [];
  return (await readSettings(repo)).filter(({ key }) => /^hook\..*\.event$/s.test(key))
    .map(({ value }) => value ?? "");
}

/** The input of a hook. */
export interface HookOptions {
  /** Index that the hook may read and change. */
  readonly indexFile?: string;
  readonly args?: readonly string[];
}

const SHOWN_OUTPUT_CHARS = 2000;

function decodeTail(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(-4 * SHOWN_OUTPUT_CHARS));
}

/** Codes of a hook's refusal: what it judges says who can fix it. */
export const HOOK_CODES = [
  "git_hook_failed",
  "git_message_refused",
  "git_ref_refused",
  "git_hook_broken",
] as const;

/** The code of a hook's refusal; null for other problems. */
export function findHookCode({ code }: Problem): typeof HOOK_CODES[number] | null {
  return HOOK_CODES.find((one) => one === code) ?? null;
}

/** How the refusals of hooks are distinguished, and what is to be done about each. */
const NOTHING_LOST = "Nothing was committed and nothing is lost: ";
const WAYS: Readonly<Record<typeof HOOK_CODES[number], string>> = {
  git_hook_failed: "go back and repair what the hook names, or ask the person.",
  git_message_refused: "send another message, as the hook wants it.",
  git_ref_refused:
    "ask the person to mend the hook or to let the branch move; then send the same payload again.",
  git_hook_broken:
    "ask the person to install what the hook needs, or to mend the hook; then send the same payload again.",
};

/** The refusal for a failed hook, with the end of its output. */
export function makeHookProblem(
  name: string,
  output: string,
  status: number | null = null,
): Problem {
  const said = output.trim().slice(-SHOWN_OUTPUT_CHARS);
  const code = isBroken(output, status) ? "git_hook_broken" : REFUSALS[name] ?? "git_hook_failed";
  const verb = code === "git_hook_broken" ? "could not run" : "refused";
  return makeProblem(code, `The git hook ${name} ${verb}: ${said || "no output"}`, {
    hint: NOTHING_LOST + WAYS[code],
  });
}

/** What hooks judge that do not judge the files. */
const REFUSALS: Readonly<Record<string, typeof HOOK_CODES[number]>> = {
  "commit-msg": "git_message_refused",
  "prepare-commit-msg": "git_message_refused",
  "reference-transaction": "git_ref_refused",
};

/** What shells and package managers say of a program that is not there. */
const MISSING =
  /command not found|: not found$|Cannot find module|ERR_MODULE_NOT_FOUND|npx canceled due to missing packages|could not determine executable to run|ModuleNotFoundError|bad interpreter/im;

/**
 * Whether a hook, or a program that it starts, could not be run: the shell says so by its status, and others by their
 * words where nothing else failed.
 */
function isBroken(output: string, status: number | null): boolean {
  if (status === 126 || status === 127) return true;
  return status !== null && MISSING.test(output);
}

/** Whether the project has a hook for commits: only then can making a commit change files. */
export async function hasCommitHooks(repo: Repository): Promise<boolean> {
  const hooks = await Hooks.load(repo);
  return hooks.has(
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "reference-transaction",
  );
}
