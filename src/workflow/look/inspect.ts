/**
 * Compares the disk with the ledger of a session: books allowed changes, keeps a snapshot where
 * there are others, and reports these as findings.
 */
import { BoundedMap } from "../../base/once.ts";
import type { ProjectPath, TreePath } from "../../base/paths.ts";
import type { Trees, WorktreeSnapshot } from "../../ledger/trees.ts";
import { compareHashes, updateHashes } from "../../ledger/trees.ts";
import { languageOfPath } from "../../language/languages.ts";
import { isSameCode } from "../../syntax/normal_form.ts";
import { CodeIntelError } from "../../base/errors.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { keepSnapshot } from "../context/present_tree.ts";
import { findOperation, formatWaysOut } from "../../git/locks.ts";
import type { ReferenceTrees, UserChange } from "../../ledger/attribute_user.ts";
import { carryUserChange as carryPersonChange } from "../../ledger/attribute_user.ts";
import type { Attribution, ChangeFinding } from "../../ledger/ledger.ts";
import {
  findPossibleLayout,
  isHeadMoved,
  judgeChanges,
  makeFindingProblems,
  makeGitFileProblem,
  makeHeadProblem,
  makeTextProblem,
} from "../../ledger/ledger.ts";
import type { Observation } from "../../ledger/observe.ts";
import { observe } from "../../ledger/observe.ts";
import type { LedgerState, SessionState, WriteGrant } from "../../phase/state.ts";
import { findNextTask } from "../../phase/tasks.ts";
import { findCommandWrites } from "./command_writes.ts";
import { findTakenOut } from "../../evidence/leftovers/leftover_findings.ts";
import type { SessionSettings } from "../context/deps.ts";
import { loadSessionSettings } from "../context/deps.ts";
import type { OpenSession, SessionContext } from "../context/sessions.ts";

/** More files at once are left to the agent, who can clear them by a glob (guessed: some 5 s of parsing). */
const MOST_FILES = 500;
/** Longer texts are hardly written by hand (guessed). */
const MOST_CHARS = 1024 * 1024;

/** Answers by states and path: as long as a finding is not settled, each call asks the same. */
const known = new BoundedMap<string, boolean>(4 * MOST_FILES);

/** Two states of the working files. */
interface States {
  readonly from: string;
  readonly to: string;
}

/** Those of the files of which the two states have the same code in another layout, with the same rights. */
export async function findLayoutChanges(
  trees: Pick<Trees, "changes" | "readText">,
  { from, to, paths }: States & { readonly paths: readonly TreePath[] },
): Promise<ReadonlySet<TreePath>> {
  const wanted = paths.filter((path) => languageOfPath(path) !== undefined);
  if (wanted.length === 0 || wanted.length > MOST_FILES) return new Set();
  const changes = await trees.changes(from, to, wanted);
  const found = new Set<TreePath>();
  for (const { path, kind, modeChanged, isBinary } of changes) {
    if (kind !== "modified" || modeChanged || isBinary === true) continue;
    const key = `${from}\0${to}\0${path}`;
    const isLayout = known.get(key) ?? await compare(trees, { from, to }, path);
    known.set(key, isLayout);
    if (isLayout) found.add(path);
  }
  return found;
}

async function compare(
  trees: Pick<Trees, "readText">,
  { from, to }: States,
  path: TreePath,
): Promise<boolean> {
  const language = languageOfPath(path)?.name;
  const [before, after] = await Promise.all([
    trees.readText(from, path),
    trees.readText(to, path),
  ]);
  if (language === undefined || !isComparable(before) || !isComparable(after)) return false;
  return await isSameCode(before, after, { language, ignoring: "layout" }) === true;
}

/** Bytes that are not UTF-8 are replaced when they are read, so that two of them would look alike. */
function isComparable(text: string | null): text is string {
  return text !== null && text.length <= MOST_CHARS && !text.includes("\uFFFD");
}

/** What an inspection needs. */
export interface InspectInput {
  readonly session: OpenSession;
  readonly settings: SessionSettings;
  /** A look at the files that stands for a new one. */
  readonly looked?: WorktreeSnapshot | null;
}

/** The state after the bookings, and the findings. */
export interface Inspection {
  readonly state: SessionState;
  readonly findings: readonly ChangeFinding[];
  /**
   * Every finding as a problem with the ways to resolve it, those of HEAD and of git's files
   * included.
   */
  readonly problems: readonly Problem[];
  /** Number of all findings, however many problems are listed. */
  readonly total: number;
  /** Protected texts that changed, and their present hashes. */
  readonly texts: ProtectedTexts;
  /** What was read from the disk; null without git or with the ledger off. */
  readonly seen: Observation | null;
}

/** Texts that the verification or the program's rules depend on. */
export interface ProtectedTexts {
  /** Project paths whose text differs from the start. */
  readonly changed: readonly string[];
  /** Present hashes by project path. */
  readonly now: Readonly<Record<string, string>>;
}

const MOST_PROBLEMS = 50;
const NO_TEXTS: ProtectedTexts = { changed: [], now: {} };

/** Inspects the disk. The caller has to save the state of the result. */
export async function inspect(context: SessionContext, input: InspectInput): Promise<Inspection> {
  const { state } = input.session;
  const { ledger } = state;
  if (ledger === undefined || ledger.tree === null || ledger.mode === "off") {
    return buildBlind(state, []);
  }
  const looked = await look(context, ledger, input);
  if (looked.kind === "blind") return buildBlind(state, [looked.problem]);
  const { seen, texts } = looked;
  await context.deps.verification.runner.sweep(input.session.id);
  const { bookings, findings, all } = await judge(context, { ...input, ...looked });
  const booked = await book(context, state, { seen, bookings });
  // The run on the untouched tree proves nothing any more, because the tree was changed.
  const isTouched = all.length > 0 || bookings.some(({ to }) => to !== "server");
  if (isTouched) await context.sessions.cancelBaseline(input.session.id);
  const rest = { findings, problems: all.slice(0, MOST_PROBLEMS), total: all.length, texts, seen };
  if (all.length === 0 || booked.ledger?.foundTree === seen.tree) return { state: booked, ...rest };
  await keepFound(context, { ...input, problems: rest.problems });
  return { state: withLedger(booked, { foundTree: seen.tree }), ...rest };
}

/**
 * Every finding as a problem with the ways to resolve it, only read: nothing is recorded or kept, and what a later
 * inspection books as allowed is not among them.
 */
export async function listUnsettled(
  context: SessionContext,
  session: OpenSession,
): Promise<readonly Problem[]> {
  const { ledger, status } = session.state;
  if (ledger === undefined || ledger.tree === null || ledger.mode === "off") return [];
  if (status !== "active" || session.state.pending !== null) return [];
  const settings = await loadSessionSettings(context.deps, session.state);
  const looked = await look(context, ledger, { session, settings });
  if (looked.kind === "blind") return [looked.problem];
  return (await judge(context, { session, ...looked })).all;
}

/** What git is in the middle of, which explains a HEAD that moved; null for nothing. */
async function describeOperation({ repo }: SessionContext): Promise<string | null> {
  const operation = await findOperation(repo);
  return operation === null ? null : `${operation.name} is under way: ${formatWaysOut(operation)}`;
}

/** What the differences of disk and ledger are: allowed changes, and findings. */
async function judge(
  context: SessionContext,
  { session, seen, texts }: {
    readonly session: OpenSession;
    readonly seen: Observation;
    readonly texts: ProtectedTexts;
  },
) {
  const { state, id } = session;
  const written: ReadonlySet<string> = seen.changes.length === 0
    ? new Set()
    : await findCommandWrites(context, { sessionId: id, tree: seen.tree });
  const maybeLayout = findPossibleLayout(state, seen.changes).filter((path) => !written.has(path));
  const from = state.ledger?.tree ?? null;
  const layout = from === null ? new Set<TreePath>() : await findSmall(
    context.trees,
    state,
    { from, to: seen.tree, paths: maybeLayout },
  );
  const { bookings, findings } = judgeChanges(state, seen.changes, {
    task: findNextTask(state.tasks),
    isCommandWrite: (path) => written.has(path),
    isLayoutOnly: (path) => layout.has(path),
  });
  const found = findings.map(({ change }) => context.paths.toProject(change.path));
  const all = [
    ...(isHeadMoved(state, seen.head)
      ? [makeHeadProblem(state, seen.head, await describeOperation(context))]
      : []),
    ...seen.gitFiles.map(makeGitFileProblem),
    ...texts.changed.filter((path) => !found.includes(path)).map(makeTextProblem),
    ...makeFindingProblems(findings, (path) => context.paths.toProject(path), state),
  ];
  return { bookings, findings, all };
}

/** The files of which only the layout is other, or at step 17 what was left behind was taken out. */
async function findSmall(
  trees: Trees,
  { stage, workspace: { baselineTree: start } }: SessionState,
  states: { readonly from: string; readonly to: string; readonly paths: readonly TreePath[] },
): Promise<ReadonlySet<TreePath>> {
  const layout = await findLayoutChanges(trees, states);
  if (stage !== "PRE_COMMIT" || start === null) return layout;
  const paths = states.paths.filter((path) => !layout.has(path));
  return layout.union(await findTakenOut(trees, { ...states, start, paths }));
}

type Look =
  | { readonly kind: "seen"; readonly seen: Observation; readonly texts: ProtectedTexts }
  /** The files cannot be compared, so the session can only be left. */
  | { readonly kind: "blind"; readonly problem: Problem };

async function look(
  context: SessionContext,
  ledger: LedgerState,
  input: InspectInput,
): Promise<Look> {
  const { repo, trees } = context;
  if (repo.missing !== undefined) return { kind: "blind", problem: toBlindProblem(repo.missing) };
  const options = {
    repo,
    sessionId: input.session.id,
    maxFileMb: input.settings.maxFileMb,
    looked: input.looked ?? null,
  };
  try {
    const [seen, texts] = await Promise.all([
      observe(trees, ledger, options),
      readTexts(context, ledger, input.session.state.fixedVerify),
    ]);
    return { kind: "seen", seen, texts };
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code !== "manifest_failed") throw failure;
    return { kind: "blind", problem: toBlindProblem(failure) };
  }
}

/** Why the files cannot be compared. */
function toBlindProblem({ code, message, hint }: CodeIntelError): Problem {
  return makeProblem(code === "git_failed" ? "git_required" : code, message, { hint });
}

function buildBlind(state: SessionState, problems: readonly Problem[]): Inspection {
  return { state, findings: [], problems, total: problems.length, texts: NO_TEXTS, seen: null };
}

async function readTexts(
  context: SessionContext,
  ledger: LedgerState,
  fixed: SessionState["fixedVerify"],
): Promise<ProtectedTexts> {
  const { texts: known } = ledger;
  if (known === undefined) return NO_TEXTS;
  const now = await context.deps.hashProtectedTexts(fixed);
  return { changed: compareHashes(known, now), now };
}

/**
 * Books the allowed changes to the ledger; those of the user become part of baseline and plan
 * tree too.
 */
async function book(
  context: SessionContext,
  state: SessionState,
  options: {
    readonly seen: Observation;
    readonly bookings: readonly Attribution[];
  },
): Promise<SessionState> {
  const { seen, bookings } = options;
  const { trees } = context;
  const from = state.ledger?.tree ?? null;
  if (from === null || bookings.length === 0) return state;
  const paths = bookings.map(({ path }) => path);
  const tree = await trees.adopt({ onto: from, from: seen.tree, paths });
  const others = bookings.filter(({ to }) => to !== "task").map(({ path }) => path);
  const ownPaths = bookings.filter(({ to }) => to === "server").map(({ path }) => path);
  const change = { from, to: seen.tree, paths: others, ownPaths };
  const origins = await carryToOrigins(context, state, change);
  const further = bookings.flatMap(({ path, taskId, isLayout, isBelowFolder }): WriteGrant[] => {
    const clearance = { path, taskId, visit: state.visit };
    if (isLayout === true) return [{ ...clearance, isLayout }];
    return isBelowFolder === true ? [clearance] : [];
  });
  const booked = {
    ...state,
    workspace: { ...state.workspace, ...origins },
    ...(further.length === 0 ? {} : { clearances: [...state.clearances, ...further] }),
  };
  return withLedger(booked, { tree, ...takeOdd(state.ledger, seen, paths) });
}

/** The ledger's fingerprints of what no tree can hold, with the present ones for some paths. */
export function takeOdd(
  ledger: LedgerState | undefined,
  seen: Observation,
  paths: readonly string[],
): Pick<LedgerState, "odd"> {
  return ledger?.odd === undefined ? {} : { odd: updateHashes(ledger.odd, seen.odd, paths) };
}

/**
 * Baseline and plan tree with the user's changes of some files; unchanged where nobody keeps
 * states.
 */
export async function carryToOrigins(
  { trees }: SessionContext,
  state: SessionState,
  change: UserChange,
): Promise<ReferenceTrees> {
  return await carryPersonChange(trees, state, change);
}

/** Takes a snapshot of the disk as it was found, and notes it for the report. */
async function keepFound(
  context: SessionContext,
  input: InspectInput & { readonly problems: readonly Problem[] },
): Promise<void> {
  const { state } = input.session;
  await keepSnapshot(context, state, { label: `found in ${state.stage}` });
  for (const problem of input.problems) {
    const { code, message } = problem;
    await context.sessions.record(input.session.id, { kind: "note", code, text: String(message) });
  }
}

/** The state with some fields of its ledger changed. */
export function withLedger(state: SessionState, change: Partial<LedgerState>): SessionState {
  return state.ledger === undefined ? state : { ...state, ledger: { ...state.ledger, ...change } };
}

/** Books a file that the server has just written to the ledger and the baseline. */
export async function bookServerFile(
  context: SessionContext,
  session: OpenSession,
  projectPath: ProjectPath,
): Promise<void> {
  const { trees } = context;
  const from = session.state.ledger?.tree ?? null;
  const resolved = context.paths.toWorktree(projectPath);
  if (from === null || resolved.kind === "refused") return;
  const { maxFileMb } = await loadSessionSettings(context.deps, session.state);
  const now = await trees.write({ sessionId: session.id, maxFileMb });
  const paths = [resolved.path];
  const tree = await trees.adopt({ onto: from, from: now, paths });
  const change = { from, to: now, paths, ownPaths: paths };
  const origins = await carryToOrigins(context, session.state, change);
  const { workspace } = session.state;
  const state = { ...session.state, workspace: { ...workspace, ...origins } };
  await context.sessions.save(session, withLedger(state, { tree }));
}

/** The findings about one file of the project, as problems. */
export async function findUnresolved(
  context: SessionContext,
  session: OpenSession,
  projectPath: ProjectPath,
): Promise<readonly Problem[]> {
  const settings = await loadSessionSettings(context.deps, session.state);
  const { findings } = await inspect(context, { session, settings });
  const toProject = (path: string) => context.paths.toProject(path);
  return makeFindingProblems(
    findings.filter(({ change }) => toProject(change.path) === projectPath),
    toProject,
    session.state,
  );
}
