/** Deleted branches: a ref keeps the tip of each, from which the branch can be made again. */
import { OWN_REFS } from "../ref_file.ts";
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import { toGitError } from "../git.ts";
import type { Repository } from "../repository.ts";
import { readTip } from "../repository.ts";
import { toZeroId } from "../snapshots/snapshots.ts";

/** One kept tip; a branch that was deleted more than once has several. */
export interface KeptTip {
  /** Name of the branch. */
  readonly branch: string;
  /** Full name of the ref that keeps the tip. */
  readonly ref: string;
  /** Commit that the branch pointed at. */
  readonly tip: string;
  /** When it was deleted, as an ISO time. */
  readonly at: string;
  /** First line of the message of the tip. */
  readonly subject: string;
}

const PREFIX = `${OWN_REFS}/branches/`;
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/;

/** All kept tips, by branch, newest first. */
export async function listKeptBranches(repo: Repository): Promise<KeptTip[]> {
  const output = await repo.git.text([
    "for-each-ref",
    "--format=%(refname)%00%(objectname)%00%(contents:subject)%00",
    PREFIX,
  ]);
  const fields = output.split("\0");
  const kept: KeptTip[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [name = "", tip = "", subject = ""] = fields.slice(at, at + 3);
    const ref = name.trim();
    const end = ref.lastIndexOf("/");
    const time = TIME.exec(ref.slice(end + 1));
    if (time === null) continue; // Not one of ours: a ref that somebody put there.
    const [, year, month, day, hour, minute, second, ms] = time;
    kept.push({
      branch: ref.slice(PREFIX.length, end),
      ref,
      tip,
      at: `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`,
      subject,
    });
  }
  return kept.sort((one, other) =>
    one.branch === other.branch
      ? (one.at < other.at ? 1 : -1)
      : (one.branch < other.branch ? -1 : 1)
  );
}

/** The outcome of {@link restoreBranch}. */
export type RestoreBranchResult =
  | { readonly kind: "restored" | "present" }
  | { readonly kind: "refused"; readonly problem: Problem };

/** Makes a deleted branch again at its kept tip; never moves a branch, HEAD or files. */
export async function restoreBranch(
  repo: Repository,
  { branch, tip }: Pick<KeptTip, "branch" | "tip">,
): Promise<RestoreBranchResult> {
  const now = await readTip(repo, branch);
  if (now === tip) return { kind: "present" };
  if (now !== null) {
    const problem = toProblem("branch_exists", `The branch "${branch}" exists at another commit`, {
      hint: `Look at both: git log --oneline ${now.slice(0, 12)}...${tip.slice(0, 12)}; ` +
        `\`git branch NAME ${tip.slice(0, 12)}\` makes the kept one under another name.`,
    });
    return { kind: "refused", problem };
  }
  const args = ["update-ref", "-m", "code-intel: restored", `refs/heads/${branch}`, tip];
  const result = await repo.git.run([...args, toZeroId(repo)]);
  if (result.code !== 0) throw toGitError(args, result);
  return { kind: "restored" };
}
