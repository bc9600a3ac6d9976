/**
 * Makes the commit of a session: exactly the reviewed files, once, with trailers that tell how it
 * was verified.
 */
import type { ProjectPath } from "../../base/paths.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { MakeCommitResult } from "../../git/branches/commit.ts";
import type { HOOK_CODES } from "../../git/branches/hooks.ts";
import { makeCommit } from "../../git/branches/commit.ts";
import { findHookCode, hasCommitHooks } from "../../git/branches/hooks.ts";
import { formatCommitMessage } from "../../git/branches/new_commit.ts";
import { listSnapshots } from "../../git/snapshots/snapshots.ts";
import { diffTrees } from "../../git/trees/changes.ts";
import { buildCommitTree } from "../../git/trees/commit_tree.ts";
import { isProtected } from "../../ledger/write_guard.ts";
import type { Effect, EffectResult, PreparedCommit } from "../../phase/state.ts";
import type { VerifiedTrailer } from "../../phase/verification_state.ts";
import { formatForcedLines, formatRunLines } from "../../phase/trailer.ts";
import type { EffectContext, Performed } from "./effect_context.ts";
import { done } from "./effect_context.ts";
import { buildCommitFields, buildStatement, isYes, markChangedByHooks } from "./hook_fields.ts";
import { writePresentTree } from "../context/present_tree.ts";

type CommitEffect = Extract<Effect, { readonly kind: "commit" }>;

/**
 * Commits what was prepared on the task branch; reports the files that git hooks changed meanwhile.
 */
export async function performCommit(
  effect: CommitEffect,
  context: EffectContext,
): Promise<Performed> {
  const hasHooks = await hasCommitHooks(context.repo);
  const before = hasHooks ? await writePresentTree(context) : null;
  const performed = await commitPrepared(effect, context);
  if (performed.kind === "refused") return performed;
  const written = before === null ? [] : await listHookFiles(context, before);
  return { kind: "done", result: { ...performed.result, written } };
}

/**
 * Files that changed since the hooks were started. Earlier changes of others, also those made while
 * no server ran after a kill, are judged like every other change.
 */
async function listHookFiles(context: EffectContext, before: string): Promise<readonly string[]> {
  const now = await writePresentTree(context);
  if (now === null) return [];
  return (await diffTrees(context.repo, before, now, { withoutRenames: true }))
    .map(({ path }) => path);
}

async function commitPrepared(effect: CommitEffect, context: EffectContext): Promise<Performed> {
  const { repo, state, expected, session } = context;
  const { workspace, prepared } = state;
  const { head, tree } = expected;
  if (prepared === null || workspace.taskBranch === null || !head || !tree) {
    return done({ kind: "commit" }, { reply: { committed: false } });
  }
  const built = await buildTree(context, prepared, { head, tree });
  if (built.inseparable.length > 0) {
    return refuseMixed(built.inseparable.map((treePath) => context.paths.toProject(treePath)));
  }
  if (built.isEmpty && workspace.mergeParent === null) {
    return done({ kind: "commit" }, { reply: { committed: false } });
  }
  const verified = await chooseTrailer(effect, context, { tree, committed: built.tree });
  const toMessage = (trailer: VerifiedTrailer) =>
    formatCommitMessage(prepared.message, [
      ["Code-Intel-Session", session.id],
      ["Code-Intel-Verified", trailer],
      ...formatForcedLines(state).map((line) => ["Code-Intel-Forced", line] as const),
      ...formatRunLines(state).map((line) => ["Code-Intel-Run", line] as const),
    ]);
  const made = await makeCommit(repo, {
    branch: workspace.taskBranch,
    message: toMessage(verified),
    changedMessage: toMessage(markChangedByHooks(verified)),
    tree: built.tree,
    parents: workspace.mergeParent === null ? [head] : [head, workspace.mergeParent],
    expectedHead: head,
    acceptHookChanges: prepared.hooksReviewed,
    sessionId: session.id,
  });
  switch (made.kind) {
    case "made":
      return await reportCommit(context, made, verified);
    case "hooks_changed":
      return done({ kind: "commit" }, {
        outcome: "hooks_changed",
        paths: made.paths.map((path) => context.paths.toProject(path)),
      });
    case "refused":
      return refuseCommit(made.problem);
  }
}

/** The outcome of each refusal by a hook. */
const HOOK_OUTCOMES: Readonly<
  Record<typeof HOOK_CODES[number], NonNullable<EffectResult["outcome"]>>
> = {
  git_hook_failed: "hook_failed",
  git_message_refused: "message_refused",
  git_ref_refused: "hook_broken",
  git_hook_broken: "hook_broken",
};

function refuseCommit(problem: Problem): Performed {
  const code = findHookCode(problem);
  if (code === null) return { kind: "refused", problem };
  const reply = { output: `${problem.message}` };
  return done({ kind: "commit" }, { outcome: HOOK_OUTCOMES[code], reply });
}

/** The result of a commit that was made; what is on the branch counts, since a hook may have put another commit there. */
async function reportCommit(
  context: EffectContext,
  made: Extract<MakeCommitResult, { readonly kind: "made" }>,
  before: VerifiedTrailer,
): Promise<Performed> {
  const { repo, state, expected, deps } = context;
  const { workspace } = state;
  const { after } = made;
  const branch = workspace.taskBranch ?? "";
  if (after?.hasWork === false) return reportTakenBack(branch, made.commit, after.tip);
  const commit = after?.tip ?? made.commit;
  const statement = buildStatement(before, after?.changed ?? []);
  const { verified } = statement;
  const parents = [expected.head, workspace.mergeParent].flatMap((parent) => parent ?? []);
  const attested = await deps.attest({ repo, commit, parents, verified, state });
  return done({ kind: "commit" }, {
    workspace: {
      commits: [...new Set([...workspace.commits, commit])],
      statement,
      mergeParent: null,
      ...(workspace.mergeParent === null ? {} : { conflictTreePaths: [] }),
    },
    reply: {
      committed: true,
      commit,
      verified,
      ...attested,
      ...buildCommitFields(context, { ...made, branch }, statement),
      ...(made.index.keptAs === null
        ? {}
        : { staged_kept_as: made.index.keptAs, staged_files: made.index.replaced }),
    },
  });
}

/** A hook took the commit out of its branch again: nothing is committed, and only the user can change that. */
function reportTakenBack(branch: string, commit: string, tip: string | null): Performed {
  const output =
    `after the commit a hook (post-commit or reference-transaction) moved ${branch} to ${tip}, ` +
    `where the work is not. It is kept as the commit ${commit}: \`git restore --source=${commit} .\` brings its files back`;
  return done({ kind: "commit" }, { outcome: "hook_broken", reply: { output } });
}

/**
 * Adds to the trailer that others changed files since the verification. Also that the run saw files
 * of others which are not in the commit.
 */
async function chooseTrailer(
  { verified }: CommitEffect,
  context: EffectContext,
  { tree, committed }: { readonly tree: string; readonly committed: string },
): Promise<VerifiedTrailer> {
  const { repo, state, session } = context;
  const then = state.verification?.ranOn ?? null;
  if (!isYes(verified) || then === null) return verified;
  const list = async (from: string, to: string) =>
    from === to
      ? []
      : (await diffTrees(repo, from, to, { withoutRenames: true })).map(({ path }) => path);
  const { checkout } = state.verification ?? {};
  if (checkout !== undefined) {
    // What was run had nothing beside it, so only its difference from the commit counts.
    const isSame = (await list(checkout, committed)).every((path) => isProtected(path));
    return isSame ? verified : "yes, tree differs";
  }
  const [first] = await listSnapshots(repo, session.id);
  const inSession = first === undefined ? [] : await list(first.tree, then);
  const leftOut = inSession.length === 0 ? new Set<string>() : new Set(await list(committed, then));
  const later = then === tree ? [] : await list(then, tree);
  const before = inSession.filter((path) => leftOut.has(path));
  // Files that the commands wrote during the run belong to its result; files that were there before
  // do not.
  const own = new Set(state.verification?.wrote ?? []);
  const differs = [...later.filter((path) => !own.has(path)), ...before]
    .some((path) => !isProtected(path));
  return differs ? "yes, tree differs" : verified;
}

async function buildTree(
  context: EffectContext,
  prepared: PreparedCommit,
  at: { readonly head: string; readonly tree: string },
) {
  const { workspace, verification } = context.state;
  return await buildCommitTree(context.repo, {
    headCommit: at.head,
    baselineTree: workspace.baselineTree ?? at.head,
    currentTree: at.tree,
    // The commands ran in a checkout of what would be committed then, which mostly is what is committed now.
    ...(verification?.checkout === undefined ? {} : { likely: verification.checkout }),
    ...(workspace.cleanTree === null ? {} : { cleanTree: workspace.cleanTree }),
    mergeParent: workspace.mergeParent,
    overlaps: workspace.personOverlaps ?? [],
    paths: resolvePaths(context, prepared.paths),
    includePerson: resolvePaths(context, prepared.includePerson),
  });
}

function resolvePaths(
  context: Pick<EffectContext, "paths">,
  paths: readonly ProjectPath[],
): readonly string[] {
  return paths.flatMap((path) => {
    const resolved = context.paths.toWorktree(path);
    return resolved.kind === "path" ? [resolved.path] : [];
  });
}

function refuseMixed(projectPaths: readonly ProjectPath[]): Performed {
  return {
    kind: "refused",
    problem: makeProblem(
      "person_changes_mixed",
      `The changes of the session and of the person overlap in: ${projectPaths.join(", ")}`,
      {
        hint: "Ask the person; with their word name these files in include_person_changes.",
        at: "data.include_person_changes",
      },
    ),
  };
}
