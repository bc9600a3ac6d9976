/**
 * The workflow as long as no session needs it: a question about code is admitted at once, and nothing of the engine is
 * loaded.
 */
import { lazyObject, loadOnce } from "../base/lazy.ts";
import type { Reply } from "../base/reply.ts";
import { withNotices } from "../base/reply.ts";
import type { SessionStore } from "../session/store_api.ts";
import type { WorkflowDeps } from "./context/deps.ts";
import type { Admission, Workflow } from "./workflow_api.ts";

/** Outside of a session every tool may be called, and nothing is recorded. */
export const FREE: Admission = {
  kind: "allowed",
  sessionId: null,
  visit: 0,
  stage: null,
  compactionCount: null,
};

/**
 * Adds notices about sessions' files that no reply has reported yet. Every reply of a session passes
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

/** Makes the workflow of one project; nothing is read before the first call. */
export function createLazyWorkflow(deps: WorkflowDeps): Workflow {
  const load = loadOnce(async () => (await import("./workflow.ts")).createWorkflow(deps));
  return lazyObject(load, {
    admit: async (tool, needs) => {
      const found = await deps.store.findActive();
      return found?.kind === "loaded" ? await (await load()).admit(tool, needs) : FREE;
    },
    record: async (admission, call) => {
      if (admission.kind !== "allowed" || admission.sessionId === null) return;
      await (await load()).record(admission, call);
    },
    tellNotices: (reply, active) => tellNotices(deps.store, reply, active),
    hooks: lazyObject(async () => (await load()).hooks, {}),
  });
}
