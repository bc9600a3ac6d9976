/** Names what git is in the middle of: a merge, a rebase, a bisect and the like, with git's own ways out. */
import { join } from "node:path";
import { CodeIntelError } from "../base/errors.ts";
import { SAME_CALL, say } from "../base/text/words.ts";
import type { Repository } from "./repository.ts";

/** An operation that is under way in a worktree. */
export interface GitOperation {
  /** With its article: `a rebase`. */
  readonly name: string;
  /** Commands of git that end it. */
  readonly ways: readonly string[];
}

const BISECT = "a bisect";

/** The file by which git knows that an operation is under way; the first that exists counts. */
const OPERATIONS: readonly (readonly [file: string, name: string, ways: readonly string[]])[] = [
  ["rebase-merge", "a rebase", toWays("rebase", "--continue", "--skip", "--abort")],
  ["rebase-apply/applying", "`git am`", toWays("am", "--continue", "--skip", "--abort")],
  ["rebase-apply", "a rebase", toWays("rebase", "--continue", "--skip", "--abort")],
  ["MERGE_HEAD", "a merge", toWays("merge", "--continue", "--abort")],
  ["CHERRY_PICK_HEAD", "a cherry-pick", toWays("cherry-pick", "--continue", "--skip", "--abort")],
  ["REVERT_HEAD", "a revert", toWays("revert", "--continue", "--skip", "--abort")],
  ["sequencer", "a cherry-pick or revert of several commits", [
    ...toWays("cherry-pick", "--continue", "--abort"),
    ...toWays("revert", "--continue", "--abort"),
  ]],
  ["BISECT_LOG", BISECT, toWays("bisect", "reset")],
];

function toWays(command: string, ...endings: readonly string[]): readonly string[] {
  return endings.map((ending) => `git ${command} ${ending}`);
}

/** The operation that is under way in the worktree; null for none. */
export async function findOperation(
  { gitDir }: Pick<Repository, "gitDir">,
): Promise<GitOperation | null> {
  for (const [file, name, ways] of OPERATIONS) {
    const isThere = await Deno.lstat(join(gitDir, file)).then(() => true, () => false);
    if (isThere) return { name, ways };
  }
  return null;
}

/** The ways out as one text: `` `git merge --continue` or `git merge --abort` ``. */
export function toWaysText({ ways }: GitOperation): string {
  return ways.map((way) => `\`${way}\``).join(" or ");
}

/**
 * Refuses while an operation is under way, as git itself refuses to switch branches: a commit or a merge between its
 * steps would become part of it.
 *
 * @throws {CodeIntelError} `git_under_way`
 */
export async function expectNoOperation(repo: Repository): Promise<void> {
  const operation = await findOperation(repo);
  // Git commits and switches in the middle of a bisect too.
  if (operation === null || operation.name === BISECT) return;
  throw new CodeIntelError("git_under_way", `In this worktree ${operation.name} is under way`, {
    hint: say`Ask the person to end it (${toWaysText(operation)}), then ${SAME_CALL} again.`,
    details: { operation: operation.name },
  });
}
