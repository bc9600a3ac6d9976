/**
 * Resolves findings as the agent or the user says: a change is put back, becomes the user's, or
 * is authorised.
 */
import { CodeIntelError } from "../../base/errors.ts";
import { joinWords } from "../../base/text/words.ts";
import type { AnswerSource } from "../../phase/facts.ts";
import type { ChangeResolution } from "../../phase/payload/payloads.ts";
import type { SessionState } from "../../phase/state.ts";
import { findNextTask } from "../../phase/tasks.ts";
import { updateHashes } from "../../ledger/trees.ts";
import type { CheckInput } from "./check_resolutions.ts";
import { checkResolutions, matchFindings, matchGitFiles, matchTexts } from "./check_resolutions.ts";
import type { SessionContext, Sessions } from "../context/sessions.ts";
import { carryToOrigins, takeOdd, withLedger } from "../look/inspect.ts";
import type { RowResult } from "./resolve_head.ts";
import { acceptHead, noteHead, undoHead } from "./resolve_head.ts";
import { needsPerson } from "./ask_resolutions.ts";
import { quoteShellWord } from "../../base/text/plain_text.ts";
import type { Problem } from "../../base/problem.ts";
import { listSnapshots } from "../../git/snapshots/snapshots.ts";

/** What resolving needs. */
export interface ResolveInput extends CheckInput {
  /** How the user's answer came, for rows that need it. */
  readonly word: AnswerSource;
}

interface RowInput extends ResolveInput {
  readonly state: SessionState;
  readonly row: ChangeResolution;
}

/** The state after all rows, or the problem of the one that failed; then HEAD and files are as before. */
export async function applyAll(
  context: SessionContext,
  input: ResolveInput & { readonly undo: readonly string[] },
): Promise<RowResult> {
  const { rows, inspection } = input;
  let { state } = inspection;
  for (const row of rows) {
    const step = await applyToState(context, { ...input, state, row });
    if (step.problem !== null) return step;
    state = needsPerson(row)
      ? noteWord(context.sessions, step.state, { ...input, row })
      : step.state;
  }
  const isUndone = rows.some(({ path, action }) => path === "HEAD" && action === "undo");
  const goBack = isUndone ? await noteHead(context, inspection.state) : null;
  try {
    const problem = isUndone ? await undoHead(context, input) : null;
    if (problem !== null) {
      await goBack?.();
      return { state: inspection.state, problem };
    }
  } catch (failure) {
    await goBack?.();
    throw failure;
  }
  try {
    await putBack(context, { ...input, state });
  } catch (failure) {
    throw await takeBack(context, { ...input, failure, goBack });
  }
  return { state, problem: null };
}

/** What a row changes in the state; rows about HEAD and files on the disk are done afterwards. */
async function applyToState(context: SessionContext, input: RowInput): Promise<RowResult> {
  const { row, state, inspection } = input;
  if (row.path === "HEAD") {
    return row.action === "person"
      ? await acceptHead(context, {
        state,
        disk: inspection.seen?.tree ?? state.ledger?.tree ?? null,
      })
      : { state, problem: null };
  }
  if (row.path.startsWith(".git/")) return { state: acceptGitFiles(input), problem: null };
  const paths = matchFindings(context, inspection.findings, row.path).map(({ change }) =>
    change.path
  );
  switch (row.action) {
    case "person":
      return { state: await bookToPerson(context, { ...input, paths }), problem: null };
    case "authorize":
    case "tool":
      return { state: authorise(state, paths), problem: null };
    case "restore":
    case "undo":
      return { state, problem: null };
  }
}

function listRestored(
  context: SessionContext,
  { rows, inspection }: ResolveInput,
): readonly string[] {
  const found = rows.filter(({ action }) => action === "restore")
    .flatMap(({ path }) => matchFindings(context, inspection.findings, path));
  return [...new Set(found.map(({ change }) => change.path))];
}

/**
 * Puts all files back at once. What is overwritten is in the snapshot of the inspection, or was copied before.
 */
async function putBack(
  context: SessionContext,
  input: ResolveInput & { readonly state: SessionState },
): Promise<void> {
  const tree = input.state.ledger?.tree ?? null;
  const paths = listRestored(context, input);
  if (tree === null || paths.length === 0) return;
  await context.trees.putBack({ tree, paths });
}

/** Does all of them one after another, also after a failure, which is thrown in the end. */
async function doEach(actions: readonly (() => Promise<void>)[]): Promise<void> {
  let first: unknown = null;
  for (const action of actions) await action().catch((failure) => first ??= failure);
  if (first !== null) throw first;
}

/** Brings HEAD and files back after a failure; what cannot be brought back is named with its command line. */
async function takeBack(
  context: SessionContext,
  input: ResolveInput & {
    readonly failure: unknown;
    readonly goBack: (() => Promise<void>) | null;
    readonly undo: readonly string[];
  },
): Promise<unknown> {
  const { failure, goBack, inspection, undo } = input;
  const tree = inspection.seen?.tree ?? null;
  const paths = listRestored(context, input);
  try {
    await goBack?.();
    if (tree !== null) {
      // What stopped one file may stop it again, and must not keep the others.
      const each = paths.map((path) => async () =>
        await context.trees.putBack({ tree, paths: [path] })
      );
      await doEach(each);
    }
    return failure;
  } catch {
    if (!(failure instanceof CodeIntelError)) return failure;
    const { code, message, hint, details } = failure;
    const lines = undo.map((line) => `\`${line}\``).join(", ");
    return new CodeIntelError(code, `${message}; some files were put back already`, {
      hint: joinWords([hint, lines === "" ? "" : `This brings back what they held: ${lines}.`]),
      details,
      cause: failure,
    });
  }
}

async function bookToPerson(
  context: SessionContext,
  input: RowInput & { readonly paths: readonly string[] },
): Promise<SessionState> {
  const { state, row, inspection, paths } = input;
  const { ledger } = state;
  const from = ledger?.tree ?? null;
  const { seen } = inspection;
  if (ledger === undefined || from === null || seen === null) {
    return state;
  }
  const to = seen.tree;
  const tree = await context.trees.adopt({ onto: from, from: to, paths });
  const origins = await carryToOrigins(context, state, { from, to, paths });
  const resolved = context.paths.toWorktree(row.path);
  const claim = row.until_end === true && resolved.kind === "path" ? [resolved.path] : [];
  const texts = updateHashes(
    ledger.texts ?? {},
    inspection.texts.now,
    matchTexts(inspection, row.path),
  );
  const next = { ...state, workspace: { ...state.workspace, ...origins } };
  return withLedger(next, {
    tree,
    personPaths: [...ledger.personPaths, ...claim],
    ...takeOdd(ledger, seen, paths),
    ...(ledger.texts === undefined ? {} : { texts }),
  });
}

/** Clears the paths, so that the next look books their changes to the task. */
function authorise(state: SessionState, paths: readonly string[]): SessionState {
  const taskId = findNextTask(state.tasks)?.id ?? null;
  return {
    ...state,
    clearances: [
      ...state.clearances,
      ...paths.map((path) => ({ path, visit: state.visit, taskId })),
    ],
  };
}

function acceptGitFiles({ state, row, inspection }: RowInput): SessionState {
  const { ledger } = state;
  const { seen } = inspection;
  if (ledger === undefined || seen === null) return state;
  const names = matchGitFiles(inspection, row.path);
  return withLedger(state, { gitFiles: updateHashes(ledger.gitFiles, seen.gitHashes, names) });
}

function noteWord(
  sessions: Sessions,
  state: SessionState,
  input: { readonly row: ChangeResolution; readonly word: AnswerSource },
): SessionState {
  const { row, word } = input;
  return {
    ...state,
    decisions: [...state.decisions, {
      at: sessions.deps.clock.now().toISOString(),
      stage: state.stage,
      decision: `${row.action}: ${row.path}`,
      reason: row.reason,
      source: word,
    }],
  };
}

/** The outcome of the resolutions. */
export interface Resolved {
  readonly state: SessionState;
  readonly problems: readonly Problem[];
  /** What was done, one line each, for the reply. */
  readonly done: readonly string[];
  /** Command lines that bring back what was put back, because the user may want it. */
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
  const undo = await listUndoCommands(context, input);
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
 * It is not known who made a change that is put back. It may be the user's, so the reply names
 * the command line that brings it back.
 */
async function listUndoCommands(
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
  const named = paths.length > MOST_LINE_PATHS ? [] : paths.map(quoteShellWord);
  const isDeleted = found.some(({ change }) => change.kind === "deleted");
  const deleted = isDeleted && named.length > 0 ? ["--exact"] : [];
  const words = [session.id, "--to", String(kept.number), ...deleted, ...named];
  return [`code-intel restore ${words.join(" ")}`];
}
