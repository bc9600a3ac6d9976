/** Puts the workflow together from its parts, for tools and commands. */
import { NO_ASKER } from "../base/asker.ts";
import { toProblem } from "../base/problem.ts";
import type { Reply } from "../base/reply.ts";
import { either, say, tool, use } from "../base/text/words.ts";
import type { Capability, Stage } from "../phase/table/phases.ts";
import { PHASES } from "../phase/table/phases.ts";
import { advanceAll } from "./advance/advance_all.ts";
import { cleanBranches } from "./calls/clean_branches.ts";
import type { WorkflowDeps } from "./context/deps.ts";
import { Sessions } from "./context/sessions.ts";
import { allowTexts } from "./context/guiding_texts.ts";
import { createHookDoor } from "./hook_door.ts";
import { noteCleaned } from "./context/learn.ts";
import { toRefusedReply } from "./context/replies.ts";
import { FREE, tellNotices } from "./outside_session.ts";
import { reviewChanges } from "./calls/review.ts";
import { saveContext, writeAsServer } from "./calls/server_writes.ts";
import { startSession } from "./calls/start.ts";
import { tellBaseline } from "./verify/baseline.ts";
import { getStatus } from "./calls/status.ts";
import { ToldSteps } from "./told.ts";
import type { CallRecord } from "../session/records.ts";
import type { Admission, Workflow } from "./workflow_api.ts";
import { addExplored } from "./calls/add_explored.ts";
import { checkWrite } from "./calls/write_check.ts";

/** Makes the workflow of one project; nothing is read before the first call. */
export function createWorkflow(deps: WorkflowDeps): Workflow {
  const sessions = new Sessions(deps);
  const told = new ToldSteps();
  const tellStart = async (reply: Promise<Reply>) =>
    told.shorten(await tellNotices(deps.store, await reply));
  const tell = async (reply: Promise<Reply>) =>
    await tellStart(reply.then((made) => tellBaseline(sessions, made)));
  return {
    startSession: (input, signal, asker = NO_ASKER) =>
      tellStart(startSession(sessions, input, { signal, asker })),
    submitPhase: (data, signal, asker = NO_ASKER, { then = [], ...options } = {}) =>
      tell(advanceAll(sessions, { data, then }, { caller: { signal, asker, ...options } })),
    getStatus: (input, signal = NEVER, asker = NO_ASKER) =>
      tell(getStatus(sessions, input, { signal, asker })),
    checkWriteTarget: (input) => tell(checkWrite(sessions, input)),
    addExploredFiles: (paths) => tell(addExplored(sessions, paths)),
    reviewChanges: (input) => tell(reviewChanges(sessions, input)),
    cleanupStaleBranches: ({ action }, signal = NEVER, asker = NO_ASKER) =>
      tell(cleanBranches(sessions, action, { signal, asker })),
    updateContext: (input) => tell(saveContext(sessions, input)),
    readContract: () => sessions.readContract(),
    listClosedTexts: () => sessions.listClosedTexts(),
    allowTexts: (texts, by) => allowTexts(deps, texts, by),
    writeAsServer: (path, write) => writeAsServer(sessions, path, write),
    noteCleaned: (sessionId) => noteCleaned(deps, sessionId),
    admit: async (tool, needs) => {
      const admission = await admit(sessions, tool, needs);
      return admission.kind === "allowed"
        ? admission
        : { ...admission, reply: told.shorten(admission.reply) };
    },
    record: (admission, call) => record(sessions, admission, call),
    tellNotices: (reply, active) => tellNotices(deps.store, reply, active),
    hooks: createHookDoor(sessions),
  };
}

/** The signal of callers that never cancel. */
const NEVER = new AbortController().signal;

/** Where the tools that a stage grants are named: a list of the reply, or a line below the hint. */
const ONE_ALLOWED = either({
  agent: "tool that `allowed` names",
  person: "command that is available now",
});

/** Whether the stage grants what a tool needs. Outside of a session everything is allowed. */
async function admit(
  sessions: Sessions,
  name: string,
  needs: Capability | null,
): Promise<Admission> {
  // The checkpoint is replaced as a whole, so reading it needs no lock.
  const found = await sessions.deps.store.findActive();
  if (found === null || found.kind !== "loaded") return FREE;
  const { state } = found.checkpoint;
  const { stage, visit, compactionCount } = state;
  const isAllowed = needs === null || PHASES[stage].grants.includes(needs);
  if (isAllowed) return { kind: "allowed", sessionId: found.id, visit, stage, compactionCount };
  const context = await sessions.prepare();
  const allowed = toolsOf(stage);
  const reply = await toRefusedReply({
    deps: sessions.deps,
    contract: context.contract,
    state,
    error: "phase_blocked",
    problems: [
      toProblem("phase_blocked", say`${tool(name)} is not available in ${PHASES[stage].phase}`, {
        hint: say`Use a ${ONE_ALLOWED}, then ${use("submit_phase")}.`,
      }),
    ],
    fields: { current_phase: PHASES[stage].phase, allowed },
  });
  return { kind: "refused", reply };
}

function toolsOf(stage: Stage): readonly Capability[] {
  return PHASES[stage].grants;
}

/** Records a call, with the files that it showed as paths of the worktree. */
async function record(sessions: Sessions, admission: Admission, call: CallRecord): Promise<void> {
  if (admission.kind !== "allowed" || admission.sessionId === null || admission.stage === null) {
    return;
  }
  const { paths } = await sessions.prepare();
  const toWorktree = (path: string): readonly string[] => {
    const resolved = paths.toWorktree(path);
    return resolved.kind === "path" ? [resolved.path] : [];
  };
  const { defines, refers, proven, ...plain } = call;
  const toNames = (side: "defines" | "refers" | "proven", sent: CallRecord["defines"] = {}) => {
    const entries = Object.entries(sent).flatMap(([path, names]) =>
      toWorktree(path).map((inside) => [inside, names] as const)
    );
    return entries.length === 0 ? {} : { [side]: Object.fromEntries(entries) };
  };
  await sessions.record(admission.sessionId, {
    kind: "call",
    visit: admission.visit,
    stage: admission.stage,
    ...plain,
    files: call.files.flatMap(toWorktree),
    ...toNames("defines", defines),
    ...toNames("refers", refers),
    ...toNames("proven", proven),
  });
}
