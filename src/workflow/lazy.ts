/**
 * The workflow, loaded when a session needs it: without one a question about code is admitted at once, and nothing of
 * the engine is read.
 */
import { Late, later } from "../base/later.ts";
import type { HookDoor } from "./hook_door.ts";
import type { WorkflowDeps } from "./context/deps.ts";
import { FREE, tellNotices } from "./outside_session.ts";
import type { Admission, Workflow } from "./workflow_api.ts";

/** What the engine alone can answer. */
type EngineCalls = Omit<Workflow, "admit" | "record" | "tellNotices" | "hooks">;

/** Makes the workflow of one project; nothing is read before the first call. */
export function createWorkflow(deps: WorkflowDeps): Workflow {
  const late = new Late(async () => (await import("./workflow.ts")).createWorkflow(deps));
  const calls = later<EngineCalls>(late, {
    startSession: true,
    submitPhase: true,
    getStatus: true,
    checkWriteTarget: true,
    addExploredFiles: true,
    reviewChanges: true,
    cleanupStaleBranches: true,
    updateContext: true,
    readContract: true,
    listClosedTexts: true,
    allowTexts: true,
    writeAsServer: true,
    noteCleaned: true,
  });
  return {
    ...calls,
    admit: async (tool, needs): Promise<Admission> => {
      const found = await deps.store.findActive();
      return found?.kind === "loaded" ? await (await late.open()).admit(tool, needs) : FREE;
    },
    record: async (admission, call) => {
      if (admission.kind !== "allowed" || admission.sessionId === null) return;
      await (await late.open()).record(admission, call);
    },
    tellNotices: (reply, active) => tellNotices(deps.store, reply, active),
    hooks: createHooks(late),
  };
}

function createHooks(late: Late<Workflow>): HookDoor {
  return later<HookDoor>(new Late(async () => (await late.open()).hooks), {
    clear: true,
    noteShown: true,
    findUnresolved: true,
    note: true,
    standing: true,
    brief: true,
    keepFiles: true,
  });
}
