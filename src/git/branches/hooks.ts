/** Runs the project's own git hooks for commits that are made without `git commit`. */
import { join, resolve } from "node:path";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import { CodeIntelError } from "../../base/errors.ts";
import type { Repository } from "../repository.ts";
import { hasConfiguredHooks } from "../repository.ts";
import { readPathSetting, readSettings } from "../settings.ts";

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
    const present = new Set<string>();
    try {
      for await (const entry of Deno.readDir(folder)) present.add(entry.name);
    } catch {
      // Without the folder there are no hooks.
    }
    for (const event of await readConfiguredEvents(repo)) present.add(event);
    return new Hooks(repo, present);
  }

  /** Whether any of these exists. */
  has(...names: readonly HookName[]): boolean {
    return names.some((name) => this.#present.has(name));
  }

  /** Runs a hook if it exists; a hook that fails becomes a refusal. */
  async run(name: HookName, options: HookOptions): Promise<Problem | null> {
    if (!this.has(name)) return null;
    const args = options.args === undefined ? [] : ["--", ...options.args];
    try {
      const result = await this.#repo.git.run(["hook", "run", "--ignore-missing", name, ...args], {
        hooks: "all",
        timeoutMs: LIMITS.gitHookTimeoutMs.value,
        ...(options.indexFile === undefined ? {} : { indexFile: options.indexFile }),
      });
      if (result.code === 0) return null;
      return toHookProblem(name, `${decodeTail(result.stdout)}${result.stderr}`);
    } catch (cause) {
      if (!(cause instanceof CodeIntelError) || cause.code !== "timed_out") throw cause;
      return toHookProblem(name, "the hook did not end in time");
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

/** The refusal for a failed hook, with the end of its output. */
export function toHookProblem(name: string, output: string): Problem {
  const said = output.trim().slice(-SHOWN_OUTPUT_CHARS);
  return toProblem("git_hook_failed", `The git hook ${name} refused: ${said || "no output"}`, {
    hint: "Nothing was committed and nothing is lost: go back and repair what the hook names, " +
      "or ask the person.",
  });
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
