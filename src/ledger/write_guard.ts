/**
 * Decides whether a path may be written now. Pure: the caller resolves the path and knows what was
 * explored.
 */
import { STEP } from "../base/steps.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { isInFolders, parentOf } from "../base/repo_path.ts";
import { call, say, send, tool } from "../base/text/words.ts";
import type { SessionState } from "../phase/state.ts";
import { takesWrites } from "../phase/lazy.ts";
import { PHASES } from "../phase/table/phases.ts";

/** A path on the disk with its symbolic links followed. */
export interface WriteTarget {
  /** Path as the agent gave it, for messages. */
  readonly given: string;
  /** Path relative to the worktree, links followed. */
  readonly path: string;
  readonly kind: "file" | "folder" | "missing";
  /** Nearest existing folder above the path; `.` for the worktree. */
  readonly nearestFolder: string;
  /** The same folder as the agent would name it, for hints. */
  readonly shownFolder: string;
}

/** What the decision depends on. */
export interface GuardFacts {
  readonly state: SessionState;
  readonly allowNewFiles: boolean;
  /** Files whose content or symbols the session has seen, and files that it made. */
  readonly exploredFiles: ReadonlySet<string>;
  /** Folders that were named as explored themselves. */
  readonly exploredFolders: ReadonlySet<string>;
  /** Folders that were named to be worked on with everything below them. */
  readonly wholeFolders: ReadonlySet<string>;
  /** False for a project without any source file: its root counts as explored. */
  readonly hasSourceFiles: boolean;
  /** The project's own folder, relative to the worktree; `.` where it is the worktree. */
  readonly projectFolder: string;
}

/**
 * Files that steer the program or the clients, whatever the case of their letters; nobody may write
 * them during a session.
 */
const PROTECTED: readonly RegExp[] = [
  /(^|\/)\.git(\/|$)/i,
  /(^|\/)\.code-intel\/(phase_contract\.yml|config\.json|context\.yml|\.gitignore)$/i,
  /(^|\/)\.mcp\.json$/i,
  /(^|\/)\.claude\/settings(\.local)?\.json$/i,
  /(^|\/)\.codex\/(config\.toml|hooks\.json)$/i,
];

/**
 * Files that the program itself writes while it works; git ignores them, and they are not judged.
 */
const WORKING: readonly RegExp[] = [
  /(^|\/)\.code-intel\/(sessions|backup|init_backup|logs|cache)(\/|$)/,
  /(^|\/)\.code-intel\/(index\.|[^/]*\.db(-[^/]*)?$|manifest\.json$|[^/]*\.tmp$)/,
];

/** True for paths that only the user may change, and only outside a session. */
export function isProtected(path: string): boolean {
  return PROTECTED.some((pattern) => pattern.test(path)) || isWorkingFile(path);
}

/** True for the program's own working files. */
export function isWorkingFile(path: string): boolean {
  return WORKING.some((pattern) => pattern.test(path));
}

/** Whether files may be written at the present stage at all. */
export function checkWriteStage(state: SessionState): readonly Problem[] {
  const { phase } = PHASES[state.stage];
  // A process that performs effects could not complete them on a checkpoint that changed meanwhile.
  const isWaiting = state.escalation !== null || state.pending !== null;
  if (state.status !== "active" || isWaiting) {
    return [makeProblem("write_not_allowed", "No file may be written while the session waits", {
      hint: say`${call("get_session_status")}; it names the next call.`,
    })];
  }
  if (takesWrites(state)) return [];
  if (state.stage === "READY_COMPLETE") {
    return [makeProblem("write_not_allowed", "Every task is reported: no file may be written now", {
      hint: say`Finish ${STEP.READY_COMPLETE} by ${
        tool("submit_phase")
      }; for more work send back_to EXPLORATION and plan it.`,
    })];
  }
  const hint = state.stage === "READY_PLAN"
    ? say`Send the plan by ${tool("submit_phase")} first; writing begins with the first task.`
    : say`Finish this step by ${
      tool("submit_phase")
    }; files may be written in READY once a plan is accepted.`;
  return [makeProblem("write_not_allowed", `No file may be written in ${phase}`, { hint })];
}

/** All reasons against writing one target; empty when it may be written. */
export function guardWrite(target: WriteTarget, facts: GuardFacts): readonly Problem[] {
  const { given, path } = target;
  if (isProtected(path)) {
    return [makeProblem("path_protected", `"${given}" steers the program or the client`, {
      path: given,
      hint: "Ask the person to change it outside the session.",
    })];
  }
  if (target.kind === "folder") return guardFolder(target, facts);
  if (target.kind === "file") {
    const isSeen = facts.exploredFiles.has(path) || isInFolders(parentOf(path), facts.wholeFolders);
    return isSeen ? [] : [refuseUnexplored(given)];
  }
  if (!facts.allowNewFiles) {
    return [makeProblem("new_file_not_allowed", `"${given}" does not exist`, {
      path: given,
      hint: say`${send("allow_new_files", true)} to create it.`,
    })];
  }
  return isFolderExplored(target.nearestFolder, facts) ? [] : [makeProblem(
    "folder_not_explored",
    `"${given}" is new, and nothing in "${target.shownFolder}" was explored`,
    {
      path: given,
      hint: say`Look at the folder first: ${
        tool("add_explored_files", { files: [target.shownFolder] })
      }.`,
    },
  )];
}

/** A folder is cleared with everything below it, where it was named as one; never the whole project. */
function guardFolder({ given, path }: WriteTarget, facts: GuardFacts): readonly Problem[] {
  if (holdsProject(path, facts.projectFolder)) {
    return [makeProblem("path_is_folder", `"${given}" holds the whole project`, {
      path: given,
      hint: "Name a folder in it, the files you will write, or a glob such as src/**/*.ts.",
    })];
  }
  if (isInFolders(path, facts.wholeFolders)) return [];
  return [makeProblem("folder_not_explored", `"${given}" is a folder that was not explored`, {
    path: given,
    hint: say`Look at it as a whole: ${
      tool("add_explored_files", { files: [given] })
    }; or name the files you will write.`,
  })];
}

/** Whether a folder is that of the project, or lies above it. */
export function holdsProject(folder: string, projectFolder: string): boolean {
  return folder === "." || isInFolders(projectFolder, new Set([folder]));
}

function refuseUnexplored(given: string): Problem {
  return makeProblem("not_explored", `"${given}" was not explored in this session`, {
    path: given,
    hint: say`Look at it first: ${tool("get_symbols")}, ${tool("search_text")}, or ${
      tool("add_explored_files", { files: [given] })
    }.`,
  });
}

function isFolderExplored(folder: string, facts: GuardFacts): boolean {
  if (!facts.hasSourceFiles && folder === facts.projectFolder) return true;
  if (facts.exploredFolders.has(folder) || isInFolders(folder, facts.wholeFolders)) return true;
  for (const file of facts.exploredFiles) if (parentOf(file) === folder) return true;
  return false;
}
