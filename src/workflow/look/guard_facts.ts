/** What the write guard judges by: what a session has explored, and what lies on the disk. */
import type { TreePath } from "../../base/paths.ts";
import type { Problem } from "../../base/problem.ts";
import { say, tool } from "../../base/text/words.ts";
import type { ChangeFinding } from "../../ledger/ledger.ts";
import type { GuardFacts, WriteTarget } from "../../ledger/write_guard.ts";
import { checkWriteStage, guardWrite } from "../../ledger/write_guard.ts";
import { listExploredFiles, listWholeFolders } from "../../session/records.ts";
import type { OpenSession, SessionContext } from "../context/sessions.ts";
import { isSubmodule } from "../context/project_paths.ts";
import { hasSource } from "./gather.ts";

/** All reasons against authorising changes afterwards; the same as before a write. */
export async function checkAuthorised(
  context: SessionContext,
  input: {
    readonly session: OpenSession;
    readonly findings: readonly ChangeFinding[];
    readonly at: string;
  },
): Promise<readonly Problem[]> {
  const { session, findings, at } = input;
  const stage = checkWriteStage(session.state);
  if (stage.length > 0) return stage.map((problem) => ({ ...problem, at }));
  const facts = await gatherGuardFacts(context, { session, allowNew: true });
  const problems = await Promise.all(findings.map(async ({ change }) => {
    const target = await context.paths.toTarget(context.paths.toProject(change.path), at);
    if (target.kind === "refused") return [target.problem];
    // Judged as before the change: a new file by its folder, a deleted one as a file.
    const kind = BEFORE[change.kind] ?? target.target.kind;
    const refused = guardWrite({ ...target.target, kind }, facts);
    return change.kind === "deleted" ? refused.map(addRestoreHint) : refused;
  }));
  return problems.flat().map((problem) => ({ ...problem, at }));
}

const BEFORE: Readonly<Record<string, WriteTarget["kind"]>> = {
  added: "missing",
  deleted: "file",
};

/** A deleted file cannot be looked at any more, so the hint says to restore it first. */
function addRestoreHint(problem: Problem): Problem {
  const hint = say`Send restore for it; then look at it, clear it by ${
    tool("check_write_target")
  }, and delete it.`;
  return problem.code === "not_explored" ? { ...problem, hint } : problem;
}

/** What the write guard judges by. */
export async function gatherGuardFacts(
  context: SessionContext,
  input: {
    readonly session: OpenSession;
    readonly allowNew: boolean;
    /** Files that are known to be in the project. */
    readonly held?: ReadonlySet<TreePath>;
  },
): Promise<GuardFacts> {
  const held = [...input.held ?? []].map((path) => context.paths.toProject(path));
  const [records, hasSourceFiles] = await Promise.all([
    context.sessions.records(input.session.id),
    held.some(context.deps.isSourceFile) || hasSource(context),
  ]);
  const explored = listExploredFiles(records);
  const folders = await findFolders(
    context,
    records.flatMap((record) => record.kind === "explored" ? record.paths : []),
  );
  return {
    state: input.session.state,
    allowNewFiles: input.allowNew,
    // An explored folder does not count as an explored file, so that its parent stays unexplored.
    exploredFiles: new Set(explored.filter((path) => !folders.has(path))),
    exploredFolders: folders,
    wholeFolders: listWholeFolders(records),
    hasSourceFiles,
    projectFolder: context.paths.projectFolder,
  };
}

/** Explored paths that are folders on the disk. */
async function findFolders(
  context: SessionContext,
  paths: readonly TreePath[],
): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  await Promise.all([...new Set(paths)].map(async (path) => {
    const place = context.paths.toAbsolute(path);
    const info = await Deno.stat(place).catch(() => null);
    if (info?.isDirectory && !(await isSubmodule(place))) folders.add(path);
  }));
  return folders;
}
