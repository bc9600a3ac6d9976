/**
 * Resolves findings as the agent or the person says: a change is put back, becomes the person's, or
 * is authorised.
 */
import { toShellWord } from "../../base/processes/shell_word.ts";
import type { Problem } from "../../base/problem.ts";
import { listSnapshots } from "../../git/mod.ts";
import type { AnswerSource, ChangeResolution, SessionState } from "../../phase/mod.ts";
import { toNextTask } from "../../phase/mod.ts";
import type { CheckInput } from "./check_resolutions.ts";
import { checkResolutions, matchFindings, matchGitFiles, matchTexts } from "./check_resolutions.ts";
import { takeHashes, toCopyName } from "../../ledger/mod.ts";
import type { Bench, Desk } from "../desk.ts";
import { carryToOrigins, takeOdd, withLedger } from "./inspect.ts";
import type { RowResult } from "./resolve_head.ts";
import { resolveHead } from "./resolve_head.ts";
import { needsPerson } from "../person/ask_resolutions.ts";

/** The outcome of the resolutions. */
export interface Resolved {
  readonly state: SessionState;
  readonly problems: readonly Problem[];
  /** What was done, one line each, for the reply. */
  readonly done: readonly string[];
  /** Command lines that bring back what was put back, because the person may want it. */
  readonly undo: readonly string[];
}

/** What resolving needs. */
export interface ResolveInput extends CheckInput {
  /** How the person's answer came, for rows that need it. */
  readonly word: AnswerSource;
}

/** Carries out every resolution, or none when one of them cannot be carried out. */
export async function resolveChanges(
  desk: Desk,
  bench: Bench,
  input: ResolveInput,
): Promise<Resolved> {
  const { inspection, rows } = input;
  const problems = await checkResolutions(desk, bench, input);
  if (problems.length > 0) return { state: inspection.state, problems, done: [], undo: [] };
  let { state } = inspection;
  const done: string[] = [];
  const undo = bench.manifests === null
    ? await toUndoLines(bench, input)
    : await copyFound(desk, bench, input);
  for (const row of rows) {
    const step = await applyRow(desk, bench, { ...input, state, row });
    if (step.problem !== null) return { state, problems: [step.problem], done, undo: [] };
    state = needsPerson(row) ? noteWord(desk, step.state, { ...input, row }) : step.state;
    done.push(`${row.action}: ${row.path}`);
    await desk.deps.store.appendRecord(input.session.id, {
      kind: "note",
      at: desk.deps.clock.now().toISOString(),
      code: "change_resolution",
      text: `${row.action} ${row.path}: ${row.reason}`,
    });
  }
  for (const line of undo) {
    await desk.deps.store.appendRecord(input.session.id, {
      kind: "note",
      at: desk.deps.clock.now().toISOString(),
      code: "restored_change",
      text: line,
    });
  }
  return { state, problems: [], done, undo };
}

interface RowInput extends ResolveInput {
  readonly state: SessionState;
  readonly row: ChangeResolution;
}

async function applyRow(desk: Desk, bench: Bench, input: RowInput): Promise<RowResult> {
  const { row, state, inspection } = input;
  if (row.path === "HEAD") return await resolveHead(desk, bench, input);
  if (row.path.startsWith(".git/")) return { state: acceptGitFiles(input), problem: null };
  const found = matchFindings(bench, inspection.findings, row.path);
  const paths = found.map(({ change }) => change.path);
  switch (row.action) {
    case "restore":
      return await putBack(bench, state, paths);
    case "person":
      return { state: await bookToPerson(bench, { ...input, paths }), problem: null };
    case "authorize":
    case "tool":
      return { state: authorise(state, paths), problem: null };
    case "undo":
      return { state, problem: null };
  }
}

async function putBack(
  bench: Bench,
  state: SessionState,
  paths: readonly string[],
): Promise<RowResult> {
  const tree = state.ledger?.tree ?? null;
  if (bench.trees === null || tree === null) return { state, problem: null };
  // What is overwritten here is in the snapshot of the inspection, or was copied before the first
  // row.
  await bench.trees.putBack({ tree, paths });
  return { state, problem: null };
}

async function bookToPerson(
  bench: Bench,
  input: RowInput & { readonly paths: readonly string[] },
): Promise<SessionState> {
  const { state, row, inspection, paths } = input;
  const { ledger } = state;
  const from = ledger?.tree ?? null;
  const { seen } = inspection;
  if (bench.trees === null || ledger === undefined || from === null || seen === null) return state;
  const to = seen.tree;
  const tree = await bench.trees.adopt({ onto: from, from: to, paths });
  const origins = await carryToOrigins(bench, state, { from, to, paths });
  const resolved = bench.paths.toWorktree(row.path);
  const claim = row.until_end === true && resolved.kind === "path" ? [resolved.path] : [];
  const texts = takeHashes(
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
  const taskId = toNextTask(state.tasks)?.id ?? null;
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
  return withLedger(state, { gitFiles: takeHashes(ledger.gitFiles, seen.gitHashes, names) });
}

function noteWord(
  desk: Desk,
  state: SessionState,
  input: { readonly row: ChangeResolution; readonly word: AnswerSource },
): SessionState {
  const { row, word } = input;
  return {
    ...state,
    decisions: [...state.decisions, {
      at: desk.deps.clock.now().toISOString(),
      stage: state.stage,
      decision: `${row.action}: ${row.path}`,
      reason: row.reason,
      source: word,
    }],
  };
}

const MOST_LINE_PATHS = 20;

/**
 * It is not known who made a change that is put back. It may be the person's, so the reply names
 * the command line that brings it back.
 */
async function toUndoLines(bench: Bench, input: ResolveInput): Promise<readonly string[]> {
  const { inspection, rows, session } = input;
  const { seen, findings } = inspection;
  const found = rows.filter(({ action }) => action === "restore")
    .flatMap(({ path }) => matchFindings(bench, findings, path));
  if (bench.repo === null || seen === null || found.length === 0) return [];
  const snapshots = await listSnapshots(bench.repo, session.id);
  const kept = snapshots.findLast(({ tree }) => tree === seen.tree);
  if (kept === undefined) return [];
  const paths = [...new Set(found.map(({ change }) => bench.paths.toProject(change.path)))];
  const named = paths.length > MOST_LINE_PATHS ? [] : paths.map(toShellWord);
  const isDeleted = found.some(({ change }) => change.kind === "deleted");
  const deleted = isDeleted && named.length > 0 ? ["--exact"] : [];
  const words = [session.id, "--to", String(kept.number), ...deleted, ...named];
  return [`code-intel restore ${words.join(" ")}`];
}

/** Without git, files are copied before they are put back, and the lines bring the copies back. */
async function copyFound(
  desk: Desk,
  bench: Bench,
  { inspection, rows, session }: ResolveInput,
): Promise<readonly string[]> {
  const paths = rows.filter(({ action }) => action === "restore")
    .flatMap(({ path }) => matchFindings(bench, inspection.findings, path))
    .map(({ change }) => change.path);
  const name = toCopyName(session.id, desk.deps.clock.now());
  const kept = await bench.manifests?.copyPresent(name, [...new Set(paths)]) ?? [];
  return kept.length === 0 ? [] : [`code-intel restore ${name}`];
}
