/** What a brief is made of beside the session and its records; the status, the hooks and the resource make the same one. */
import type { BriefOptions } from "../../session/mod.ts";
import { listUnsettled } from "../changes/inspect.ts";
import type { Bench, Desk, OpenSession } from "../desk.ts";

/** Reads the project's rules and the changes that have to be settled; writes nothing. */
export async function readBriefOptions(
  desk: Desk,
  bench: Bench,
  session: OpenSession,
): Promise<BriefOptions> {
  const [rules, unsettled] = await Promise.all([
    desk.deps.loadRules(),
    listUnsettled(desk, bench, session),
  ]);
  return {
    toProjectPath: (treePath) => bench.paths.toProject(treePath),
    notices: session.notices.map(({ message }) => message),
    projectRules: rules.summary,
    unsettled,
  };
}
