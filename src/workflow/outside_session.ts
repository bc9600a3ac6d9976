/** What calls need of the workflow where no session is active. */
import type { Reply } from "../base/reply.ts";
import { withNotices } from "../base/reply.ts";
import type { SessionStore } from "../session/store_api.ts";
import type { Admission } from "./workflow_api.ts";

/** Outside of a session every tool may be called, and nothing is recorded. */
export const FREE: Admission = {
  kind: "allowed",
  sessionId: null,
  visit: 0,
  stage: null,
  compactionCount: null,
};

/**
 * Adds notices about sessions' files that no reply has told yet. Every reply of a session passes
 * here, so whichever call first reads a damaged or unvouched file tells it.
 */
export async function tellNotices(
  store: Pick<SessionStore, "takeNotices">,
  reply: Reply,
  active?: string | null,
): Promise<Reply> {
  const taken = await store.takeNotices(active);
  return withNotices(reply, taken.map(({ message }) => message));
}
