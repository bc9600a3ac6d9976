/**
 * Allows one active session in a worktree, even where several projects are in it: a file in the
 * worktree's git folder names the session that was started or resumed last. The mark is ignored
 * once that session is gone.
 */
import { join } from "node:path";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { withLock } from "../../base/processes/lock_file.ts";
import { makeOwnFolder, writeOwnFile } from "../../base/files/own_folder.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { buildRefusal } from "../../base/reply.ts";
import type { SessionContext } from "../context/sessions.ts";

/** The content of the mark. */
interface Mark {
  readonly sessionId: string;
  /** Absolute path of the folder with the session's checkpoint. */
  readonly sessionsDir: string;
}

/**
 * Runs `action`, which makes a session active, unless a session of another project is active in the
 * same worktree. The session that `action` returns is marked; a refusal marks nothing.
 */
export async function claimWorktree(
  { repo, deps }: SessionContext,
  action: () => Promise<Reply>,
): Promise<Reply> {
  if (repo.missing !== undefined) return await action();
  const folder = join(repo.gitDir, "code-intel");
  await makeOwnFolder(folder);
  const lock = { timeoutMs: LIMITS.lockWaitMs.value };
  return await withLock(join(folder, "active.lock"), lock, async () => {
    const path = join(folder, "active.json");
    const sessionsDir = join(deps.codeIntelDir, "sessions");
    const mark = readMark(path);
    if (mark !== null && mark.sessionsDir !== sessionsDir && isActive(mark)) {
      return refuseTaken(mark);
    }
    const reply = await action();
    const { session_id: sessionId } = reply as { readonly session_id?: unknown };
    if (reply.ok && typeof sessionId === "string") {
      await writeOwnFile(path, `${JSON.stringify({ sessionId, sessionsDir })}\n`);
    }
    return reply;
  });
}

function readMark(path: string): Mark | null {
  const value = readJson(path) as Partial<Mark> | null;
  const { sessionId, sessionsDir } = value ?? {};
  return typeof sessionId === "string" && typeof sessionsDir === "string"
    ? { sessionId, sessionsDir }
    : null;
}

/**
 * Whether the checkpoint of a session says that it is active; its seal is checked by its own
 * project.
 */
function isActive({ sessionId, sessionsDir }: Mark): boolean {
  const found = readJson(join(sessionsDir, `${sessionId}.json`)) as {
    readonly state?: { readonly status?: unknown };
  } | null;
  return found?.state?.status === "active";
}

function readJson(path: string): object | null {
  try {
    const value: unknown = JSON.parse(readControlTextIfUsable(path, "checkpoint") ?? "null");
    return typeof value === "object" ? value : null;
  } catch {
    // The mark is missing, damaged or not readable, so it is ignored.
    return null;
  }
}

function refuseTaken({ sessionId, sessionsDir }: Mark): Reply {
  const project = join(sessionsDir, "..", "..");
  const problem = makeProblem(
    "worktree_taken",
    `Another session is active in this worktree: ${sessionId} of the project ${project}`,
    {
      hint:
        `Two sessions would take each other's files for a person's. Finish, park or abandon it in ${project} ` +
        "first, or work in a worktree of your own (`git worktree add`).",
    },
  );
  return { ...buildRefusal([problem]), call: "start_session" };
}
