/**
 * Writes files of the project when a tool asks for it: during a session they are attributed to the
 * server at once.
 */
import { hasNoGit } from "../../git/repository.ts";
import type { ProjectPath } from "../../base/paths.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { call, SAME_CALL, say } from "../../base/text/words.ts";
import type { ContextUpdate } from "../../context/update_context.ts";
import { buildPlainRefusal } from "../context/replies.ts";
import { listUncommitted } from "../../git/trees/file_lists.ts";
import { findDoubtfulCitations } from "../look/cited_lines.ts";
import { readProjectLines } from "../look/disk_facts.ts";
import type { SessionContext, Sessions } from "../context/sessions.ts";
import { bookServerFile, findUnresolved } from "../look/inspect.ts";

const CORRECT_BY =
  "These lines do not say what the summary says of them: store it again with the right ones.";
const CONTEXT_FILE = ".code-intel/context.yml";

/**
 * Runs `write`, which writes the one file `projectPath`, and books the file to the server if a
 * session is active. Refused while another change of that file is not resolved. The reply says where
 * git now shows a change that no session commits.
 */
export async function writeAsServer(
  sessions: Sessions,
  projectPath: ProjectPath,
  write: () => Promise<Reply>,
): Promise<Reply> {
  const context = await sessions.prepare();
  const toDone = async (reply: Reply): Promise<Reply> =>
    reply.ok ? { ...reply, ...await describeUncommitted(context, projectPath) } : reply;
  if (await sessions.deps.store.findActive() === null) {
    return await toDone(await write());
  }
  return await sessions.underLock(async () => {
    const opened = await sessions.openActive();
    if (opened.kind !== "open") return await toDone(await write());
    if (opened.session.state.pending !== null) {
      return buildPlainRefusal([
        makeProblem("busy", "Effects of the session are under way", {
          hint: say`${call("get_session_status")}, then ${SAME_CALL} again.`,
        }),
      ], "get_session_status");
    }
    // Booking the server's write would hide what somebody else wrote into the file before.
    const unresolved = await findUnresolved(context, opened.session, projectPath);
    if (unresolved.length > 0) return buildPlainRefusal(unresolved, "submit_phase");
    const reply = await write();
    if (reply.ok) await bookServerFile(context, opened.session, projectPath);
    return await toDone(reply);
  });
}

/** What a person has to know of a file that git shows as changed or new; without git there is nothing to commit. */
async function describeUncommitted(
  { repo, paths }: SessionContext,
  projectPath: ProjectPath,
): Promise<Readonly<Record<string, unknown>>> {
  const resolved = paths.toWorktree(projectPath);
  if (hasNoGit(repo) || resolved.kind === "refused") return {};
  const dirty = await listUncommitted(repo, [resolved.path]).catch(() => []);
  return dirty.length === 0 ? {} : {
    uncommitted:
      `git shows ${projectPath} as changed, and no session commits it: tell the person, who commits it or takes it back.`,
  };
}

/** `update_context`: stores summaries in `context.yml`; the reply names the call that goes on. */
export async function saveContext(
  sessions: Sessions,
  input: ContextUpdate,
): Promise<Reply> {
  const reply = await writeAsServer(sessions, CONTEXT_FILE, async () => ({
    ...await sessions.deps.saveContext(input),
    ok: true,
  }));
  if (!reply.ok) return reply;
  const isOpen = await sessions.deps.store.findActive() !== null;
  const texts = [
    input.projectRulesSummary ?? "",
    input.extraNotes ?? "",
    ...(input.documentSummaries ?? []).map(({ summary }) => summary),
  ];
  const context = await sessions.prepare();
  const doubtful = await findDoubtfulCitations(
    texts.join("\n"),
    (path) => readProjectLines(context, path),
  );
  const isRight = Object.keys(doubtful).length === 0;
  return {
    ...reply,
    ...(isRight ? {} : { cited_lines: doubtful, correct_by: CORRECT_BY }),
    call: isOpen ? "submit_phase" : "start_session",
  };
}
