/** Puts the workflow together from its parts, for tools and commands. */
import type { Reply } from "../base/reply.ts";
import { either, say, tool, use } from "../base/text/words.ts";
import { NO_ASKER } from "../base/asker.ts";
import { makeProblem } from "../base/problem.ts";
import type { Capability, Stage } from "../phase/table/phases.ts";
import { PHASES } from "../phase/table/phases.ts";
import { advanceAll } from "./advance/advance_all.ts";
import { cleanBranches } from "./calls/clean_branches.ts";
import type { WorkflowDeps } from "./context/deps.ts";
import { Sessions } from "./context/sessions.ts";
import { allowTexts } from "./context/guiding_texts.ts";
import { createHookDoor } from "./hook_door.ts";
import { noteCleaned } from "./context/learn.ts";
import { buildRefusedReply } from "./context/replies.ts";
import { FREE, tellNotices } from "./outside_session.ts";
import { reviewChanges } from "./calls/review.ts";
import { saveContext, writeAsServer } from "./calls/server_writes.ts";
import { startSession } from "./calls/start.ts";
import { reportBaseline } from "./verify/baseline.ts";
import { getStatus } from "./calls/status.ts";
import type { CallRecord } from "../session/records.ts";
import type { Admission, Workflow } from "./workflow_api.ts";
import { addExplored } from "./calls/add_explored.ts";
import { checkWrite } from "./calls/write_check.ts";

/** Fields that tell of the step, and say in a refusal what the reply before it said. */
const STEP_FIELDS =
  ("expected_payload then required_tools resources progress next_task existing_tasks " +
    "mandatory_rules changed_tests constraints risk_note hypotheses open_clauses observed_unproven")
    .split(" ");

type Fields = Readonly<Record<string, unknown>>;

/** Remembers the last block of each session that a reply carried whole. */
export class ReportedSteps {
  readonly #last = new Map<string, Fields>();

  /** The reply as it is sent: a refusal without what the last reply of its session said of the same step. */
  shorten(reply: Reply): Reply {
    const { session_id: id, step, instruction, compaction_count: count } = reply as Fields;
    // A write grant, for example, has an instruction and no block of the step.
    if (typeof id !== "string" || step === undefined || instruction === undefined) return reply;
    const last = this.#last.get(id);
    // An agent that lost its conversation has not read the reply before.
    const isSame = last !== undefined && last["compaction_count"] === count &&
      !("phase_summaries" in reply) && String(last["instruction"]).endsWith(String(instruction));
    if (reply.ok || !isSame) {
      this.#last.set(id, reply);
      return reply;
    }
    const repeated = STEP_FIELDS.filter((field) =>
      field in reply && JSON.stringify(reply[field]) === JSON.stringify(last[field])
    );
    const left = new Set(["instruction", ...repeated]);
    const { error, message } = reply;
    return {
      ok: false,
      error,
      message,
      ...Object.fromEntries(Object.entries(reply).filter(([field]) => !left.has(field))),
      as_before: say`${[...left].join(", ")}: ${tool("get_session_status")} repeats them.`,
    };
  }
}

/** Makes the workflow of one project; nothing is read before the first call. */
export function createWorkflow(deps: WorkflowDeps): Workflow {
  const sessions = new Sessions(deps);
  const told = new ReportedSteps();
  const tellStart = async (reply: Promise<Reply>) =>
    told.shorten(await tellNotices(deps.store, await reply));
  const tell = async (reply: Promise<Reply>) =>
    await tellStart(reply.then((made) => reportBaseline(sessions, made)));
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
  const allowed = listGrants(stage);
  const reply = await buildRefusedReply({
    deps: sessions.deps,
    contract: context.contract,
    state,
    error: "phase_blocked",
    problems: [
      makeProblem("phase_blocked", say`${tool(name)} is not available in ${PHASES[stage].phase}`, {
        hint: say`Use a ${ONE_ALLOWED}, then ${use("submit_phase")}.`,
      }),
    ],
    fields: { current_phase: PHASES[stage].phase, allowed },
  });
  return { kind: "refused", reply };
}

function listGrants(stage: Stage): readonly Capability[] {
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
