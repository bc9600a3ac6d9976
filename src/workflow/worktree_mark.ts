/**
 * One active session for a worktree, also where several projects lie in it: the git folder of the worktree
 * names the session that was begun or resumed last. The mark binds nobody once that session is gone.
 */
import { join } from "node:path";
import { writeFileAtomic } from "../base/atomic_write.ts";
import { LIMITS } from "../base/limits.ts";
import { withLock } from "../base/lock_file.ts";
import { toProblem } from "../base/problem.ts";
import type { Reply } from "../base/reply.ts";
import { toRefusal } from "../base/reply.ts";
import type { Bench } from "./desk.ts";

/** What the mark says. */
interface Mark {
  readonly sessionId: string;
  /** Absolute path of the folder with the checkpoint of the session. */
  readonly sessionsDir: string;
}

/**
 * Runs `action`, which makes a session active, unless one of another project is active in the same
 * worktree. The session that `action` answers with is marked; a refusal marks nothing.
 */
export async function claimWorktree(
  { repo, deps }: Bench,
  action: () => Promise<Reply>,
): Promise<Reply> {
  if (repo === null) return await action();
  const folder = join(repo.gitDir, "code-intel");
  await Deno.mkdir(folder, { recursive: true });
  const lock = { timeoutMs: LIMITS.lockWaitMs.value };
  return await withLock(join(folder, "active.lock"), lock, async () => {
    const path = join(folder, "active.json");
    const sessionsDir = join(deps.codeIntelDir, "sessions");
    const mark = await readMark(path);
    if (mark !== null && mark.sessionsDir !== sessionsDir && await isActive(mark)) {
      return toTaken(mark);
    }
    const reply = await action();
    const { session_id: sessionId } = reply as { readonly session_id?: unknown };
    if (reply.ok && typeof sessionId === "string") {
      await writeFileAtomic(path, `${JSON.stringify({ sessionId, sessionsDir })}\n`);
    }
    return reply;
  });
}

async function readMark(path: string): Promise<Mark | null> {
  const value = await readJson(path) as Partial<Mark> | null;
  const { sessionId, sessionsDir } = value ?? {};
  return typeof sessionId === "string" && typeof sessionsDir === "string"
    ? { sessionId, sessionsDir }
    : null;
}

/** Whether the checkpoint of a session says that it is active; its seal is its own project's matter. */
async function isActive({ sessionId, sessionsDir }: Mark): Promise<boolean> {
  const found = await readJson(join(sessionsDir, `${sessionId}.json`)) as {
    readonly state?: { readonly status?: unknown };
  } | null;
  return found?.state?.status === "active";
}

async function readJson(path: string): Promise<object | null> {
  try {
    const value: unknown = JSON.parse(await Deno.readTextFile(path));
    return typeof value === "object" ? value : null;
  } catch {
    // Gone, torn, or not ours to read: nobody is bound by it.
    return null;
  }
}

function toTaken({ sessionId, sessionsDir }: Mark): Reply {
  const project = join(sessionsDir, "..", "..");
  const problem = toProblem(
    "worktree_taken",
    `Another session is active in this worktree: ${sessionId} of the project ${project}`,
    {
      hint:
        `Two sessions would take each other's files for a person's. Finish, park or abandon it in ${project} ` +
        "first, or work in a worktree of your own (`git worktree add`).",
    },
  );
  return { ...toRefusal([problem]), call: "start_session" };
}
