/** Tells what git hooks did to a commit or a merge, and after it: nobody has reviewed or verified that. */
import type { ProjectPath, TreePath } from "../../base/paths.ts";
import type { HookChanges } from "../../git/branches/hooks.ts";
import type { CommitStatement, VerifiedTrailer } from "../../phase/verification_state.ts";
import type { EffectContext } from "./effect_context.ts";

const MOST_HOOKED = 20;

/** What is said of a tip after its hooks: what is known of it before, less what they changed. */
export function buildStatement(
  verified: VerifiedTrailer,
  changed: readonly TreePath[],
): CommitStatement {
  return {
    verified: changed.length > 0 ? markChangedByHooks(verified) : verified,
    ...(changed.length > 0 ? { byHooks: [...new Set(changed)].sort() } : {}),
  };
}

/** The trailer for a commit that git hooks changed again after their changes were verified. */
export function markChangedByHooks(verified: VerifiedTrailer): VerifiedTrailer {
  return isYes(verified) ? "yes, tree differs" : verified;
}

/** Whether a run of the server passed, and nothing is said against it. */
export function isYes(verified: VerifiedTrailer): boolean {
  return verified === "yes" || verified === "yes (worktree)";
}

/** What hooks did, on a branch that got a commit. */
export interface HookedTip {
  readonly branch: string;
  readonly commit: string;
  readonly after?: HookChanges & { readonly isMisstated?: true };
}

/** The fields of the reply; empty where hooks did nothing. */
export function buildCommitFields(
  { paths }: Pick<EffectContext, "paths">,
  made: HookedTip,
  { byHooks = [] }: Pick<CommitStatement, "byHooks">,
): Readonly<Record<string, unknown>> {
  const { branch, commit, after } = made;
  const toNamed = (name: string, files: readonly TreePath[]) =>
    buildFileFields(name, files.map((path) => paths.toProject(path)));
  const changed = byHooks.length === 0 ? {} : {
    ...toNamed("changed_by_hooks", byHooks),
    changed_by_hooks_note:
      "git hooks changed these files once more in the commit itself: that was neither reviewed nor verified. " +
      "Tell the person, and look at the commit.",
  };
  if (after === undefined) return changed;
  const isMoved = after.tip !== commit;
  const isAway = after.head !== branch;
  if (!isMoved && !isAway && after.files.length === 0) return changed;
  return {
    ...(isMoved ? { moved_by_hooks: { branch, from: commit, to: after.tip } } : {}),
    ...(isAway ? { head_after_hooks: after.head } : {}),
    ...changed,
    ...toNamed("left_by_hooks", after.files),
    hooks_note:
      "git hooks of the project did this after the commit was made: it was neither reviewed nor verified. Tell the person.",
    ...(after.isMisstated === true
      ? {
        message_note:
          "The message of this tip says something else of its verification: believe this reply.",
      }
      : {}),
  };
}

/** The first files of a list, with their number; empty for none. */
function buildFileFields(
  name: string,
  paths: readonly ProjectPath[],
): Readonly<Record<string, unknown>> {
  return paths.length === 0
    ? {}
    : { [name]: paths.slice(0, MOST_HOOKED), [`${name}_total`]: paths.length };
}

/** The trailer of a merge that brings in what hooks changed unseen; none where they changed nothing. */
export function formatHookLines(
  { byHooks = [] }: Pick<CommitStatement, "byHooks">,
): readonly string[] {
  if (byHooks.length === 0) return [];
  const more = byHooks.length - MOST_NAMED;
  const named = byHooks.slice(0, MOST_NAMED).join(", ");
  return [`${named}${more > 0 ? ` and ${more} more` : ""}, neither reviewed nor verified`];
}

/** Most files that a message names. */
const MOST_NAMED = 5;
