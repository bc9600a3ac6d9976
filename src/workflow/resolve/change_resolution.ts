/**
 * Resolves findings as the agent or the person says: a change is put back, becomes the person's, or
 * is authorised.
 */
import { toShellWord } from "../../base/text/plain_text.ts";
import type { Problem } from "../../base/problem.ts";
import { listSnapshots } from "../../git/snapshots/snapshots.ts";
import type { SessionState } from "../../phase/state.ts";
import type { ResolveInput } from "./apply_resolutions.ts";
import { applyAll } from "./apply_resolutions.ts";
import { checkResolutions, matchFindings } from "./check_resolutions.ts";
import type { SessionContext } from "../context/sessions.ts";

/** The outcome of the resolutions. */
export interface Resolved {
  readonly state: SessionState;
  readonly problems: readonly Problem[];
  /** What was done, one line each, for the reply. */
  readonly done: readonly string[];
  /** Command lines that bring back what was put back, because the person may want it. */
  readonly undo: readonly string[];
}

/** Carries out every resolution, or none when one of them cannot be carried out. */
export async function resolveChanges(
  context: SessionContext,
  input: ResolveInput,
): Promise<Resolved> {
  const { inspection, rows } = input;
  const problems = await checkResolutions(context, input);
  if (problems.length > 0) return { state: inspection.state, problems, done: [], undo: [] };
  const undo = await toUndoLines(context, input);
  const applied = await applyAll(context, { ...input, undo });
  if (applied.problem !== null) {
    return { state: inspection.state, problems: [applied.problem], done: [], undo: [] };
  }
  const { state } = applied;
  const done = rows.map(({ action, path }) => `${action}: ${path}`);
  const note = (code: string, text: string) =>
    context.sessions.record(input.session.id, { kind: "note", code, text });
  for (const { action, path, reason } of rows) {
    await note("change_resolution", `${action} ${path}: ${reason}`);
  }
  for (const line of undo) await note("restored_change", line);
  return { state, problems: [], done, undo };
}

const MOST_LINE_PATHS = 20;

/**
 * It is not known who made a change that is put back. It may be the person's, so the reply names
 * the command line that brings it back.
 */
async function toUndoLines(
  context: SessionContext,
  input: ResolveInput,
): Promise<readonly string[]> {
  const { inspection, rows, session } = input;
  const { seen, findings } = inspection;
  const found = rows.filter(({ action }) => action === "restore")
    .flatMap(({ path }) => matchFindings(context, findings, path));
  if (seen === null || found.length === 0) return [];
  const snapshots = await listSnapshots(context.repo, session.id);
  const kept = snapshots.findLast(({ tree }) => tree === seen.tree);
  if (kept === undefined) return [];
  const paths = [...new Set(found.map(({ change }) => context.paths.toProject(change.path)))];
  const named = paths.length > MOST_LINE_PATHS ? [] : paths.map(toShellWord);
  const isDeleted = found.some(({ change }) => change.kind === "deleted");
  const deleted = isDeleted && named.length > 0 ? ["--exact"] : [];
  const words = [session.id, "--to", String(kept.number), ...deleted, ...named];
  return [`code-intel restore ${words.join(" ")}`];
}
