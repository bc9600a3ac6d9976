/** Says at the start whether git allows a session with a branch, and how to go on where it does not. */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { argument, say } from "../../base/text/words.ts";
import type { Head } from "../../git/repository.ts";
import { hasNoGit, readHead } from "../../git/repository.ts";
import type { GitOperation } from "../../git/locks.ts";
import { checkIdentity, findOperation, formatWaysOut } from "../../git/locks.ts";
import { findGitStore, makeGitStoreError } from "../../place/git_store.ts";
import type { SessionContext } from "../context/sessions.ts";

/** What a start needs to know of git. */
export interface GitFacts {
  readonly head: Head | null;
  readonly problems: readonly Problem[];
  /** What a session without a branch is told of git. */
  readonly notices: readonly string[];
}

/** Reads where HEAD is, and what stands against a session with a branch. */
export async function readGitFacts(
  context: SessionContext,
  options: { readonly needsBranch: boolean },
): Promise<GitFacts> {
  const { repo } = context;
  if (hasNoGit(repo)) {
    return { head: null, problems: options.needsBranch ? [noGitFacts(context)] : [], notices: [] };
  }
  const head = await readHead(repo);
  const operation = await findOperation(repo);
  if (!options.needsBranch) {
    const notices = operation === null ? [] : [describeOperation(operation)];
    return { head, problems: [], notices };
  }
  const problems: Problem[] = [];
  // A bisect on a branch is over before anything is committed there; else git itself would not switch.
  if (operation !== null && (head.kind === "detached" || operation.name !== "a bisect")) {
    problems.push(makeProblem("git_under_way", `In this worktree ${operation.name} is under way`, {
      hint: say`Ask the person to end it (${formatWaysOut(operation)}), or start with the flag ${
        argument("quick")
      }.`,
    }));
  } else if (head.kind === "detached" || head.commit === null) {
    problems.push(makeProblem(
      "no_base_branch",
      head.kind === "detached"
        ? "HEAD is detached: there is no branch to merge the work into"
        : `The branch "${head.branch}" has no commit yet`,
      {
        hint: head.kind === "detached"
          ? say`Ask the person to switch to a branch (\`git switch <branch>\`), or start with the flag ${
            argument("quick")
          }.`
          : say`Ask the person for a first commit, or start with the flag ${argument("quick")}.`,
      },
    ));
  }
  const identity = await checkIdentity(repo);
  if (identity !== null) problems.push(identity);
  return { head, problems, notices: [] };
}

/** The files may be half of one commit and half of another. */
function describeOperation(operation: GitOperation): string {
  return `In this worktree ${operation.name} is under way: files may hold both sides and marks of conflicts. ` +
    `The person ends it (${formatWaysOut(operation)}).`;
}

/** The problem of a project in no worktree. A repository may have become a bare one under a server that runs. */
function noGitFacts({ deps: { projectRoot } }: SessionContext): Problem {
  const store = findGitStore(projectRoot);
  if (store !== null) {
    const { message, hint } = makeGitStoreError(store);
    return makeProblem("git_required", message, { hint });
  }
  return makeProblem("git_required", "The project is in no git repository", {
    hint: say`Run \`git init\` and make a first commit, or start with the flag ${
      argument("quick")
    } or INVESTIGATE.`,
  });
}
