/** Says which tree the verification commands run on in a clean checkout, or why they run in the worktree. */
import type { TreePath } from "../../base/paths.ts";
import type { ProjectCommands } from "../../evidence/runs/project_verification.ts";
import type { RunCheckout, VerificationRun } from "../../evidence/runs/verification.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";
import { readHead, readTree } from "../../git/repository.ts";
import { buildCommitTree } from "../../git/trees/commit_tree.ts";
import type { SessionState } from "../../phase/state.ts";
import { hasBranchFlow } from "../../phase/table/flags.ts";
import { createUse, createUseApart } from "../../prove/checkout_use.ts";
import type { SessionContext } from "../context/sessions.ts";

/** What a run is about. */
export interface CheckoutPlanInput {
  readonly state: SessionState;
  readonly found: ProjectCommands;
  readonly commands: readonly VerifyCommand[];
  /** Tree of the worktree. */
  readonly tree: string;
  /** Files that the session changed, relative to the worktree; none for the untouched tree. */
  readonly changed: readonly TreePath[];
  /** The run on the untouched tree, where it is known. */
  readonly baseline?: VerificationRun | undefined;
}

/** The checkout of what the session would commit now; undefined for flows that commit nothing. */
export async function planCheckout(
  context: SessionContext,
  input: CheckoutPlanInput,
): Promise<RunCheckout | string | undefined> {
  const { state, found, commands, baseline } = input;
  if (!hasBranchFlow(state)) return undefined;
  if (found.checkout === "off") return "Clean checkouts are switched off (verify_checkout).";
  const writer = commands.find(({ writes }) => writes.length > 0);
  if (writer !== undefined) {
    return `"${writer.name}" writes files of the project, which belong into the worktree (writes).`;
  }
  if (baseline?.place?.kind === "worktree" && baseline.place.differs) {
    return `On the untouched tree: ${baseline.place.why}`;
  }
  const tree = await buildCommittedTree(context, context.repo, input);
  if (tree === null) return "There is no commit yet.";
  const isSure = baseline?.place?.kind === "checkout";
  return { tree, isSure, use: createUse(context.deps.verification, found)({ tree, commands }) };
}

/**
 * The checkout of the untouched tree, for a red run of which nobody knows what failed before: the run at the start was
 * ended by the first edit, or by the end of its process. Nothing once the session has a commit, since HEAD is not the
 * untouched tree then.
 */
export async function planUntouched(
  { repo, deps }: SessionContext,
  { state, found, commands }: Pick<CheckoutPlanInput, "state" | "found" | "commands">,
): Promise<{ readonly untouched?: RunCheckout["use"] }> {
  const { cleanTree, commits, mergeParent } = state.workspace;
  const isAsked = hasBranchFlow(state) && found.checkout === "auto" && found.baseline !== "off" &&
    commits.length === 0 && mergeParent === null;
  if (!isAsked) return {};
  const { commit } = await readHead(repo);
  if (commit === null) return {};
  const tree = await readTree(repo, cleanTree ?? commit);
  return { untouched: createUseApart(deps.verification, found)({ tree, commands }) };
}

/** The tree that a commit of the changed files would have; null without a commit. */
export async function buildCommittedTree(
  { paths }: Pick<SessionContext, "paths">,
  repo: NonNullable<SessionContext["repo"]>,
  { state, tree, changed }: Pick<CheckoutPlanInput, "state" | "tree" | "changed">,
): Promise<string | null> {
  const { workspace } = state;
  const { commit } = await readHead(repo);
  if (commit === null) return null;
  if (changed.length === 0) return await readTree(repo, workspace.cleanTree ?? commit);
  const built = await buildCommitTree(repo, {
    headCommit: commit,
    baselineTree: workspace.baselineTree ?? commit,
    currentTree: tree,
    ...(workspace.cleanTree === null ? {} : { cleanTree: workspace.cleanTree }),
    mergeParent: workspace.mergeParent,
    overlaps: workspace.personOverlaps ?? [],
    paths: changed,
    includePerson: (state.includedPerson ?? []).flatMap(({ path }) => {
      const resolved = paths.toWorktree(path);
      return resolved.kind === "path" ? [resolved.path] : [];
    }),
  });
  // Lines of the session and of the user cannot be distinguished: both are looked at.
  return built.inseparable.length > 0 ? tree : built.tree;
}
