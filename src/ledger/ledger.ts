/**
 * Judges how the disk differs from what it should be: each observed change is allowed and attributed to
 * somebody, or it is a finding that blocks the next transition. Pure.
 */
import type { ProjectPath, TreePath } from "../base/paths.ts";
import { isPackageFile } from "../base/text/document_files.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { folderOf, isInFolders, parentOf } from "../base/repo_path.ts";
import type { SessionState, WriteGrant } from "../phase/state.ts";
import type { Way } from "../phase/lazy.ts";
import { takesWrites } from "../phase/lazy.ts";
import type { Stage } from "../phase/table/phases.ts";
import type { Task } from "../phase/tasks.ts";
import { globToRegExp } from "../base/text/path_glob.ts";
import { isProtected, isWorkingFile } from "./write_guard.ts";

/** Files of package managers that follow from another one in the same folder. */
const LOCK_FILES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|go\.work\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|mix\.lock|pubspec\.lock|Package\.resolved|packages\.lock\.json|gradle\.lockfile|flake\.lock|Podfile\.lock)$/;

/** The test for lock files in the folder of a cleared file that names dependencies. */
export function createLockFileTest(cleared: ReadonlySet<TreePath>): (path: TreePath) => boolean {
  const manifests = new Set([...cleared].filter(isPackageFile).map(folderOf));
  return (path) => LOCK_FILES.test(path) && manifests.has(folderOf(path));
}

/** A path that differs from the ledger; a rename counts as a deletion and an addition. */
export interface ObservedChange {
  /** Relative to the worktree. */
  readonly path: TreePath;
  readonly kind: "added" | "modified" | "deleted" | "type";
  /** Present size of the file in bytes; null when the file is gone. */
  readonly sizeBytes: number | null;
  /**
   * True for a link that leads out of the worktree; the write guard allows nothing behind such a
   * link.
   */
  readonly leadsOutside?: boolean;
  /** True for a folder that is a repository of its own, which a tree keeps as one entry. */
  readonly isRepository?: true;
}

/** Where HEAD and the session's branches are now. */
export interface ObservedHead {
  /** Branch that HEAD is on; null when it is detached. */
  readonly branch: string | null;
  readonly commit: string | null;
}

/** To whom a change is attributed. */
export type ChangeOwner = "task" | "person" | "server";

/** A change that is allowed, and to whom it is attributed. */
export interface Attribution {
  readonly path: TreePath;
  readonly to: ChangeOwner;
  /** The due task, for changes of a task. */
  readonly taskId: string | null;
  /** True for a file that nobody cleared, and of which only the layout changed. */
  readonly isLayout?: true;
  /** True for a new file below a folder that was cleared as a whole; from then on it is cleared itself. */
  readonly isBelowFolder?: true;
}

/** A change that is not allowed. */
export interface ChangeFinding {
  readonly code: "unauthorized_change" | "protected_change";
  readonly change: ObservedChange;
}

/** The verdicts on all changes of one observation. */
export interface Verdicts {
  readonly bookings: readonly Attribution[];
  readonly findings: readonly ChangeFinding[];
}

/** What the judgement needs beside the state. */
export interface JudgeOptions {
  /** The task that is due. */
  readonly task: Pick<Task, "id"> | null;
  /** Whether a verification command that ran since the last look declares that it writes a path. */
  readonly isCommandWrite?: (path: TreePath) => boolean;
  /** Whether the two versions of a file differ in layout alone, or at step 17 in what it named as left behind. */
  readonly isLayoutOnly?: (path: TreePath) => boolean;
}

/** Judges every change by the stage, the write grants, and what the user claimed as theirs. */
export function judgeChanges(
  state: SessionState,
  changes: readonly ObservedChange[],
  options: JudgeOptions,
): Verdicts {
  const { task, isCommandWrite = () => false, isLayoutOnly = () => false } = options;
  const taskId = task?.id ?? null;
  const cleared = listGrantedPaths(state);
  const folders = listGrantedFolders(state);
  const isLock = createLockFileTest(cleared);
  const claims = (state.ledger?.personPaths ?? []).map(compileClaim);
  const bookings: Attribution[] = [];
  const findings: ChangeFinding[] = [];
  for (const change of changes) {
    const { path } = change;
    if (isWorkingFile(path)) bookings.push({ path, to: "server", taskId: null });
    else if (isProtected(path)) findings.push({ code: "protected_change", change });
    else if (isCommandWrite(path)) bookings.push({ path, to: "server", taskId: null });
    else if (cleared.has(path) && change.leadsOutside !== true) {
      bookings.push({ path, to: "task", taskId });
    } else if (claims.some((claim) => claim(path))) {
      bookings.push({ path, to: "person", taskId: null });
    } else if (isNewBelow(change, folders)) {
      bookings.push({ path, to: "task", taskId, isBelowFolder: true });
    } else if (isLock(path) && change.leadsOutside !== true) {
      bookings.push({ path, to: "task", taskId });
    } else if (mayBeLayout(state, change) && isLayoutOnly(path)) {
      bookings.push({ path, to: "task", taskId, isLayout: true });
    } else findings.push({ code: "unauthorized_change", change });
  }
  return { bookings, findings };
}

/**
 * Changes that may be a formatter's, of a file that was there and is: while a task is worked on of any file, and until
 * the verification of those that the work was cleared for. Their two versions have to be compared, since no word of a
 * plan tells what a tool does.
 */
export function findPossibleLayout(
  state: SessionState,
  changes: readonly ObservedChange[],
): readonly TreePath[] {
  const cleared = listGrantedPaths(state);
  return changes.filter((change) =>
    mayBeLayout(state, change) && !cleared.has(change.path) && !isProtected(change.path)
  ).map(({ path }) => path);
}

function mayBeLayout(state: SessionState, change: ObservedChange): boolean {
  const { kind, leadsOutside, path } = change;
  if (kind !== "modified" || leadsOutside === true) return false;
  if (state.stage === "READY_IMPL") return true;
  // An editor may format a file of the work after its report.
  return AFTER_REPORT.includes(state.stage) &&
    state.clearances.some((one) => one.path === path && one.isLayout !== true);
}

/** Stages behind the report of the work; what changes after the verification makes step 17 ask for another one. */
const AFTER_REPORT: readonly Stage[] = [
  "READY_COMPLETE",
  "POST_IMPL_VERIFY",
  "PRE_COMMIT",
  "QUALITY_REVIEW",
];

/** Paths that may be written now: those cleared in this entry of READY implement. */
function listGrantedPaths(state: SessionState): ReadonlySet<string> {
  if (!takesWrites(state)) return new Set();
  return new Set(
    listWriteGrants(state).flatMap(({ path, isFolder }) => isFolder === true ? [] : [path]),
  );
}

/** Folders below which new files may be made now. */
function listGrantedFolders(state: SessionState): ReadonlySet<string> {
  if (!takesWrites(state)) return new Set();
  return new Set(
    listWriteGrants(state).flatMap(({ path, isFolder }) => isFolder === true ? [path] : []),
  );
}

/** A repository is not taken with the folder around it: its files would be in no commit. */
function isNewBelow(change: ObservedChange, folders: ReadonlySet<string>): boolean {
  return change.kind === "added" && change.leadsOutside !== true && change.isRepository !== true &&
    isInFolders(parentOf(change.path), folders);
}

/** The write grants of this stage entry by which files may be written; a changed layout clears nothing further. */
export function listWriteGrants(
  { clearances, visit }: Pick<SessionState, "clearances" | "visit">,
): readonly WriteGrant[] {
  return clearances.filter((one) => one.visit === visit && one.isLayout !== true);
}

/**
 * The test for a claim of the user, which names a file, a folder with everything in it, or a
 * glob.
 */
function compileClaim(claim: string): (path: TreePath) => boolean {
  const pattern = globToRegExp(claim);
  return (path) =>
    path.startsWith(`${claim.replace(/\/$/, "")}/`) || (pattern?.test(path) ?? false);
}

/** Whether HEAD is not where the server left it. */
export function isHeadMoved(state: SessionState, head: ObservedHead): boolean {
  const expected = state.ledger?.head ?? null;
  return expected !== null &&
    (expected.branch !== head.branch || expected.commit !== head.commit);
}

const OF_TOOLS = 'for what a tool of the task wrote, "tool" asks the person once';

/** The findings as problems, each with the ways to resolve it at this stage. */
export function makeFindingProblems(
  findings: readonly ChangeFinding[],
  toProject: (path: TreePath) => ProjectPath,
  state: Way,
): readonly Problem[] {
  return findings.map(({ code, change }) => {
    const path = toProject(change.path);
    const size = change.sizeBytes === null ? "" : ` (${change.sizeBytes} bytes)`;
    const actions = code === "protected_change" || !takesWrites(state)
      ? "restore | person"
      : "restore | person | authorize";
    return makeProblem(code, `${path} was ${change.kind} where the step does not allow it${size}`, {
      path,
      at: "data.change_resolution",
      hint: `Settle it: change_resolution [{"path": ${
        JSON.stringify(path)
      }, "action": "${actions}", "reason": "…"}]${
        actions.endsWith("authorize") ? `; ${OF_TOOLS}` : ""
      }.`,
    });
  });
}

/**
 * Stages at which a foreign commit cannot be accepted any more, because nothing is merged that was
 * not reviewed.
 */
export const AFTER_REVIEW: readonly Stage[] = ["QUALITY_REVIEW", "MERGE"];

/** The problem for a HEAD that somebody else moved, with the ways to resolve it at this stage. */
export function makeHeadProblem(
  state: SessionState,
  head: ObservedHead,
  underWay: string | null = null,
): Problem {
  const expected = state.ledger?.head;
  const isTask = head.branch !== null && head.branch === state.workspace.taskBranch;
  const from = `${expected?.branch ?? "a detached HEAD"} at ${
    expected?.commit?.slice(0, 10) ?? "no commit"
  }`;
  const to = `${head.branch ?? "a detached HEAD"} at ${head.commit?.slice(0, 10) ?? "no commit"}`;
  const why = underWay === null ? "" : ` (${underWay})`;
  const message = `HEAD went from ${from} to ${to} without the server${why}`;
  return makeProblem("unexpected_commit", message, {
    at: "data.change_resolution",
    hint: isTask && AFTER_REVIEW.includes(state.stage)
      ? 'Settle it: change_resolution [{"path": "HEAD", "action": "undo", "reason": "…"}]. The content stays in the files, and nothing of it is merged: the review never saw it.'
      : isTask
      ? 'Settle it: change_resolution [{"path": "HEAD", "action": "undo | person", "reason": "…"}]; undo keeps the content.'
      : 'Ask the person; with their word: change_resolution [{"path": "HEAD", "action": "person | undo", "reason": "…"}].',
  });
}

/** The problem for a changed file that steers git. */
export function makeGitFileProblem(name: string): Problem {
  return makeProblem(
    "protected_change",
    `The git folder's ${name} was changed during the session`,
    {
      path: `.git/${name}`,
      at: "data.change_resolution",
      hint: `Only the person may: change_resolution [{"path": ${
        JSON.stringify(`.git/${name}`)
      }, "action": "person", "reason": "…"}], or put it back.`,
    },
  );
}

/** The problem for a changed file that the verification or the program's rules depend on. */
export function makeTextProblem(path: ProjectPath): Problem {
  return makeProblem(
    "protected_change",
    `${path} was changed in what the verification commands or the rules of the session rest on`,
    {
      path,
      at: "data.change_resolution",
      hint: `Only the person may, from the next session on: change_resolution [{"path": ${
        JSON.stringify(path)
      }, "action": "person", "reason": "…"}], or put it back.`,
    },
  );
}
