/** Settles findings as the agent or the person says: put back, the person's own, or authorised. */
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import {
  adoptPaths,
  hashGuardedFiles,
  isAncestor,
  keepBranch,
  readHead,
  resetSoft,
  restorePaths,
  switchBranch,
  takeSnapshot,
} from "../git/mod.ts";
import type { Head } from "../git/mod.ts";
import type { Finding } from "../ledger/mod.ts";
import type { ChangeResolution, SessionState } from "../phase/mod.ts";
import { globToRegExp, toNextTask } from "../phase/mod.ts";
import type { Bench, Desk } from "./desk.ts";
import type { InspectInput, Inspection } from "./inspect.ts";
import { carryToBaseline, withLedger } from "./inspect.ts";
import { checkAuthorised } from "./write_check.ts";

/** What became of the resolutions. */
export interface Resolved {
  readonly state: SessionState;
  readonly problems: readonly Problem[];
  /** What was done, a line each, for the reply. */
  readonly done: readonly string[];
}

/** What resolving works with. */
export interface ResolveInput extends InspectInput {
  readonly inspection: Inspection;
  readonly rows: readonly ChangeResolution[];
}

/** Carries out every resolution, or none when one of them cannot be. */
export async function resolveChanges(
  desk: Desk,
  bench: Bench,
  input: ResolveInput,
): Promise<Resolved> {
  const { inspection, rows } = input;
  const problems = [...await checkRows(desk, bench, input)];
  if (problems.length > 0) return { state: inspection.state, problems, done: [] };
  let { state } = inspection;
  const done: string[] = [];
  for (const row of rows) {
    const step = await applyRow(desk, bench, { ...input, state, row });
    if (step.problem !== null) return { state, problems: [step.problem], done };
    state = step.state;
    done.push(`${row.action}: ${row.path}`);
    await desk.deps.store.appendRecord(input.session.id, {
      kind: "note",
      at: desk.deps.clock.now().toISOString(),
      code: "change_resolution",
      text: `${row.action} ${row.path}: ${row.reason}`,
    });
  }
  return { state, problems: [], done };
}

async function checkRows(
  desk: Desk,
  bench: Bench,
  input: ResolveInput,
): Promise<readonly Problem[]> {
  const { rows, inspection } = input;
  const problems: Problem[] = [];
  for (const [index, row] of rows.entries()) {
    const at = `data.change_resolution[${index}]`;
    if (row.path === "HEAD" || row.path.startsWith(".git/")) {
      if (row.path !== "HEAD" && row.action !== "person") {
        problems.push(toProblem("action_not_offered", `"${row.path}" can only be the person's`, {
          at: `${at}.action`,
          hint: "Put the file back as it was, or ask the person and send action person.",
        }));
      }
      continue;
    }
    const found = matchFindings(bench, inspection.findings, row.path);
    if (found.length === 0 && row.until_end !== true) {
      problems.push(toProblem("no_finding", `"${row.path}" takes no unsettled change`, {
        at: `${at}.path`,
        hint: "Use the paths that the reply lists.",
      }));
    }
    if (row.action === "undo") {
      problems.push(toProblem("action_not_offered", "undo is for HEAD only", {
        at: `${at}.action`,
        hint: "Use restore for files.",
      }));
    }
    if (row.action === "authorize") {
      problems.push(
        ...await checkAuthorised(desk, bench, {
          session: { ...input.session, state: inspection.state },
          findings: found,
          at,
        }),
      );
    }
  }
  return problems;
}

/** Findings that a path, folder or glob of the agent takes. */
export function matchFindings(
  bench: Bench,
  findings: readonly Finding[],
  path: string,
): readonly Finding[] {
  const pattern = globToRegExp(path);
  const folder = `${path.replace(/\/$/, "")}/`;
  return findings.filter(({ change }) => {
    const shown = bench.paths.toProject(change.path);
    return shown === path || shown.startsWith(folder) || pattern?.test(shown) === true;
  });
}

interface RowInput extends ResolveInput {
  readonly state: SessionState;
  readonly row: ChangeResolution;
}

interface RowResult {
  readonly state: SessionState;
  readonly problem: Problem | null;
}

async function applyRow(desk: Desk, bench: Bench, input: RowInput): Promise<RowResult> {
  const { row, state } = input;
  if (row.path === "HEAD") return await settleHead(desk, bench, input);
  if (row.path.startsWith(".git/")) return await acceptGitFiles(bench, state);
  const found = matchFindings(bench, input.inspection.findings, row.path);
  const paths = found.map(({ change }) => change.path);
  switch (row.action) {
    case "restore":
      return await putBack(bench, state, paths);
    case "person":
      return await bookToPerson(desk, bench, { ...input, paths });
    case "authorize":
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
  if (bench.repo === null || tree === null) return { state, problem: null };
  // The inspection kept a snapshot of what is overwritten here.
  await restorePaths(bench.repo, { tree, paths, exact: true });
  return { state, problem: null };
}

async function bookToPerson(
  desk: Desk,
  bench: Bench,
  input: RowInput & { readonly paths: readonly string[] },
): Promise<RowResult> {
  const { state, row, inspection, paths } = input;
  const from = state.ledger?.tree ?? null;
  const to = inspection.seen?.tree ?? null;
  if (bench.repo === null || from === null || to === null) return { state, problem: null };
  const tree = await adoptPaths(bench.repo, { onto: from, from: to, paths });
  const baselineTree = await carryToBaseline(bench, state, { from, to, paths });
  const resolved = bench.paths.toWorktree(row.path);
  const claim = row.until_end === true && resolved.kind === "path" ? [resolved.path] : [];
  const personPaths = [...state.ledger?.personPaths ?? [], ...claim];
  const decisions = [...state.decisions, {
    at: desk.deps.clock.now().toISOString(),
    stage: state.stage,
    decision: `person: ${row.path}`,
    reason: row.reason,
    source: "relayed" as const,
  }];
  const next = { ...state, decisions, workspace: { ...state.workspace, baselineTree } };
  return { state: withLedger(next, { tree, personPaths }), problem: null };
}

/** From now on the paths are cleared, so that the next look books them to the task. */
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

async function acceptGitFiles(bench: Bench, state: SessionState): Promise<RowResult> {
  if (bench.repo === null) return { state, problem: null };
  const gitFiles = await hashGuardedFiles(bench.repo);
  return { state: withLedger(state, { gitFiles }), problem: null };
}

/** `undo` puts HEAD back and keeps the content; `person` takes the place where it is now. */
async function settleHead(desk: Desk, bench: Bench, input: RowInput): Promise<RowResult> {
  const { state, row, session } = input;
  const { repo } = bench;
  const expected = state.ledger?.head ?? null;
  if (repo === null || expected === null || expected.branch === null) {
    return { state, problem: null };
  }
  const head = await readHead(repo);
  if (row.action === "person") return await acceptHead(bench, state, head);
  if (head.kind !== "branch" || head.branch !== expected.branch) {
    const switched = await switchBranch(repo, expected.branch);
    if (switched.kind === "refused") return { state, problem: switched.problem };
  }
  const now = await readHead(repo);
  if (now.commit !== expected.commit && expected.commit !== null) {
    const at = desk.deps.clock.now();
    await keepBranch(repo, expected.branch, at);
    const maxFileMb = input.settings.maxSnapshotMb;
    await takeSnapshot(repo, { sessionId: session.id, label: "before undo", at, maxFileMb });
    await resetSoft(repo, expected.commit);
  }
  return { state, problem: null };
}

/** The commit stays: its changes are in the tree and show in the review like the session's own. */
async function acceptHead(bench: Bench, state: SessionState, head: Head): Promise<RowResult> {
  const expected = state.ledger?.head ?? null;
  const branch = head.kind === "branch" ? head.branch : null;
  if (bench.repo === null || expected === null || branch !== expected.branch) {
    const wanted = expected?.branch ?? "the branch of the session";
    return {
      state,
      problem: toProblem("head_elsewhere", `HEAD is not on ${wanted}`, {
        at: "data.change_resolution",
        hint: `Send action undo, ask the person to run \`git switch ${wanted}\`, or park.`,
      }),
    };
  }
  const moved = withLedger(state, { head: { branch, commit: head.commit } });
  const { workspace } = moved;
  const isForward = expected.commit === null || head.commit === null ||
    await isAncestor(bench.repo, expected.commit, head.commit);
  if (branch !== workspace.baseBranch || !isForward) return { state: moved, problem: null };
  return {
    state: {
      ...moved,
      workspace: { ...workspace, baseCommit: head.commit, cleanTree: head.commit },
    },
    problem: null,
  };
}
