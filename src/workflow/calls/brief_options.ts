/** What a brief is made of beside the session and its records; the status, the hooks and the resource make the same one. */
import type { BriefOptions } from "../../session/brief.ts";
import { listUnsettled } from "../look/inspect.ts";
import { toHindrance } from "../context/hindrance.ts";
import type { Bench, Desk, OpenSession } from "../context/desk.ts";

/**
 * Reads the project's rules and the changes that have to be settled. To compare the files takes a lock and objects of git:
 * where the disk gives neither, the brief is made without, and says so.
 */
export async function readBriefOptions(
  desk: Desk,
  bench: Bench,
  session: OpenSession,
): Promise<BriefOptions> {
  const [rules, { unsettled, unseen }] = await Promise.all([
    desk.deps.loadRules(),
    listIfWritable(desk, bench, session),
  ]);
  return {
    toProjectPath: (treePath) => bench.paths.toProject(treePath),
    notices: [...session.notices.map(({ message }) => message), ...unseen],
    projectRules: rules.summary,
    unsettled,
  };
}

async function listIfWritable(
  ...[desk, bench, session]: Parameters<typeof listUnsettled>
): Promise<{
  readonly unsettled: Awaited<ReturnType<typeof listUnsettled>>;
  readonly unseen: readonly string[];
}> {
  try {
    return { unsettled: await listUnsettled(desk, bench, session), unseen: [] };
  } catch (failure) {
    const hindrance = toHindrance(failure);
    if (hindrance === null) throw failure;
    const unseen = `Changes outside the session were not looked for: ${hindrance.message}`;
    return { unsettled: [], unseen: [unseen] };
  }
}
