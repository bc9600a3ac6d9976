/** Tells what git hooks did once a commit or a merge was made: nobody has reviewed or verified that. */
import type { ProjectPath } from "../../base/paths.ts";
import type { HookDeeds } from "../../git/mod.ts";
import type { EffectContext } from "./effect_context.ts";

const MOST_HOOKED = 20;

/** The fields of the reply; empty where hooks did nothing. */
export function toDeedFields(
  { bench }: Pick<EffectContext, "bench">,
  made: { readonly branch: string; readonly commit: string; readonly after?: HookDeeds },
): Readonly<Record<string, unknown>> {
  const { branch, commit, after } = made;
  if (after === undefined) return {};
  const isMoved = after.tip !== commit;
  const isAway = after.head !== branch;
  return {
    ...(isMoved ? { moved_by_hooks: { branch, from: commit, to: after.tip } } : {}),
    ...(isAway ? { head_after_hooks: after.head } : {}),
    ...toFileFields("left_by_hooks", after.files.map((path) => bench.paths.toProject(path))),
    hooks_note:
      "git hooks of the project did this after the commit was made: it was neither reviewed nor verified. Tell the person.",
  };
}

/** The first files of a list, with their number; empty for none. */
export function toFileFields(
  name: string,
  paths: readonly ProjectPath[],
): Readonly<Record<string, unknown>> {
  return paths.length === 0
    ? {}
    : { [name]: paths.slice(0, MOST_HOOKED), [`${name}_total`]: paths.length };
}
