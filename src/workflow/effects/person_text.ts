/** Tells which of the person's text an effect removed from files, and how to bring it back. */
import type { TreePath } from "../../base/paths.ts";
import { toShellWord } from "../../base/text/plain_text.ts";
import { listSnapshots } from "../../git/snapshots/snapshots.ts";
import { findStandingOverlaps } from "../../git/trees/commit_tree.ts";
import type { EffectContext } from "./effect_context.ts";

const MOST_PATHS = 20;

/**
 * Fields of the reply after files were put back in which the person had written on lines of the
 * session. The baseline lacks that text, so it was removed with these lines; the snapshot before
 * the effect has it.
 */
export async function toRemovedText(
  { repo, state, session, sessions, paths, expected }: EffectContext,
  treePaths: Iterable<TreePath>,
): Promise<Readonly<Record<string, unknown>>> {
  const named = new Set(treePaths);
  const overlaps = (state.workspace.personOverlaps ?? [])
    .filter(({ treePath }) => named.has(treePath));
  if (overlaps.length === 0 || expected.tree === undefined) return {};
  const standing = await findStandingOverlaps(repo, expected.tree, overlaps);
  const kept = (await listSnapshots(repo, session.id))
    .findLast(({ tree }) => tree === expected.tree);
  if (standing.length === 0 || kept === undefined) return {};
  const shown = standing.map((treePath) => paths.toProject(treePath));
  const isGone = overlaps.some(({ treePath, after }) =>
    after === null && standing.includes(treePath)
  );
  const words = [
    session.id,
    "--to",
    String(kept.number),
    ...(isGone ? ["--exact"] : []),
    ...shown.slice(0, MOST_PATHS).map(toShellWord),
  ];
  const line = `code-intel restore ${words.join(" ")}`;
  await sessions.record(session.id, { kind: "note", code: "restored_change", text: line });
  return {
    person_text_removed: shown.slice(0, MOST_PATHS),
    person_text_removed_total: shown.length,
    person_text_removed_note:
      `What the person had written on lines of the session went with them. Tell them: \`${line}\` brings it back.`,
  };
}
