/** What a brief is made of beside the session and its records; the status, the hooks and the resource make the same one. */
import type { SummaryOptions } from "../../session/state_summary.ts";
import { listUnsettled } from "../look/inspect.ts";
import { findHindrance } from "../context/hindrance.ts";
import type { OpenSession, SessionContext } from "../context/sessions.ts";

/**
 * Reads the project's rules and the changes that have to be settled. To compare the files takes a lock and objects of git:
 * where the disk gives neither, the brief is made without, and says so.
 */
export async function readBriefOptions(
  context: SessionContext,
  session: OpenSession,
): Promise<SummaryOptions> {
  const [rules, { unsettled, unseen }] = await Promise.all([
    context.deps.loadRules(),
    listIfWritable(context, session),
  ]);
  return {
    toProjectPath: (treePath) => context.paths.toProject(treePath),
    notices: [...session.notices.map(({ message }) => message), ...unseen],
    projectRules: rules.summary,
    unsettled,
  };
}

async function listIfWritable(
  context: SessionContext,
  session: OpenSession,
): Promise<{
  readonly unsettled: Awaited<ReturnType<typeof listUnsettled>>;
  readonly unseen: readonly string[];
}> {
  try {
    return { unsettled: await listUnsettled(context, session), unseen: [] };
  } catch (failure) {
    const hindrance = findHindrance(failure);
    if (hindrance === null) throw failure;
    const unseen = `Changes outside the session were not looked for: ${hindrance.message}`;
    return { unsettled: [], unseen: [unseen] };
  }
}
