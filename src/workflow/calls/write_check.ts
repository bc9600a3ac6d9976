/** The write guard for the tool `check_write_target`. */
import { loadSessionSettings } from "../context/deps.ts";
import type { ProjectPath, TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import type { Problem } from "../../base/problem.ts";
import { isInFolders } from "../../base/repo_path.ts";
import type { Reply } from "../../base/reply.ts";
import { say, tool } from "../../base/text/words.ts";
import { listTree } from "../../git/trees/changes.ts";
import { listBlockingIgnored } from "../../git/trees/file_lists.ts";
import { copyFiles } from "../../ledger/file_copies.ts";
import type { GuardFacts, WriteTarget } from "../../ledger/write_guard.ts";
import { checkWriteStage, guardWrite } from "../../ledger/write_guard.ts";
import { listWriteGrants, makeFindingProblems } from "../../ledger/ledger.ts";
import { isEarly, isLazy } from "../../phase/lazy.ts";
import { findNextTask } from "../../phase/tasks.ts";
import { WHOLE_FOLDER } from "../../session/records.ts";
import type { ProjectPaths } from "../context/project_paths.ts";
import type { OpenSession, SessionContext, Sessions } from "../context/sessions.ts";
import { gatherGuardFacts } from "../look/guard_facts.ts";
import type { Inspection } from "../look/inspect.ts";
import { inspect } from "../look/inspect.ts";
import { showEntries } from "./add_explored.ts";
import type { Targets } from "./write_targets.ts";
import { findTargets } from "./write_targets.ts";
import { buildRefusedReply } from "../context/replies.ts";

/** What is asked of the write guard. */
export interface WriteCheckInput {
  readonly paths: readonly ProjectPath[];
  readonly allowNewFiles: boolean;
  /** True where the agent reads the reply: on the default way it shows what nothing has shown yet. Default false. */
  readonly isShown?: boolean;
}

/**
 * Clears paths for writing in this entry of READY, or tells for each why not; either all are
 * cleared or none.
 */
export async function checkWrite(sessions: Sessions, input: WriteCheckInput): Promise<Reply> {
  const context = await sessions.prepare();
  return await sessions.onActive(async (session) => {
    const stageProblems = checkWriteStage(session.state);
    if (stageProblems.length > 0) return await refuse(context, session, stageProblems);
    const settings = await loadSessionSettings(sessions.deps, session.state);
    const inspection = await inspect(context, { session, settings });
    const targets = await findTargets(context, input.paths);
    const held = await findHeld(context, inspection, targets.found);
    const shown = await showUnseen(context, { session, input, held, targets });
    const facts = await gatherGuardFacts(context, { session, allowNew: input.allowNewFiles, held });
    const problems = [
      ...targets.problems,
      // A write grant would hide a change that was made before it.
      ...listUnresolved(context, inspection, targets),
      ...guardTargets(targets, facts),
    ];
    const seen = inspection.state === session.state
      ? session
      : await sessions.save(session, inspection.state);
    if (problems.length > 0) return await refuse(context, seen, problems);
    const reply = await clear(context, {
      session: seen,
      targets,
      held,
      allowNew: input.allowNewFiles,
    });
    return { ...reply, ...shown };
  });
}

/** What the guard has to say alone because nothing has shown it; on the default way the reply itself shows it. */
async function showUnseen(
  context: SessionContext,
  { session, input, held, targets }: {
    readonly session: OpenSession;
    readonly input: WriteCheckInput;
    readonly held: ReadonlySet<TreePath>;
    readonly targets: Targets;
  },
): Promise<Readonly<Record<string, unknown>>> {
  if (input.isShown !== true || !isLazy(session.state)) return {};
  const facts = await gatherGuardFacts(context, { session, allowNew: input.allowNewFiles, held });
  const problems = guardTargets(targets, facts);
  if (problems.length === 0 || problems.some(({ code }) => !/_explored$/.test(code))) return {};
  const paths = problems.flatMap(({ path }) => path ?? []);
  const { fields: { shown } } = await showEntries(context, session, paths);
  return shown === undefined ? {} : { shown };
}

/** What the guard has against each target; of a folder that is refused not against every file in it too. */
function guardTargets({ found, folders }: Targets, facts: GuardFacts): readonly Problem[] {
  const judged = found.map((target) => ({ target, problems: guardWrite(target, facts) }));
  const refused = new Set(
    judged.flatMap(({ target: { path }, problems }) =>
      folders.has(path as TreePath) && problems.length > 0 ? [path] : []
    ),
  );
  return judged.flatMap(({ target: { path }, problems }) =>
    refused.has(path) || !isInFolders(path, refused) ? problems : []
  );
}

/** The targets that the present tree of git has: files of the project that a snapshot keeps. */
async function findHeld(
  { repo }: SessionContext,
  { seen }: Inspection,
  targets: readonly WriteTarget[],
): Promise<ReadonlySet<TreePath>> {
  if (seen === null) return new Set();
  const wanted = new Set(targets.map(({ path }) => path));
  const listed = await listTree(repo, seen.tree, [...wanted]);
  return new Set(listed.map(({ path }) => path).filter((path) => wanted.has(path)));
}

const MOST_UNRESOLVED = 20;

/** Targets with a change that is not resolved, those below a folder included. */
function listUnresolved(
  context: SessionContext,
  inspection: Inspection,
  { found, folders }: Targets,
): readonly Problem[] {
  const wanted = new Set(found.map(({ path }) => path));
  return makeFindingProblems(
    // The guard refuses a protected file in any case.
    inspection.findings.filter(({ code, change }) =>
      code === "unauthorized_change" &&
      (wanted.has(change.path) || isInFolders(change.path, folders))
    ).slice(0, MOST_UNRESOLVED),
    (path) => context.paths.toProject(path),
    inspection.state,
  );
}

async function clear(
  context: SessionContext,
  input: {
    readonly session: OpenSession;
    readonly targets: Targets;
    readonly held: ReadonlySet<TreePath>;
    readonly allowNew: boolean;
  },
): Promise<Reply> {
  const { session, targets: { found: targets, folders, given, leftOut }, held, allowNew } = input;
  const { state } = session;
  const cleared = new Set(listWriteGrants(state).map(({ path }) => path));
  const taskId = findNextTask(state.tasks)?.id ?? null;
  const fresh = [...new Set(targets.map(({ path }) => path))].filter((path) =>
    !cleared.has(path) && (allowNew || !folders.has(path))
  );
  if (fresh.length > 0) {
    await context.sessions.cancelBaseline(session.id);
    await backUp(context, session.id, {
      paths: fresh.filter((path) => !held.has(path) && !folders.has(path)),
      maxFileMb: (await loadSessionSettings(context.deps, state)).maxFileMb,
    });
    const clearances = [
      ...state.clearances,
      ...fresh.map((path) => ({
        path,
        visit: state.visit,
        taskId,
        ...(folders.has(path) ? { isFolder: true as const } : {}),
      })),
    ];
    const saved = await context.sessions.save(session, { ...state, clearances });
    const files = fresh.filter((path) => !folders.has(path));
    await context.sessions.recordExplored(saved, files, "check_write_target");
    await context.sessions.recordExplored(
      saved,
      fresh.filter((path) => folders.has(path)),
      WHOLE_FOLDER,
    );
  }
  return {
    ok: true,
    allowed: true,
    paths: given,
    ...(given.length === targets.length ? {} : { cleared_files: targets.length - folders.size }),
    ...(leftOut.length === 0 ? {} : { not_cleared: leftOut }),
    new_files: targets.filter(({ kind, path }) => kind === "missing" && !folders.has(path))
      .map(({ path }) => context.paths.toProject(path)),
    instruction: isEarly(state)
      ? say`Edit these files now, then send the one payload by ${tool("submit_phase")}.`
      : say`Edit these files now, then report the task by ${tool("submit_phase")}.`,
    call: "submit_phase",
    session_id: session.id,
    compaction_count: state.compactionCount,
  };
}

/** Before the first write, copies files that no snapshot keeps: those that git ignores. */
async function backUp(
  { deps, repo, paths: project }: SessionContext,
  sessionId: string,
  { paths, maxFileMb }: { readonly paths: readonly TreePath[]; readonly maxFileMb: number },
): Promise<void> {
  const ignored = await listBlockingIgnored(repo, paths);
  const files = ignored.map((path) => ({
    file: project.toAbsolute(path),
    path: chooseCopyPath(project, path),
  }));
  const folder = join(deps.codeIntelDir, "backup", sessionId);
  const maxBytes = maxFileMb * 1024 * 1024;
  await copyFiles(folder, files, { within: deps.projectRoot, maxBytes });
}

/**
 * Where a copy lies below the folder of its session: by its path in the project, as a person looks for it.
 * What lies beside the project is kept apart, for a copy must not leave the folder of the copies.
 */
function chooseCopyPath(paths: ProjectPaths, treePath: TreePath): string {
  const projectPath = paths.toProject(treePath);
  const isBeside = projectPath === ".." || projectPath.startsWith("../");
  return isBeside ? `outside_project/${treePath}` : projectPath;
}

async function refuse(
  context: SessionContext,
  session: OpenSession,
  problems: readonly Problem[],
): Promise<Reply> {
  const isStage = problems[0]?.code === "write_not_allowed";
  if (isStage) {
    return await buildRefusedReply({
      deps: context.deps,
      contract: context.contract,
      state: session.state,
      error: "write_refused",
      problems,
      fields: { allowed: false },
    });
  }
  // Within READY the agent knows its task, so the refusal only names the next call.
  return {
    ok: false,
    error: "write_refused",
    message: problems.map(({ message }) => message).join("; "),
    problems,
    allowed: false,
    call: problems.some(({ code }) => /explored$/.test(code))
      ? "add_explored_files"
      : "check_write_target",
    session_id: session.id,
    compaction_count: session.state.compactionCount,
  };
}
