/** The tool `submit_phase`: hands in the deliverable of the present step. */
import * as z from "zod";
import type { OkReply, Reply } from "../../base/reply.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { toRecord } from "../../base/text/json_record.ts";
import { PHASES } from "../../phase/mod.ts";
import type { CallRecord, Workflow } from "../../workflow/mod.ts";
import type { ToolRow } from "../tool.ts";

const REVIEW_STEP = PHASES.PRE_COMMIT.step;

const SCHEMA = z.strictObject({
  data: z.record(z.string(), z.unknown())
    .describe("As expected_payload of the last reply shows"),
  then: z.array(z.record(z.string(), z.unknown())).max(LIMITS.joinedPayloads.value).optional()
    .describe("Payloads of the next steps, taken until one is refused"),
});

/** The row of the tool. */
export const submitPhaseTool: ToolRow<z.infer<typeof SCHEMA>> = {
  name: "submit_phase",
  title: "Submit the present step",
  description:
    "Hands in the payload of the present step, and with `then` those of the next ones; the server checks each and returns the next step. Several finished tasks: tasks: [{task_id, checklist}]. Repeat the compaction_count of the last reply in data; the last known one plus 1 brings lost summaries back. In any step also {park: true, reason}, {abandon: true, reason}, {back_to: 'EXPLORATION', reason}.",
  needs: null,
  isSessionDoor: true,
  hints: { readOnly: false, destructive: true, idempotent: false },
  schema: SCHEMA,
  example: {
    data: {
      explored_files: ["src/auth.ts"],
      findings: ["AuthService.login issues the token (src/auth.ts:40)"],
      summary: "Login lives in src/auth.ts",
      tools_used: ["find_definitions", "search_text"],
    },
  },
  async run({ data, then = [] }, { services, signal, asker, via, progress }) {
    const said = asker.isTyped === true ? { said: asker.source ?? "asked" } : {};
    const options = { isAside: via !== "mcp", progress, then, ...said };
    const { workflow } = services;
    const reply = await workflow.submitPhase(data, signal, asker, options);
    if (!isReview(reply)) return { reply };
    // The step is taken; where its review cannot be shown now, the agent asks for it.
    return { reply: await addReview(workflow, reply, via).catch(() => reply) };
  },
};

/** True for a reply that leads to the review: its first look is part of the reply. */
function isReview(reply: Reply): reply is OkReply {
  return reply.ok && reply.step === REVIEW_STEP && reply.user_escalation === undefined &&
    reply.session_complete === undefined && reply.status === undefined;
}

/**
 * Adds the changes to the reply that opens the review. Where it names every file, the call that the step requires is
 * on record as made; else the agent has to make it.
 */
async function addReview(
  workflow: Workflow,
  reply: OkReply,
  via: CallRecord["via"],
): Promise<Reply> {
  const review = await workflow.reviewChanges({
    maxBytes: LIMITS.firstReviewBytes.value,
    isBrief: true,
  });
  const { changes } = review as { readonly changes?: readonly { readonly path: string }[] };
  if (!review.ok || changes === undefined || changes.length !== review.total_changes) return reply;
  const admission = await workflow.admit("review_changes", "review");
  await workflow.record(admission, {
    tool: "review_changes",
    argsHash: "",
    subject: "",
    ok: true,
    total: changes.length,
    files: changes.map(({ path }) => path),
    symbols: [],
    durationMs: 0,
    via,
  });
  const reviewed = changes.map(({ path }) => ({ path, decision: "keep" }));
  const { required_tools: _required, ...rest } = reply;
  return {
    ...rest,
    expected_payload: { ...toRecord(reply.expected_payload), reviewed_files: reviewed },
    ...Object.fromEntries(
      Object.entries(review).filter(([field]) => !(field in reply) && field !== "instruction"),
    ),
  };
}
