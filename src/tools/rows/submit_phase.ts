/** The tool `submit_phase`: hands in the deliverable of the present step. */
import * as z from "zod";
import { LIMITS } from "../../base/settings/limits.ts";
import { addFirstAnswers } from "../first_look.ts";
import type { ToolRow } from "../tool.ts";

function buildSchema() {
  return z.strictObject({
    data: z.record(z.string(), z.unknown())
      .describe("As expected_payload of the last reply shows"),
    then: z.array(z.record(z.string(), z.unknown())).max(LIMITS.joinedPayloads.value).optional()
      .describe("Payloads of the next steps, taken until one is refused"),
  });
}

/** The row of the tool. */
export const submitPhaseTool: ToolRow<z.infer<ReturnType<typeof buildSchema>>> = {
  name: "submit_phase",
  title: "Submit the present step",
  description:
    "Hands in one_payload, or the payload of the present step, and with `then` those of the next ones; the server checks each. Several finished tasks: tasks: [{task_id, checklist}]. Repeat the compaction_count of the last reply in data; the last known one plus 1 brings lost summaries back. In any step also {park: true, reason}, {abandon: true, reason}, {back_to: 'EXPLORATION', reason}, {ask_person: '…'}.",
  needs: null,
  isSessionDoor: true,
  hints: { readOnly: false, destructive: true, idempotent: false },
  buildSchema,
  command: {
    name: "session submit",
    summary:
      "Hand in the payload of the present step, or in a list those of the next ones too (`then`)",
  },
  isFirst: true,
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
    const reply = await services.workflow.submitPhase(data, signal, asker, options);
    return { reply: await addFirstAnswers(reply, { services, signal, sent: [data, ...then] }) };
  },
};
